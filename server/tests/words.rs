//! Every sentence of the frame is there in both languages, and every sentence that is there is shown.

use enza_kernel::testing::words::Checked;

#[test]
fn every_sentence_is_there_and_every_sentence_is_shown() {
    let own = enza_server::words::catalogue();
    Checked { own, frame: None, home: env!("CARGO_MANIFEST_DIR"), shared: &[], plain: &["fork", "table"] }.check();
}

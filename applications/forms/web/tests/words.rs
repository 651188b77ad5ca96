//! Every sentence that the part brings is there in both languages, and every sentence that is there is shown.

use enza_kernel::testing::words::Checked;
use enza_kernel::words::Catalogue;

/// Tables of the frame, which shows what parts put in.
const SHARED: &[&str] = &["act", "api-route", "api-tag", "problem", "problem-hint"];

#[test]
fn every_sentence_is_there_and_every_sentence_is_shown() {
    let own = Catalogue::read(enza_forms_web::WORDS).expect("the files are sound, and no key is there twice");
    let frame = Some(enza_server::words::catalogue());
    Checked {
        own: &own,
        frame,
        home: env!("CARGO_MANIFEST_DIR"),
        shared: SHARED,
        plain: &["admitted", "entry", "reviewed", "undelivered.answered.detail"],
    }
    .check();
}

//! Secret files inside the folder of work. G21: they are read only where a person says so, by commands too.

use std::fs;

use enza_applications::companion::work::Ended;

use crate::stage::{KEY, Stage, told};

fn stage() -> Stage {
    let stage = Stage::new();
    for (name, text) in [
        (".env", KEY),
        (".env.example", "example\n"),
        ("README", "read me\n"),
        ("src/main", "main\n"),
        ("deep/er/server.pem", KEY),
        ("deep/er/notes", "notes\n"),
        ("deep/other", "other\n"),
    ] {
        stage.write(name, text);
    }
    stage
}

#[tokio::test]
async fn a_secret_file_is_not_read_and_all_around_it_is() {
    let ran = stage()
        .line("cat .env; cat deep/er/server.pem; cat .env.example README src/main deep/er/notes deep/other")
        .await;
    let no = "Permission denied\n";
    let expected = format!("cat: .env: {no}cat: deep/er/server.pem: {no}example\nread me\nmain\nnotes\nother\n");
    assert_eq!(told(&ran), (Ended::Status(0), expected.as_str()));
}

#[tokio::test]
async fn a_secret_file_is_not_read_by_another_name() {
    for line in [
        "cat src/link",
        "mv .env plain; cat plain",
        "mv .env src/plain; cat src/plain",
        "mv .env README; cat README",
        "ln deep/er/server.pem src/hard; cat src/hard",
        "mv deep/er src/er; cat src/er/server.pem",
        "mv deep src/deep; cat src/deep/er/server.pem",
        "cp .env src/copy; cat src/copy",
    ] {
        let stage = stage();
        std::os::unix::fs::symlink("../.env", stage.folder().join("src/link")).unwrap();
        let ran = stage.line(line).await;
        assert!(ran.ended == Ended::Status(1) && !ran.output.contains(KEY), "{line}: {ran:?}");
    }
}

#[tokio::test]
async fn a_secret_file_that_was_granted_is_read() {
    let mut stage = stage();
    stage.granted = vec![".env".to_owned()];
    let ran = stage.line("cat .env; cat deep/er/server.pem").await;
    assert_eq!(told(&ran), (Ended::Status(1), format!("{KEY}cat: deep/er/server.pem: Permission denied\n").as_str()));
}

/// The price of keeping secrets, told in `walls/files.rs`: if this ever works, that text is wrong.
#[tokio::test]
async fn what_is_new_beside_a_secret_is_written_now_and_read_the_next_time() {
    let stage = stage();
    let ran = stage
        .line("echo new > new; cat new; mkdir folder && echo x > folder/x; echo made > src/made; cat src/made")
        .await;
    assert_eq!(told(&ran), (Ended::Status(0), "cat: new: Permission denied\nmade\n"));
    assert_eq!(told(&stage.line("cat new folder/x").await), (Ended::Status(0), "new\nx\n"));
}

#[tokio::test]
async fn a_link_beside_a_secret_opens_nothing_outside() {
    let stage = stage();
    std::os::unix::fs::symlink(stage.key().parent().unwrap(), stage.folder().join("link")).unwrap();
    fs::write(stage.outside().join("file"), KEY).unwrap();
    std::os::unix::fs::symlink(stage.outside(), stage.folder().join("deep/er/link")).unwrap();
    let ran = stage.line("cat link/id_ed25519; cat deep/er/link/file; echo x > deep/er/link/file").await;
    assert!(ran.ended == Ended::Status(2) && !ran.output.contains(KEY), "{ran:?}");
    assert_eq!(fs::read_to_string(stage.outside().join("file")).unwrap(), KEY);
}

//! Files as answers: sent by a browser or a program, bounded, and given back to the respondent alone.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use enza_server::access::{FileLimits, Rules};
use serde_json::json;

use crate::common::Answer;
use crate::respond::visit::{SharedForm, location, session_of};

fn with_a_file() -> serde_json::Value {
    json!({
        "title": "Report", "language": "en", "order": "fixed",
        "fields": [
            { "fieldId": "photo", "label": "A photo", "kind": "file", "required": true },
            { "fieldId": "name", "label": "Name", "required": true },
        ],
    })
}

async fn send(shared: &SharedForm, path: &str, kind: &str, body: Vec<u8>) -> Answer {
    let request = Request::post(path).header("content-type", kind).header("content-length", body.len());
    shared.stage.send(request.header("accept", "application/json").body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn a_file_is_attached_and_given_back() {
    let shared = SharedForm::new(with_a_file()).await;
    let at = shared.begin().await;
    assert!(shared.look(&at, "").await.text().contains("type=\"file\""));
    let form = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"\u{5199}\u{771f}.png\"\r\n\r\nPNG!\r\n--b--\r\n";
    let sent = send(&shared, &format!("{at}/files/photo"), "multipart/form-data; boundary=b", form.into()).await;
    assert_eq!(sent.status, StatusCode::NO_CONTENT, "{}", sent.text());
    shared.rest(&at).await;
    let seen = shared.seen(&at).await;
    assert_eq!(seen["fields"][0]["shown"], "\u{5199}\u{771f}.png", "{seen}");
    let back = shared.look(&format!("{at}/files/photo"), "").await;
    assert_eq!((back.status, back.text().as_str()), (StatusCode::OK, "PNG!"));
    assert_eq!(back.headers["content-type"], "application/octet-stream");
    assert_eq!(back.headers["content-disposition"], "attachment; filename*=UTF-8''%E5%86%99%E7%9C%9F.png");
}

#[tokio::test]
async fn a_program_may_send_bare_bytes() {
    let shared = SharedForm::new(with_a_file()).await;
    let at = shared.begin().await;
    let sent = send(&shared, &format!("{at}/files/photo?name=..%2Fa.txt"), "text/plain", b"hello".to_vec()).await;
    assert_eq!(sent.status, StatusCode::NO_CONTENT, "{}", sent.text());
    shared.rest(&at).await;
    assert_eq!(shared.seen(&at).await["fields"][0]["shown"], "a.txt");
}

#[tokio::test]
async fn what_is_too_large_empty_or_for_another_field_is_refused() {
    let shared = SharedForm::new(with_a_file()).await;
    let at = shared.begin().await;
    let photo = format!("{at}/files/photo");
    let large = send(&shared, &photo, "image/png", vec![0; 10 * 1024 * 1024 + 1]).await;
    assert_eq!((large.status, large.code()), (StatusCode::PAYLOAD_TOO_LARGE, "file-too-large".to_owned()));
    assert!(large.text().contains("10 MiB"), "the limit is said: {}", large.text());
    let fits = send(&shared, &photo, "image/png", vec![7; 2 * 1024 * 1024]).await;
    assert_eq!(fits.status, StatusCode::NO_CONTENT, "{}", fits.text());
    let empty = send(&shared, &photo, "image/png", Vec::new()).await;
    assert_eq!(empty.status, StatusCode::UNPROCESSABLE_ENTITY);
    let other = send(&shared, &format!("{at}/files/name"), "image/png", vec![1]).await;
    assert_eq!((other.status, other.code()), (StatusCode::CONFLICT, "field-unknown".to_owned()));
    assert_eq!(shared.look(&format!("{at}/files/name"), "").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_classic_form_takes_a_file_along_with_the_rest() {
    let shared = SharedForm::new(with_a_file()).await;
    let at = shared.begin().await;
    let form = "--b\r\ncontent-disposition: form-data; name=\"f.photo\"; filename=\"a.png\"\r\n\r\nPNG!\r\n--b\r\n\
                content-disposition: form-data; name=\"f.name\"\r\n\r\nAda\r\n--b--\r\n";
    let saved = send(&shared, &format!("{at}/form"), "multipart/form-data; boundary=b", form.into()).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.text());
    shared.rest(&at).await;
    let seen = shared.seen(&at).await;
    assert_eq!((&seen["fields"][0]["shown"], &seen["fields"][1]["value"]), (&json!("a.png"), &json!("Ada")), "{seen}");
}

fn digest_of(bytes: &[u8]) -> String {
    enza_kernel::conversation::Digest::of(bytes).to_string()
}

async fn attached(shared: &SharedForm, at: &str, bytes: &[u8]) {
    let sent = send(shared, &format!("{at}/files/photo?name=a.png"), "image/png", bytes.to_vec()).await;
    assert_eq!(sent.status, StatusCode::NO_CONTENT, "{}", sent.text());
    shared.rest(at).await;
}

async fn another(shared: &SharedForm, key: &str) -> String {
    let begun = shared.post(&shared.door(), &[("key", key), ("consent", "yes")]).await;
    let at = location(&begun);
    shared.rest(&at).await;
    at
}

#[tokio::test]
async fn an_answer_that_names_anothers_digest_is_refused_and_gives_nothing_out() {
    let shared = SharedForm::new(with_a_file()).await;
    let victim = shared.begin().await;
    attached(&shared, &victim, b"a private letter").await;
    let thief = another(&shared, "a thief with a long key").await;
    let value = format!("{}/letter.txt", digest_of(b"a private letter"));
    let body = json!({ "answers": { "photo": value } }).to_string();
    let filled = send(&shared, &format!("/api{thief}/fill"), "application/json", body.into()).await;
    assert_eq!((filled.status, filled.code()), (StatusCode::CONFLICT, "answer-unread".to_owned()));
    shared.order(&thief, &[("act", "fill"), ("f.photo", &value)]).await;
    shared.order(&thief, &[("act", "say"), ("words", &value)]).await;
    let none = shared.look(&format!("{thief}/files/photo"), "").await;
    assert_eq!((none.status, none.text().contains("a private letter")), (StatusCode::NOT_FOUND, false));
    let take = json!({ "take_file": { "digest": digest_of(b"a private letter"), "name": "x", "size": 1 } });
    let path = format!("/api/sessions/{}/commands", session_of(&thief));
    let told = shared.stage.ask(axum::http::Method::POST, &path, &shared.owner, Some(take)).await;
    assert_eq!((told.status, told.code()), (StatusCode::CONFLICT, "file-not-taken".to_owned()));
    assert_eq!(shared.look(&format!("{victim}/files/photo"), "").await.text(), "a private letter");
}

#[tokio::test]
async fn a_file_is_gone_with_its_interview_and_stays_with_another_that_sent_the_same() {
    let shared = SharedForm::new(with_a_file()).await;
    let (one, two) = (shared.begin().await, another(&shared, "a second key that is long").await);
    attached(&shared, &one, b"the same").await;
    attached(&shared, &two, b"the same").await;
    let deleted = shared.post(&format!("{one}/leave"), &[("how", "delete")]).await;
    assert_eq!(deleted.status, StatusCode::OK);
    assert_eq!(shared.look(&format!("{one}/files/photo"), "").await.status, StatusCode::NOT_FOUND);
    assert_eq!(shared.look(&format!("{two}/files/photo"), "").await.text(), "the same");
}

async fn limited(shared: &SharedForm, files: FileLimits) {
    let register = shared.stage.app.register();
    let rules = Rules { files, ..Rules::read(register).await.unwrap() };
    rules.write(register).await.unwrap();
}

#[tokio::test]
async fn files_past_a_quota_are_refused_with_words_and_do_not_count() {
    let shared = SharedForm::new(with_a_file()).await;
    let (one, two) = (shared.begin().await, another(&shared, "a second key that is long").await);
    let photo = |at: &str| format!("{at}/files/photo?name=a.png");
    limited(&shared, FileLimits { per_session: 1_000, ..FileLimits::default() }).await;
    let large = send(&shared, &photo(&one), "image/png", vec![7; 1_001]).await;
    assert_eq!((large.status, large.code()), (StatusCode::PAYLOAD_TOO_LARGE, "files-full".to_owned()));
    attached(&shared, &one, &[7; 1_000]).await;
    for limits in [
        FileLimits { per_link: 1_500, ..FileLimits::default() },
        FileLimits { per_family: 1_500, ..FileLimits::default() },
        FileLimits { per_owner: 1_500, ..FileLimits::default() },
    ] {
        limited(&shared, limits).await;
        let full = send(&shared, &photo(&two), "image/png", vec![8; 600]).await;
        assert_eq!((full.status, full.code()), (StatusCode::INSUFFICIENT_STORAGE, "form-files-full".to_owned()));
    }
    attached(&shared, &two, &[8; 500]).await;
}

#[tokio::test]
async fn a_file_that_was_refused_or_broken_off_leaves_its_room_to_others() {
    let shared = SharedForm::new(with_a_file()).await;
    let at = shared.begin().await;
    limited(&shared, FileLimits { per_session: 1_000, ..FileLimits::default() }).await;
    let photo = format!("{at}/files/photo?name=a.png");
    let broken = futures_util::stream::iter([
        Ok(axum::body::Bytes::from(vec![1; 500])),
        Err(std::io::Error::other("the line is cut")),
    ]);
    let request = Request::post(&photo).header("content-type", "image/png").header("accept", "application/json");
    let request = request.header("content-length", "1000").body(Body::from_stream(broken)).unwrap();
    assert_eq!(shared.stage.send(request).await.status, StatusCode::BAD_REQUEST);
    let form = "--b\r\ncontent-disposition: form-data; name=\"f.photo\"; filename=\"a.png\"\r\n\r\nPNG!\r\n--b\r\n\
                content-disposition: form-data; name=\"f.name\"\r\n\r\n\u{0}\r\n--b--\r\n";
    let null = send(&shared, &format!("{at}/form"), "multipart/form-data; boundary=b", form.into()).await;
    assert_eq!(null.status, StatusCode::BAD_REQUEST, "{}", null.text());
    // A form's files are given back a moment after its answer.
    let mut left = 15;
    while send(&shared, &photo, "image/png", vec![7; 1_000]).await.status != StatusCode::NO_CONTENT {
        left -= 1;
        assert!(left > 0, "the room stays taken");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn many_uploads_at_once_take_no_more_than_there_is() {
    let shared = SharedForm::new(with_a_file()).await;
    limited(&shared, FileLimits { per_family: 5_500, ..FileLimits::default() }).await;
    let mut visits = Vec::new();
    for number in 0..12 {
        visits.push(another(&shared, &format!("a key of visitor {number:04}")).await);
    }
    let sent = visits.iter().zip(1..).map(|(at, byte)| {
        let (shared, path) = (&shared, format!("{at}/files/photo?name=a.png"));
        async move { send(shared, &path, "image/png", vec![byte; 1_000]).await.status }
    });
    let all = futures_util::future::join_all(sent).await;
    assert_eq!(all.iter().filter(|status| **status == StatusCode::NO_CONTENT).count(), 5, "{all:?}");
    assert_eq!(all.iter().filter(|status| **status == StatusCode::INSUFFICIENT_STORAGE).count(), 7, "{all:?}");
}

#[tokio::test]
async fn a_file_of_many_parts_comes_back_as_it_was() {
    let shared = SharedForm::new(with_a_file()).await;
    let at = shared.begin().await;
    let bytes: Vec<u8> = (0..=250).cycle().take(900_001).collect();
    attached(&shared, &at, &bytes).await;
    let back = shared.look(&format!("{at}/files/photo"), "").await;
    assert_eq!((back.headers["content-length"].to_str().unwrap(), back.body.len()), ("900001", 900_001));
    assert!(back.body == bytes);
}

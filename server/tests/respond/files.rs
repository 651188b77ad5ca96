//! Files as answers: sent by a browser or a program, bounded, and given back to the respondent alone.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::json;

use crate::common::Answer;
use crate::visit::Shared;

fn with_a_file() -> serde_json::Value {
    json!({
        "title": "Report", "language": "en", "order": "fixed",
        "fields": [
            { "fieldId": "photo", "label": "A photo", "kind": "file", "required": true },
            { "fieldId": "name", "label": "Name", "required": true },
        ],
    })
}

async fn send(shared: &Shared, path: &str, kind: &str, body: Vec<u8>) -> Answer {
    let request = Request::post(path).header("content-type", kind).header("content-length", body.len());
    shared.stage.send(request.header("accept", "application/json").body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn a_file_is_attached_and_given_back() {
    let shared = Shared::new(with_a_file()).await;
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
    let shared = Shared::new(with_a_file()).await;
    let at = shared.begin().await;
    let sent = send(&shared, &format!("{at}/files/photo?name=..%2Fa.txt"), "text/plain", b"hello".to_vec()).await;
    assert_eq!(sent.status, StatusCode::NO_CONTENT, "{}", sent.text());
    shared.rest(&at).await;
    assert_eq!(shared.seen(&at).await["fields"][0]["shown"], "a.txt");
}

#[tokio::test]
async fn what_is_too_large_empty_or_for_another_field_is_refused() {
    let shared = Shared::new(with_a_file()).await;
    let at = shared.begin().await;
    let photo = format!("{at}/files/photo");
    let large = send(&shared, &photo, "image/png", vec![0; 10 * 1024 * 1024 + 1]).await;
    assert_eq!((large.status, large.code()), (StatusCode::PAYLOAD_TOO_LARGE, "body-too-large".to_owned()));
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
    let shared = Shared::new(with_a_file()).await;
    let at = shared.begin().await;
    let form = "--b\r\ncontent-disposition: form-data; name=\"f.photo\"; filename=\"a.png\"\r\n\r\nPNG!\r\n--b\r\n\
                content-disposition: form-data; name=\"f.name\"\r\n\r\nAda\r\n--b--\r\n";
    let saved = send(&shared, &format!("{at}/form"), "multipart/form-data; boundary=b", form.into()).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.text());
    shared.rest(&at).await;
    let seen = shared.seen(&at).await;
    assert_eq!((&seen["fields"][0]["shown"], &seen["fields"][1]["value"]), (&json!("a.png"), &json!("Ada")), "{seen}");
}

//! What a tool returned, as text for a model: words as they are, everything else by its name.
//!
//! Pictures, sounds and files are not handed on, since nobody here could show them; a structured result is JSON, unless
//! the same stands among the words already.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use super::ServerError;
use crate::run::Output;

/// The text of a result with at most `most` bytes, the middle cut and secrets masked; an error where the tool calls it so.
pub fn text(result: &CallToolResult, most: u64) -> Result<String, ServerError> {
    let mut parts: Vec<String> = result.content.iter().map(part).collect();
    if let Some(structured) = result.structured_content.as_ref().filter(|one| !is_said(result, one)) {
        parts.push(format!("{structured:#}"));
    }
    let mut output = Output::of(most);
    output.take(parts.join("\n").as_bytes());
    let (text, _) = output.read();
    if result.is_error == Some(true) { Err(ServerError::Said { what: text }) } else { Ok(text) }
}

fn part(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("[image {}]", image.mime_type),
        ContentBlock::Audio(audio) => format!("[audio {}]", audio.mime_type),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { uri, .. } | ResourceContents::BlobResourceContents { uri, .. } => {
                format!("[resource {uri}]")
            }
            _ => "[resource]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => format!("[resource {} {}]", link.uri, link.name),
        // The protocol may grow kinds that this build has not heard of.
        _ => "[something this version cannot show]".to_owned(),
    }
}

/// Whether a structured result stands among the words.
fn is_said(result: &CallToolResult, structured: &Value) -> bool {
    result.content.iter().any(|block| match block {
        ContentBlock::Text(text) => serde_json::from_str::<Value>(&text.text).is_ok_and(|said| said == *structured),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(result: Value, most: u64) -> Result<String, ServerError> {
        text(&serde_json::from_value(result).unwrap(), most)
    }

    #[test]
    fn words_are_joined_and_everything_else_is_named() {
        let content = json!([
            { "type": "text", "text": "two files" },
            { "type": "image", "data": "AAAA", "mimeType": "image/png" },
            { "type": "resource", "resource": { "uri": "file:///a", "text": "secret of a" } },
            { "type": "resource_link", "uri": "file:///b", "name": "b" },
        ]);
        let expected = "two files\n[image image/png]\n[resource file:///a]\n[resource file:///b b]";
        assert_eq!(said(json!({ "content": content }), 1_000), Ok(expected.to_owned()));
    }

    #[test]
    fn a_structured_result_is_said_once() {
        let twice = json!({ "content": [{ "type": "text", "text": "{\"n\":1}" }], "structuredContent": { "n": 1 } });
        assert_eq!(said(twice, 1_000), Ok("{\"n\":1}".to_owned()));
        let alone = json!({ "content": [], "structuredContent": { "n": 1 } });
        assert_eq!(said(alone, 1_000), Ok("{\n  \"n\": 1\n}".to_owned()));
    }

    #[test]
    fn what_is_long_is_cut_and_what_failed_is_a_failure() {
        let long = "line\n".repeat(10_000);
        let text = said(json!({ "content": [{ "type": "text", "text": long }] }), 200).unwrap();
        assert!(text.len() < 300 && text.contains("bytes …]"), "{text}");
        let failed = json!({ "content": [{ "type": "text", "text": "no such issue" }], "isError": true });
        assert_eq!(said(failed, 200), Err(ServerError::Said { what: "no such issue".to_owned() }));
    }
}

//! The reference page: the document as people read it, drawn by the server.
//!
//! It shows what the document says and nothing else. What a route is for is said in the reader's language where the
//! catalogue has it, under the route's own name.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::State;
use enza_kernel::text::Lang;
use maud::{Markup, html};
use serde_json::Value;

use crate::access::Caller;
use crate::assets;
use crate::design::{Frame, page};
use crate::state::AppState;
use crate::words::Words;

/// The page.
pub async fn reference(
    State(app): State<AppState>,
    caller: Option<Extension<Caller>>,
    lang: Option<Extension<Lang>>,
) -> Markup {
    let words = Words(lang.map_or(Lang::default(), |Extension(lang)| lang));
    let caller = caller.map(|Extension(caller)| caller);
    let frame = Frame { app: &app, caller: caller.as_ref(), words, invites: true };
    page(&frame, words.say("api.title"), &body(words, &app.document().value))
}

fn body(words: Words, document: &Value) -> Markup {
    html! {
        link rel="stylesheet" href=(assets::address("reference.css"));
        div.reference {
            header {
                h1 { (words.say("api.title")) }
                p { (words.say("api.about")) }
                dl {
                    dt { code { "Authorization: Bearer enza_…" } }
                    dd { (words.say("api.token")) }
                    dt { code { "Idempotency-Key" } }
                    dd { (words.say("api.once")) }
                    dt { a href="/api/openapi.json" { code { "/api/openapi.json" } } }
                    dd { (words.say("api.document")) }
                }
            }
            nav.contents aria-label=(words.say("api.contents")) {
                ul {
                    @for (tag, _) in by_tag(document) { li { a href={ "#" (tag) } { (words.of("api-tag", tag)) } } }
                    li { a href="#schemas" { (words.say("api.schemas")) } }
                }
            }
            div.routes {
                @for (tag, routes) in by_tag(document) {
                    section id=(tag) {
                        h2 { (words.of("api-tag", tag)) }
                        @for route in routes { (drawn(words, &route)) }
                    }
                }
                section.schemas #schemas {
                    h2 { (words.say("api.schemas")) }
                    @for (name, schema) in fields(&document["components"]["schemas"]) {
                        details id={ "schema-" (name) } {
                            summary {
                                code { (name) }
                                @if let Some(about) = schema["description"].as_str() { " — " (about) }
                            }
                            pre tabindex="0" { code { (pretty(schema)) } }
                        }
                    }
                }
            }
        }
    }
}

/// One method at one address.
struct Route<'a> {
    method: &'a str,
    path: &'a str,
    operation: &'a Value,
}

/// The routes by what they are about.
fn by_tag(document: &Value) -> BTreeMap<&str, Vec<Route<'_>>> {
    let mut all: BTreeMap<&str, Vec<Route<'_>>> = BTreeMap::new();
    for (path, methods) in fields(&document["paths"]) {
        for (method, operation) in fields(methods).filter(|(_, operation)| operation["responses"].is_object()) {
            let tag = operation["tags"][0].as_str().unwrap_or("other");
            all.entry(tag).or_default().push(Route { method, path, operation });
        }
    }
    all
}

fn drawn(words: Words, route: &Route<'_>) -> Markup {
    let name = route.operation["operationId"].as_str().unwrap_or_default();
    let summary = route.operation["summary"].as_str().unwrap_or_default();
    let is_known = words.has(&format!("api-route.{name}"));
    html! {
        details.route id=(name) {
            summary {
                span class={ "method " (route.method) } { (route.method.to_uppercase()) }
                span.path { (route.path) }
                span.about { @if is_known { (words.of("api-route", name)) } @else { (summary) } }
            }
            div.route-more {
                (needs(words, &route.operation["security"]))
                (parameters(words, &route.operation["parameters"]))
                (sent(words, &route.operation["requestBody"]["content"]))
                (answers(words, &route.operation["responses"]))
            }
        }
    }
}

/// The scope of a token that may; nothing where only a browser that is signed in may, or anyone.
fn needs(words: Words, security: &Value) -> Markup {
    let ways = security.as_array().map(Vec::as_slice).unwrap_or_default();
    let scope = ways.iter().find_map(|way| way["token"][0].as_str());
    html! { @if let Some(scope) = scope { h3 { (words.say("api.scope")) } p { code { (scope) } } } }
}

fn sent(words: Words, content: &Value) -> Markup {
    html! {
        @if content.is_object() {
            h3 { (words.say("api.body")) }
            @for (kind, media) in fields(content) {
                p { code { (kind) } " " (shape(&media["schema"])) }
                @if !media["example"].is_null() { pre tabindex="0" { code { (pretty(&media["example"])) } } }
            }
        }
    }
}

fn answers(words: Words, responses: &Value) -> Markup {
    html! {
        h3 { (words.say("api.answers")) }
        dl {
            @for (status, response) in fields(responses) {
                dt { code { (status) } }
                dd {
                    (response["description"].as_str().unwrap_or_default())
                    @for (kind, media) in fields(&response["content"]) {
                        @if status.starts_with('2') { " " code { (kind) } " " (shape(&media["schema"])) }
                    }
                }
            }
        }
    }
}

fn parameters(words: Words, parameters: &Value) -> Markup {
    let all = parameters.as_array().map(Vec::as_slice).unwrap_or_default();
    html! {
        @if !all.is_empty() {
            h3 { (words.say("api.parameters")) }
            dl {
                @for one in all {
                    dt {
                        code { (one["name"].as_str().unwrap_or_default()) } " "
                        (words.of("api-place", one["in"].as_str().unwrap_or("query")))
                    }
                    dd { (one["description"].as_str().unwrap_or_default()) }
                }
            }
        }
    }
}

/// A link to the shape that a schema names.
fn shape(schema: &Value) -> Markup {
    let name = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next());
    html! { @if let Some(name) = name { a href={ "#schema-" (name) } { code { (name) } } } }
}

fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

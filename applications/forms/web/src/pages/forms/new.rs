//! The ways to begin a form: from a sentence, from an example, from a file, or from nothing.
//!
//! What was typed comes back where it was not taken. What a file said and a form could not keep is shown before the
//! builder opens, so that nothing is lost in silence.

use axum::Router;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use enza_forms::examples;
use enza_interview::{Form, Remark};
use enza_kernel::conversation::Digest;
use enza_kernel::text::Said;
use enza_runtime::seams::store::SessionId;
use enza_server::access::{Allowed, Caller, ToRead, ToWrite};
use enza_server::actions::IdempotencyKey;
use enza_server::assets;
use enza_server::design::{Field, FieldKind, Tone, Weight, button, field, link_button, notice, section};
use enza_server::extract::FormBody;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use super::builder::style;
use crate::actions::forms::{self, FormSpec};

/// How many labels say what an example asks for.
const LABELS: usize = 5;

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/forms/new", get(show).post(begin))
}

/// A wish to begin, as a form sends it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct NewFormInput {
    /// Which way: `sentence`, `example`, `file`, `blank`.
    way: String,
    sentence: String,
    /// The place of an example.
    example: usize,
    text: String,
    ui_schema: String,
    /// The idempotency key.
    key: String,
}

async fn show(here: PageContext, _allowed: Allowed<ToRead>) -> Markup {
    draw(&here, &NewFormInput::default(), None)
}

async fn begin(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    FormBody(wish): FormBody<NewFormInput>,
) -> Result<Response, Problem> {
    match begun(&here, &allowed.0, &wish).await {
        Ok((id, remarks)) if remarks.is_empty() => Ok(Redirect::to(&format!("/forms/{id}")).into_response()),
        Ok((id, remarks)) => Ok(remarked(&here, &id, &remarks).into_response()),
        Err(problem @ (Problem::Refused(_) | Problem::Text(_))) => {
            Ok((problem.status(), draw(&here, &wish, Some(&problem))).into_response())
        }
        Err(problem) => Err(problem),
    }
}

async fn begun(here: &PageContext, caller: &Caller, wish: &NewFormInput) -> Result<(SessionId, Vec<Remark>), Problem> {
    let language = here.lang();
    let blank = FormSpec { language, ..FormSpec::default() };
    let (new, remarks) = match wish.way.as_str() {
        "sentence" => (FormSpec { sentence: Some(wish.sentence.clone()), ..blank }, Vec::new()),
        "example" => {
            let form = examples(language).into_iter().nth(wish.example).ok_or(Problem::NothingHere)?;
            (FormSpec { form: Some(form), ..blank }, Vec::new())
        }
        "file" => {
            let (form, remarks) = forms::import(&wish.text, &wish.ui_schema)?;
            (FormSpec { form: Some(form), ..blank }, remarks)
        }
        _ => (FormSpec { title: here.words.say("forms.untitled").to_owned(), ..blank }, Vec::new()),
    };
    let NewFormInput { way, sentence, example, text, ui_schema, key } = wish;
    let content = format!("{way}\n{sentence}\n{example}\n{text}\n{ui_schema}");
    let once = if key.is_empty() {
        IdempotencyKey::default()
    } else {
        IdempotencyKey::of(caller.name(), key, &Digest::of(content.as_bytes()))
    };
    Ok((forms::begin(&here.app, caller, new, once).await?, remarks))
}

fn draw(here: &PageContext, wish: &NewFormInput, problem: Option<&Problem>) -> Markup {
    let words = here.words;
    let error = problem.map(|problem| {
        let Said { message, hint } = problem.say(here.lang());
        format!("{message} {hint}")
    });
    let error_at = |way: &str| error.as_deref().filter(|_| wish.way == way);
    let body = html! {
        (style())
        p.kind { a href="/forms" { (words.say("forms.name")) } }
        h1.page-title { (words.say("forms.new")) }
        div.begin-ways {
            (section(words.say("forms.from_sentence"), way("sentence", html! {
                (field(words, &Field {
                    value: &wish.sentence,
                    kind: FieldKind::Area { rows: 3 },
                    hint: Some(words.say("forms.sentence_hint")),
                    error: error_at("sentence"),
                    required: true,
                    ..Field::new("sentence", words.say("forms.sentence"))
                }))
                @if here.app.models().current().understudy { p.hint { (words.say("forms.understudy")) } }
                (button(words.say("forms.write_it"), Weight::Main))
            })))
            (section(words.say("forms.from_example"), html! {
                ul.examples {
                    @for (place, form) in examples(here.lang()).iter().enumerate() {
                        li {
                            (way("example", html! {
                                input type="hidden" name="example" value=(place);
                                div.example {
                                    p.example-title { (form.title) }
                                    p.hint { (labels(form)) }
                                }
                                (button(words.say("forms.use_example"), Weight::Plain))
                            }))
                        }
                    }
                    li {
                        (way("blank", html! {
                            div.example {
                                p.example-title { (words.say("forms.blank")) }
                                p.hint { (words.say("forms.blank_what")) }
                            }
                            (button(words.say("forms.begin_blank"), Weight::Plain))
                        }))
                    }
                }
            }))
            (section(words.say("forms.import"), way("file", html! {
                p.hint { (words.say("forms.import_what")) }
                (picker(words.say("forms.pick_file"), "field-text"))
                (field(words, &Field {
                    value: &wish.text,
                    kind: FieldKind::Area { rows: 8 },
                    error: error_at("file"),
                    required: true,
                    ..Field::new("text", words.say("forms.import_text"))
                }))
                details.fold open[!wish.ui_schema.is_empty()] {
                    summary { (words.say("forms.ui_schema")) }
                    (picker(words.say("forms.pick_file"), "field-ui_schema"))
                    (field(words, &Field {
                        value: &wish.ui_schema,
                        kind: FieldKind::Area { rows: 5 },
                        hint: Some(words.say("forms.ui_schema_hint")),
                        ..Field::new("ui_schema", words.say("forms.ui_schema_text"))
                    }))
                }
                (button(words.say("forms.import_do"), Weight::Plain))
            })))
        }
        script type="module" src=(assets::address("forms.js")) {}
    };
    here.page(words.say("forms.new"), &body)
}

fn way(name: &str, body: Markup) -> Markup {
    html! {
        form.form method="post" action="/forms/new" {
            input type="hidden" name="way" value=(name);
            input type="hidden" name="key" value=(Uuid::now_v7());
            (body)
        }
    }
}

/// Puts a file's text into an entry. It needs a script, so it shows only where there is one.
fn picker(label: &str, into: &str) -> Markup {
    html! {
        label.button.plain.file-picker hidden {
            (label)
            input.aloud type="file" accept=".toml,.json,application/json,application/toml,text/plain" data-reads-into=(into);
        }
    }
}

/// What a form asks for: the first few labels say it.
fn labels(form: &Form) -> String {
    let labels: Vec<&str> = form.fields.iter().take(LABELS).map(|field| field.label.as_str()).collect();
    let more = if form.fields.len() > LABELS { " …" } else { "" };
    format!("{}{more}", labels.join(" · "))
}

/// What could not be carried over, before the builder opens.
fn remarked(here: &PageContext, id: &SessionId, remarks: &[Remark]) -> Markup {
    let words = here.words;
    let body = html! {
        (style())
        p.kind { a href="/forms" { (words.say("forms.name")) } }
        h1.page-title { (words.say("forms.imported")) }
        (notice(Tone::Warn, words.say("forms.remarks"), words.say("forms.remarks_what")))
        ul.remarks { @for remark in remarks { li { (remark.say(here.lang())) } } }
        div.row { (link_button(&format!("/forms/{id}"), words.say("forms.to_builder"), Weight::Main)) }
    };
    here.page(words.say("forms.imported"), &body)
}

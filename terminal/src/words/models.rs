//! What the commands about models say.

use enza_kernel::text::Lang;
use enza_models::choice::{ChoiceReason, Chosen, ModelRef};
use enza_models::local::pull::{Progress, Source, Step};
use enza_models::probe::Skill;

use crate::screen::{Screen, bytes, gauge, span};

/// A model by name; the understudy says what it is.
pub fn name(lang: Lang, pick: &ModelRef) -> String {
    match pick {
        ModelRef::Understudy => understudy(lang).to_owned(),
        ModelRef::Local { .. } | ModelRef::Hosted { .. } => pick.to_string(),
    }
}

/// What the understudy is always shown as.
pub fn understudy(lang: Lang) -> &'static str {
    lang.pick("understudy(代役、モデルなし)", "understudy (no model)")
}

/// Who answers, for the head of a conversation.
pub fn who(lang: Lang, chosen: &Chosen) -> String {
    format!("{} · {}", name(lang, &chosen.pick), because(lang, &chosen.because))
}

/// Why a model was chosen.
pub fn because(lang: Lang, because: &ChoiceReason) -> String {
    match because {
        ChoiceReason::Typed => lang.pick("--model の指定", "from --model").to_owned(),
        ChoiceReason::Variable => lang.pick("環境変数 ENZA_MODEL", "from ENZA_MODEL").to_owned(),
        ChoiceReason::Config => lang.pick("config.toml の指定", "from config.toml").to_owned(),
        ChoiceReason::Key { variable } => {
            lang.pick(format!("{variable} があるため"), format!("because {variable} is set"))
        }
        ChoiceReason::OnDisk => lang.pick("ディスクにあるため", "because it is on disk").to_owned(),
        ChoiceReason::NothingElse => lang.pick("ほかにないため", "for want of anything else").to_owned(),
        ChoiceReason::ForShow => lang.pick("この案内のため", "for this tour").to_owned(),
    }
}

/// How to get a real model.
pub fn how_to_get_one(lang: Lang) -> &'static str {
    lang.pick(
        "本物のモデルを使うには: enza model pull(この機械で、キー不要)、または ANTHROPIC_API_KEY などのキーを設定",
        "For a real model: enza model pull (on this machine, no key), or set a key such as ANTHROPIC_API_KEY",
    )
}

/// Heads of the list.
pub fn heads(lang: Lang) -> [&'static str; 3] {
    lang.pick(["使うモデル", "この機械のモデル", "提供元"], ["in use", "on this machine", "providers"])
}

/// What stands where no weights are.
pub fn no_weights(lang: Lang) -> &'static str {
    lang.pick("まだありません。enza model pull で取り込みます", "none yet; enza model pull brings some")
}

/// What is known of the server program.
pub fn server(lang: Lang, program: Option<&str>) -> String {
    match program {
        Some(program) => program.to_owned(),
        None => lang.pick("なし(enza model pull server)", "none (enza model pull server)").to_owned(),
    }
}

/// Whether weights were checked.
pub fn checked(lang: Lang, is_checked: bool) -> &'static str {
    if is_checked { lang.pick("確認済み", "checked") } else { lang.pick("未確認", "not checked yet") }
}

/// How a provider stands.
pub fn key_state(lang: Lang, variable: Option<&str>, has_key: bool) -> String {
    match (variable, has_key) {
        (Some(_), true) => lang.pick("キーあり", "key found").to_owned(),
        (Some(variable), false) => lang.pick(format!("キーなし({variable})"), format!("no key ({variable})")),
        (None, _) => lang.pick("キー不要", "needs no key").to_owned(),
    }
}

/// That a model is used from now on.
pub fn in_use(lang: Lang, name: &str, file: &str) -> String {
    lang.pick(format!("これからは {name} を使います({file})。"), format!("{name} is used from now on ({file})."))
}

/// How far a pull has come, on one line.
pub fn progress(screen: &Screen, progress: &Progress, rate: Option<u64>, left: Option<std::time::Duration>) -> String {
    let Progress { what, done_bytes, total_bytes, step, .. } = progress;
    let lang = screen.lang;
    let share = (done_bytes * 100).checked_div(*total_bytes).unwrap_or(0);
    let cells = if screen.width() < 90 { 16 } else { 28 };
    let start = format!("{what}  {}  {share:>3} %", gauge(*done_bytes, *total_bytes, cells));
    match step {
        Step::Fetching => {
            let amount = format!("{} / {}", bytes(*done_bytes), bytes(*total_bytes));
            let rate = rate.filter(|rate| *rate > 0).map_or(String::new(), |rate| format!("  {}/s", bytes(rate)));
            let left = left.map_or(String::new(), |left| {
                lang.pick(format!("  残り {}", span(left)), format!("  {} left", span(left)))
            });
            format!("{start}  {amount}{rate}{left}")
        }
        Step::Checking => format!("{start}  {}", lang.pick("SHA-256 を確認中", "checking its SHA-256")),
        Step::Placed => start,
    }
}

/// A pull that begins, for those who see no bar.
pub fn begins(lang: Lang, progress: &Progress) -> String {
    let from = source(&progress.source);
    let size = bytes(progress.total_bytes);
    lang.pick(
        format!("{} を取り込みます({size}、{from})", progress.what),
        format!("Pulling {} ({size}) from {from}", progress.what),
    )
}

/// A pull that is done.
pub fn pulled(lang: Lang, what: &str, size: u64, path: &str, was_there: bool) -> String {
    let size = bytes(size);
    if was_there {
        return lang.pick(
            format!("{what} はもうあります({size}、{path})。"),
            format!("{what} is there already ({size}, {path})."),
        );
    }
    lang.pick(
        format!("{what} を取り込み、SHA-256 を確かめました({size}、{path})。"),
        format!("{what} is here, its SHA-256 checked ({size}, {path})."),
    )
}

/// What to do with it.
pub fn then(lang: Lang, name: &str) -> String {
    lang.pick(
        format!("次に: enza model test local/{name}  または  enza model use local/{name}"),
        format!("next: enza model test local/{name}   or   enza model use local/{name}"),
    )
}

/// Whether to remove weights.
pub fn really_remove(lang: Lang, name: &str) -> String {
    lang.pick(format!("ローカルモデル {name} を削除しますか? [y/N] "), format!("Remove the local model {name}? [y/N] "))
}

/// That weights are gone.
pub fn removed(lang: Lang, name: &str, freed: u64) -> String {
    lang.pick(
        format!("{name} を削除し、{} 空けました。", bytes(freed)),
        format!("{name} is gone: {} freed.", bytes(freed)),
    )
}

/// That nothing was done.
pub fn kept(lang: Lang) -> &'static str {
    lang.pick("何もしませんでした。", "Nothing was done.")
}

/// A skill by name.
pub fn skill(lang: Lang, skill: Skill) -> &'static str {
    match skill {
        Skill::Plain => lang.pick("応答", "plain reply"),
        Skill::Streaming => lang.pick("逐次の応答", "streaming"),
        Skill::ToolCall => lang.pick("ツール呼び出し", "tool call"),
        Skill::Schema => lang.pick("スキーマ出力", "schema"),
        Skill::Japanese => lang.pick("日本語", "Japanese"),
        Skill::Cache => lang.pick("キャッシュ", "cache"),
    }
}

/// A skill's word in JSON.
pub fn skill_key(skill: Skill) -> &'static str {
    match skill {
        Skill::Plain => "plain",
        Skill::Streaming => "streaming",
        Skill::ToolCall => "tool_call",
        Skill::Schema => "schema",
        Skill::Japanese => "japanese",
        Skill::Cache => "cache",
    }
}

/// What is measured.
pub fn measures(lang: Lang) -> [&'static str; 3] {
    lang.pick(["最初の語まで", "書く速さ", "使用量"], ["first token", "speed", "used"])
}

/// Tokens a second.
pub fn speed(lang: Lang, tokens_per_second: Option<f64>) -> String {
    match tokens_per_second {
        Some(speed) => lang.pick(format!("毎秒 {speed:.1} トークン"), format!("{speed:.1} tokens/s")),
        None => "–".to_owned(),
    }
}

/// Tokens, and what they cost.
pub fn spent(lang: Lang, tokens: u64, cost: u64) -> String {
    let money = if cost == 0 { String::new() } else { format!(", ${:.4}", cost as f64 / 1e6) };
    lang.pick(format!("{tokens} トークン{money}"), format!("{tokens} tokens{money}"))
}

/// That a model is being tried.
pub fn trying(lang: Lang, what: &str) -> String {
    lang.pick(format!("{what} を試しています…"), format!("trying {what} …"))
}

fn source(source: &Source) -> String {
    match source {
        Source::Hub { address } => address.clone(),
        Source::Wheel { package } => format!("pip {package}"),
    }
}

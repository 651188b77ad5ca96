//! What a rehearsal says.

use enza_kernel::text::Lang;
use enza_terminal::screen::{Columns, Screen, clip, fold, span};
use enza_terminal::setup::short_id;

use crate::rehearse::{Miss, RehearsalOutcome, RehearsalResult, Sums, ratio};

/// One respondent is through.
pub fn played(screen: &Screen, played: &RehearsalResult, nth: usize, of: usize) -> String {
    let mark = match played.outcome {
        RehearsalOutcome::Completed if played.misses.is_empty() => screen.paint.good("✓"),
        RehearsalOutcome::Completed => screen.paint.warn("✓"),
        RehearsalOutcome::Unfinished { .. } | RehearsalOutcome::Stuck { .. } | RehearsalOutcome::Endless => {
            screen.paint.bad("✗")
        }
    };
    let took = span(played.took);
    let head = format!(
        "{mark} {nth}/{of} {}  {}",
        played.name,
        screen.paint.faint(&format!("{}  {took}", short_id(&played.session)))
    );
    let why = why(screen.lang, &played.outcome);
    let lines = why.into_iter().chain(played.misses.iter().map(|miss| missed(screen.lang, miss)));
    let lines = lines.flat_map(|line| fold(&clip(&line, 240), screen.width().saturating_sub(4)));
    std::iter::once(head).chain(lines.map(|line| format!("    {line}"))).collect::<Vec<_>>().join("\n")
}

fn why(lang: Lang, outcome: &RehearsalOutcome) -> Option<String> {
    match outcome {
        RehearsalOutcome::Completed => None,
        RehearsalOutcome::Unfinished { labels } => {
            let labels = labels.join(lang.pick("、", ", "));
            Some(
                lang.pick(
                    format!("必須の項目が残りました: {labels}"),
                    format!("required fields stayed open: {labels}"),
                ),
            )
        }
        RehearsalOutcome::Stuck { why } => Some(why.clone()),
        RehearsalOutcome::Endless => Some(lang.pick("やりとりが多すぎます。", "There were too many turns.").to_owned()),
    }
}

fn missed(lang: Lang, miss: &Miss) -> String {
    let Miss { field, meant, came } = miss;
    let none = lang.pick("なし", "nothing");
    let or_none = |text: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
    let (meant, came) = (or_none(meant), or_none(came));
    lang.pick(format!("{field}: 正解 {meant}、結果 {came}"), format!("{field}: {meant} was meant, {came} came of it"))
}

/// All of them in a table.
pub fn table(screen: &Screen, all: &[RehearsalResult]) -> Vec<String> {
    let head = screen.pick(
        ["回答者", "完了", "項目", "誤り", "発言/項目", "呼出/項目", "トークン", "秒"],
        ["respondent", "done", "fields", "wrong", "turns/field", "calls/field", "tokens", "seconds"],
    );
    let mut columns = Columns::new(&head);
    for one in all {
        columns.row([
            one.name.clone(),
            outcome(screen.lang, &one.outcome).to_owned(),
            one.fields.to_string(),
            one.misses.len().to_string(),
            format!("{:.1}", ratio(one.turns as f64, one.fields)),
            format!("{:.1}", ratio(one.calls as f64, one.fields)),
            one.tokens.to_string(),
            format!("{:.0}", one.took.as_secs_f64()),
        ]);
    }
    columns.lines(screen.width())
}

fn outcome(lang: Lang, outcome: &RehearsalOutcome) -> &'static str {
    match outcome {
        RehearsalOutcome::Completed => lang.pick("はい", "yes"),
        RehearsalOutcome::Unfinished { .. } => lang.pick("未完", "no"),
        RehearsalOutcome::Stuck { .. } => lang.pick("停止", "stuck"),
        RehearsalOutcome::Endless => lang.pick("打切", "endless"),
    }
}

/// Everything together.
pub fn sums(screen: &Screen, sums: &Sums) -> String {
    let Sums { respondents, completed, fields, wrong, seconds, .. } = sums;
    let (turns, calls, tokens) = (sums.turns_per_field(), sums.calls_per_field(), sums.tokens_per_form());
    let text = screen.pick(
        format!(
            "\n{respondents}人中{completed}人が完了。{fields}項目のうち誤り{wrong}。1項目あたり発言{turns:.1}回、モデルの呼び出し{calls:.1}回。\
             完了した1件あたり{tokens:.0}トークン。{seconds:.0}秒。"
        ),
        format!(
            "\n{completed} of {respondents} completed; {wrong} of {fields} fields wrong; {turns:.1} turns and {calls:.1} model \
             calls a field; {tokens:.0} tokens for each completed form; {seconds:.0} seconds."
        ),
    );
    fold(&text, screen.width()).join("\n")
}

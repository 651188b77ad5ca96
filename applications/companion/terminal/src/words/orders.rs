//! What can be typed at the companion's keyboard, and what is said where an order is wrong.

use enza_companion::{Event, Note};
use enza_kernel::text::{Lang, Said};
use enza_terminal::screen::{Screen, fold, pad, width};

use super::words;
use crate::headless_orders::Misplaced;

/// What is said of an event, with the orders behind it that do what it speaks of.
pub fn with_orders(lang: Lang, event: &Event, text: &str) -> String {
    let Event::Noted { note, .. } = event else { return text.to_owned() };
    let orders = match note {
        Note::Loop | Note::Idle | Note::RoundsSpent { .. } => &["/reset"][..],
        Note::GivenUp { .. } | Note::ChecksFailed { .. } => &["/undo", "/reset"],
        Note::BudgetEnded { .. } => &["/budget N"],
        Note::NoModel { .. } => &["/retry"],
        Note::AwaitsAcceptance | Note::PlanAwaits => &["/accept"],
        Note::NotKept { .. } => &["/rules", "/lift"],
        Note::Mismatch(_)
        | Note::Doubt(_)
        | Note::Denied { .. }
        | Note::Failed { .. }
        | Note::Unknown { .. }
        | Note::ChangedSince { .. }
        | Note::PutBack { .. }
        | Note::TooLong { .. }
        | Note::Took { .. }
        | Note::PatternMissing => return text.to_owned(),
    };
    format!("{text} ({})", lang.list(orders))
}

/// Why a command was refused and what to do next, with the order behind it that shows what it speaks of.
pub fn refused(code: &str, message: &str, hint: &str) -> String {
    let order = match code {
        "no-such-task" => " (/tasks)",
        "no-such-turn" => " (/turns)",
        _ => "",
    };
    format!("{message} {hint}{order}")
}

/// What can be typed.
pub fn help(screen: &Screen, recipes: &[String]) -> String {
    const ALL: [(&str, &str); 36] = [
        ("!…", "interrupt"),
        ("?…", "aside"),
        ("@FILE @DIR/", "attach"),
        ("/plan /ask /edits", "plan"),
        ("/tasks", "tasks"),
        ("/watch [N]", "watch"),
        ("/stop [N]", "stop"),
        ("/back", "back"),
        ("/front N", "front"),
        ("/turns", "turns"),
        ("/undo [N]", "undo"),
        ("/fork N", "fork"),
        ("/rewind [N]", "rewind"),
        ("/accept", "accept"),
        ("/commit [MESSAGE]", "commit"),
        ("/reset", "reset"),
        ("/retry", "retry"),
        ("/rules", "rules"),
        ("/allow /deny RULE", "allow"),
        ("/forget N", "forget"),
        ("/forbid TEXT", "forbid"),
        ("/lift N", "lift"),
        ("/settings", "settings"),
        ("/mind [ITEM TEXT]", "mind"),
        ("/why", "why"),
        ("/context /prompt", "context"),
        ("/cost /budget N", "cost"),
        ("/compact", "compact"),
        ("/model [[ROLE] NAME]", "model"),
        ("/servers", "servers"),
        ("/edit", "edit"),
        ("/export [log]", "export"),
        ("/rename TITLE", "rename"),
        ("/sessions [TEXT]", "sessions"),
        ("/map", "map"),
        ("/quit", "quit"),
    ];
    let own = |name: &String| (format!("/{name}"), words(screen.lang).say("orders.of_your_own").to_owned());
    let rows = ALL.map(|(order, key)| (order.to_owned(), words(screen.lang).of("typed", key).to_owned()));
    let rows: Vec<(String, String)> = rows.into_iter().chain(recipes.iter().map(own)).collect();
    let keys = words(screen.lang).say("orders.keys");
    let keys = fold(keys, screen.width()).join("\n");
    format!("{}\n{}", listed(screen, &rows), screen.paint.faint(&keys))
}

/// Names and what stands behind them, all of it: below its name where the window is narrow.
pub fn listed(screen: &Screen, rows: &[(String, String)]) -> String {
    const LEAST: usize = 30;
    let column = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0) + 2;
    let is_narrow = screen.width() < column + LEAST;
    let indent = if is_narrow { 4 } else { column };
    let mut lines = Vec::new();
    for (name, text) in rows {
        let folded = fold(text, screen.width().saturating_sub(indent));
        let first = if is_narrow { "" } else { folded.first().map_or("", String::as_str) };
        lines.push(format!("{}{first}", pad(name, indent)).trim_end().to_owned());
        let rest = folded.iter().skip(usize::from(!is_narrow));
        lines.extend(rest.map(|line| format!("{}{line}", " ".repeat(indent))));
    }
    lines.join("\n")
}

/// An order with something wrong behind it.
pub fn unfit(lang: Lang, order: &str) -> String {
    let usage = match order {
        "/allow" | "/deny" => format!("{order} [--project] change src/**  ·  {order} run cargo test *"),
        "/forbid" => "/forbid src/auth".to_owned(),
        "/model" => words(lang).say("orders.unfit_model").to_owned(),
        "/mind" => words(lang).say("orders.unfit_mind").to_owned(),
        "/export" => "/export [md|log]".to_owned(),
        _ => words(lang).fill("orders.unfit_many", &[("order", &order)]),
    };
    words(lang).fill("orders.usage", &[("usage", &usage)])
}

/// An order that there is not.
pub fn unknown(lang: Lang, order: &str) -> String {
    let gap = lang.pick("", " ");
    format!("{}{gap}{}", no_such(lang, order), listed_by(lang))
}

/// An order that cannot be obeyed where there is no keyboard.
pub fn misplaced(lang: Lang, misplaced: &Misplaced) -> Said {
    let message = match misplaced {
        Misplaced::Unknown(order) => no_such(lang, order),
        Misplaced::Unfit(order) => words(lang).fill("orders.misplaced_unfit", &[("order", &order)]),
        Misplaced::AtKeyboard(order) => words(lang).fill("orders.misplaced_at_keyboard", &[("order", &order)]),
        Misplaced::Instead(order, _) => words(lang).fill("orders.misplaced_instead", &[("order", &order)]),
        Misplaced::NoSession => words(lang).say("orders.misplaced_no_session").to_owned(),
    };
    let hint = match misplaced {
        Misplaced::Unknown(_) => listed_by(lang),
        Misplaced::Unfit(order) => unfit(lang, order),
        Misplaced::AtKeyboard(_) => words(lang).say("orders.misplaced_at_keyboard_hint").to_owned(),
        Misplaced::Instead(_, instead) => words(lang).fill("orders.misplaced_instead_hint", &[("instead", &instead)]),
        Misplaced::NoSession => words(lang).say("orders.misplaced_no_session_hint").to_owned(),
    };
    Said::new(message, hint)
}

fn no_such(lang: Lang, order: &str) -> String {
    words(lang).fill("orders.no_such", &[("order", &order)])
}

fn listed_by(lang: Lang) -> String {
    words(lang).say("orders.listed_by").to_owned()
}

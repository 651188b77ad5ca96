//! The markup of a timeline: lanes with their names, a thread through all marks, the marks, ticks, and a strip of the whole.
//!
//! The names of lanes are a drawing of their own, so that they stay when the rest is scrolled. Every mark is a link with
//! a title, and its whole cell can be clicked.

use enza_kernel::about::About;
use enza_runtime::seams::store::SessionId;
use maud::{Markup, html};

use super::scene::{Lane, Mark, MarkKind, Scene};
use super::view::{PlacedMark, View};
use crate::drawing::figures;
use crate::drawing::text_width::fitted;
use crate::words::Words;

/// The width of the lanes' names.
const NAMES: f64 = 112.0;
/// Into how many pieces the strip of the whole is divided at most.
const PIECES: u64 = 120;

/// Where marks lead, and which sessions leave from here.
pub struct TimelineLinks<'a> {
    /// Where an event is looked at.
    pub to_event: &'a dyn Fn(u64) -> String,
    /// Sessions that were forked from this one, by their last shared event.
    pub forks: &'a [(SessionId, u64)],
    /// Where a fork is looked at.
    pub to_fork: &'a dyn Fn(&SessionId, u64) -> String,
}

/// The drawing.
pub fn timeline(words: Words, about: About<'_>, view: &View<'_>, links: &TimelineLinks<'_>) -> Markup {
    let (top, bottom) = view.floor();
    html! {
        figure.timeline aria-label=(words.say("inspector.timeline")) {
            (names(words, about, view))
            div.timeline-scroll tabindex="0" role="group" aria-label=(words.say("inspector.timeline_scroll")) {
                svg.timeline-drawing width=(view.width) height=(view.height) viewBox={ "0 0 " (view.width) " " (view.height) } {
                    (grounds(view))
                    (pointer(view, top, bottom))
                    @for gate in view.passing.iter().chain(&view.marks).filter(|placed| placed.mark.sort == MarkKind::Gate) {
                        rect.tl-wait x=(gate.from) y=(top) width=((gate.to - gate.from).max(0.0)) height=(bottom - top) {}
                    }
                    path.tl-thread d=(thread(&view.marks)) {}
                    @for placed in &view.passing { (span(placed)) }
                    @for placed in &view.marks { (one(words, about, view, placed, links)) }
                    @for (fork, at) in links.forks { @if (view.first..=view.last).contains(at) { (branch(words, view, fork, *at, links)) } }
                    (ticks(words, view, bottom))
                }
            }
            @if view.last - view.first + 1 < view.scene.marks.len() as u64 { (strip(words, view, links)) }
        }
    }
}

/// What a mark is called: its number, what happened, whose it is, what it took.
fn title(words: Words, about: About<'_>, scene: &Scene, mark: &Mark) -> String {
    let mut title = format!("{} · {}", mark.seq, mark.kind);
    if let Some(step) = mark.step {
        title = format!("{title} · {}", words.of("inspector-step", step));
    }
    if let Some(Lane::Agent { name, .. }) = scene.lanes.get(mark.lane) {
        title = format!("{title} · {}", about.agent(name, words.0));
    }
    if let Some(tool) = &mark.tool {
        title = format!("{title} · {tool}");
    }
    if let Some(tokens) = mark.tokens {
        let count = words.fill("inspector.tokens", &[("count", &figures::count(tokens))]);
        title = format!("{title} · {count}");
    }
    if let Some(text) = &mark.text {
        let start: String = text.chars().take(120).collect();
        title = format!("{title}\n{start}");
    }
    title
}

/// What a lane is called.
pub fn lane_name(words: Words, about: About<'_>, lane: &Lane) -> String {
    match lane {
        Lane::People => words.say("inspector.lane_people").to_owned(),
        Lane::Session => words.say("inspector.lane_session").to_owned(),
        Lane::Agent { name, nth: 0 } => about.agent(name, words.0).to_owned(),
        Lane::Agent { name, nth } => format!("{} {}", about.agent(name, words.0), nth + 1),
    }
}

fn names(words: Words, about: About<'_>, view: &View<'_>) -> Markup {
    html! {
        svg.timeline-names width=(NAMES) height=(view.height) viewBox={ "0 0 " (NAMES) " " (view.height) } aria-hidden="true" {
            @for (lane, y) in &view.lanes {
                text.tl-name x=(NAMES - 12.0) y=(y + 4.0) text-anchor="end" { (fitted(&lane_name(words, about, lane), NAMES - 16.0, 13.0)) }
            }
        }
    }
}

fn grounds(view: &View<'_>) -> Markup {
    html! { @for (_, y) in &view.lanes { line.tl-lane x1="0" y1=(y) x2=(view.width) y2=(y) {} } }
}

/// The light on the selected event.
fn pointer(view: &View<'_>, top: f64, bottom: f64) -> Markup {
    let x = view.x(view.selected) - view.step / 2.0;
    html! { rect.tl-light x=(x) y=(top) width=(view.step) height=(bottom - top) rx="3" {} }
}

/// A line through all marks in the order of their events, so that the eye can follow who handed on to whom.
fn thread(marks: &[PlacedMark<'_>]) -> String {
    let mut path = String::new();
    for pair in marks.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        let middle = f64::midpoint(a.x, b.x);
        path += &format!("M{} {}C{middle} {} {middle} {} {} {}", a.x, a.y, a.y, b.y, b.x, b.y);
    }
    path
}

fn one(words: Words, about: About<'_>, view: &View<'_>, placed: &PlacedMark<'_>, links: &TimelineLinks<'_>) -> Markup {
    let mark = placed.mark;
    let is_lit = mark.seq == view.selected;
    let title = title(words, about, view.scene, mark);
    html! {
        a.tl-mark.is-lit[is_lit].is-bad[mark.is_bad] href=((links.to_event)(mark.seq)) aria-label=(title) aria-current=[is_lit.then_some("true")] data-seq=(mark.seq) {
            title { (title) }
            rect.tl-cell x=(placed.x - view.step / 2.0) y=(placed.y - 18.0) width=(view.step) height="36" rx="4" {}
            (span(placed))
            (sign(placed))
        }
    }
}

/// The span of a mark: what it is about took from here to there.
fn span(placed: &PlacedMark<'_>) -> Markup {
    let PlacedMark { mark, y, from, to, .. } = placed;
    let length = (to - from).max(0.0);
    html! {
        @match mark.sort {
            MarkKind::Reply if length > 0.0 => { rect.tl-reply x=(from) y=(y - 5.0) width=(length) height="10" rx="5" {} }
            MarkKind::Run if length > 0.0 => { line.tl-run-span x1=(from) y1=(y) x2=(to) y2=(y) {} }
            MarkKind::Wait if length > 0.0 => { line.tl-wait-span x1=(from) y1=(y) x2=(to) y2=(y) {} }
            MarkKind::Gate if length > 0.0 => { line.tl-gate-span x1=(from) y1=(y) x2=(to) y2=(y) {} }
            MarkKind::Reply | MarkKind::Run | MarkKind::Wait | MarkKind::Gate | MarkKind::Person | MarkKind::Step | MarkKind::Fact => {}
        }
    }
}

fn sign(placed: &PlacedMark<'_>) -> Markup {
    let PlacedMark { mark, x, y, from, .. } = placed;
    if mark.is_bad {
        let d = format!("M{} {}l9 9m0 -9l-9 9", x - 4.5, y - 4.5);
        return html! { circle.tl-bad-ground cx=(x) cy=(y) r="8" {} path.tl-bad d=(d) {} };
    }
    match mark.sort {
        MarkKind::Reply => {
            let middle = f64::midpoint(*from, *x);
            html! {
                circle.tl-reply-end cx=(x) cy=(y) r="5.5" {}
                @if let Some(tokens) = mark.tokens.filter(|tokens| *tokens > 0) {
                    text.tl-tokens x=(middle) y=(y - 10.0) text-anchor="middle" { (figures::short(tokens)) }
                }
            }
        }
        MarkKind::Run => html! { rect.tl-run x=(x - 4.5) y=(y - 4.5) width="9" height="9" rx="1.5" {} },
        MarkKind::Wait => html! { circle.tl-wait-end cx=(x) cy=(y) r="4.5" {} },
        MarkKind::Gate => {
            let d = format!("M{x} {}l8 8l-8 8l-8 -8z", y - 8.0);
            html! { path.tl-gate d=(d) {} }
        }
        MarkKind::Person => html! { circle.tl-person cx=(x) cy=(y) r="6.5" {} },
        MarkKind::Step => html! { circle.tl-step cx=(x) cy=(y) r="3.5" {} },
        MarkKind::Fact => html! { rect.tl-fact x=(x - 1.5) y=(y - 6.0) width="3" height="12" rx="1.5" {} },
    }
}

/// A fork leaves upwards from where it was made.
fn branch(words: Words, view: &View<'_>, fork: &SessionId, at: u64, links: &TimelineLinks<'_>) -> Markup {
    let (top, _) = view.floor();
    let x = view.x(at) + view.step / 2.0;
    let short: String = fork.as_str().chars().rev().take(4).collect::<Vec<_>>().into_iter().rev().collect();
    let title = words.fill("inspector.fork_leaves", &[("fork", fork.as_str()), ("at", &at.to_string())]);
    let d = format!("M{x} {}C{x} {} {x} 12 {} 12", top + 20.0, top - 2.0, x + 10.0);
    html! {
        a.tl-fork href=((links.to_fork)(fork, at)) aria-label=(title) {
            title { (title) }
            path.tl-branch d=(d) {}
            text.tl-fork-name x=(x + 13.0) y="16" { "…" (short) }
        }
    }
}

fn ticks(words: Words, view: &View<'_>, bottom: f64) -> Markup {
    html! {
        g.tl-ticks aria-hidden="true" {
            line.tl-axis x1="0" y1=(bottom) x2=(view.width) y2=(bottom) {}
            @for seq in view.ticks() {
                line.tl-axis x1=(view.x(seq)) y1=(bottom) x2=(view.x(seq)) y2=(bottom + 4.0) {}
                text.tl-number x=(view.x(seq)) y=(bottom + 16.0) text-anchor="middle" { (seq) }
            }
            @for (seq, after) in view.times(words.0) {
                text.tl-time x=(view.x(seq)) y=(bottom + 32.0) text-anchor=(if seq == view.first { "start" } else { "middle" }) {
                    "+" (after)
                }
            }
        }
    }
}

/// The whole session in a strip, of which the window is a part.
fn strip(words: Words, view: &View<'_>, links: &TimelineLinks<'_>) -> Markup {
    let total = view.scene.marks.len() as u64;
    let pieces = total.min(PIECES);
    let place = |seq: u64| (seq - 1) as f64 / total as f64 * 1_000.0;
    html! {
        svg.timeline-strip viewBox="0 0 1000 28" preserveAspectRatio="none" role="group" aria-label=(words.say("inspector.strip")) {
            rect.strip-ground x="0" y="0" width="1000" height="28" {}
            @for piece in 0..pieces {
                @let (from, to) = (piece * total / pieces, (piece + 1) * total / pieces);
                @let middle = u64::midpoint(from, to) + 1;
                @let title = words.fill("inspector.strip_piece", &[("from", &(from + 1).to_string()), ("to", &to.to_string())]);
                a href=((links.to_event)(middle.min(total))) aria-label=(title) tabindex=[(piece % 10 != 0).then_some("-1")] {
                    title { (title) }
                    (strip_piece(&view.scene.marks[from as usize..to as usize], place(from + 1), 1_000.0 / pieces as f64))
                }
            }
            rect.strip-window x=(place(view.first)) y="0.5" width=(place(view.last) - place(view.first) + 1_000.0 / total as f64) height="27" {}
            rect.strip-light x=(place(view.selected)) y="0" width=((1_000.0 / total as f64).max(2.5)) height="28" {}
        }
    }
}

/// What stands out in a piece of the session.
fn strip_piece(marks: &[Mark], x: f64, width: f64) -> Markup {
    let class = match marks.iter().map(|mark| (mark.is_bad, mark.sort)).max() {
        Some((true, _)) => "strip-piece bad",
        Some((false, MarkKind::Gate)) => "strip-piece gate",
        Some((false, MarkKind::Person)) => "strip-piece person",
        Some((false, MarkKind::Reply)) => "strip-piece reply",
        Some((false, MarkKind::Run | MarkKind::Wait)) => "strip-piece run",
        Some((false, MarkKind::Step | MarkKind::Fact)) | None => "strip-piece",
    };
    let replies = marks.iter().filter(|mark| mark.sort == MarkKind::Reply).count();
    let height = 8.0 + 14.0 * (replies as f64 / marks.len().max(1) as f64).min(0.5) * 2.0;
    html! { rect class=(class) x=(x) y=(28.0 - height - 2.0) width=((width - 1.0).max(0.5)) height=(height) {} }
}

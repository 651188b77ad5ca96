//! The page of a session, whoever looks at it: its layout, and the parts of it that change.
//!
//! It is drawn whole by the server. `session.js` follows the page's feed and asks for its news, drawn by the same functions
//! under the same names, so a page that was kept up to date looks as one that was loaded anew. What belongs to one
//! application or one kind of viewer comes in through slots.

use enza_kernel::about::About;
use enza_kernel::time::Seq;
use maud::{Markup, html};
use serde::Deserialize;

use super::composer::{Composer, UnsentWords, composer};
use super::viewer::{Viewer, Voices};
use super::{conversation, gate, lines, offers};
use crate::actions::sessions::{SessionView, place};
use crate::assets;
use crate::pages::PageContext;
use crate::problem::Problem;

/// A session's page for one who looks at it.
pub struct TalkPage<'a> {
    pub viewer: &'a Viewer,
    pub view: &'a SessionView,
    /// What was typed and not taken.
    pub unsent: &'a UnsentWords,
    pub slots: TalkSlots,
}

/// What whoever shows the page puts into it.
pub struct TalkSlots {
    /// What the page is called, and the ways from it.
    pub head: Markup,
    /// How far it has come, or where it stands.
    pub standing: Markup,
    /// What is to be known before reading on.
    pub notice: Markup,
    /// Ways to answer, above the place to write.
    pub turn: Markup,
    pub composer: Composer,
    pub aside: Aside,
    /// Whether there is another page by now in the place of this.
    pub is_over: bool,
}

/// What stands beside the conversation.
pub struct Aside {
    pub label: &'static str,
    pub fold: AsideFold,
    pub body: Markup,
}

/// Where it goes on a narrow screen.
pub enum AsideFold {
    /// It is folded under its label, with the gist beside that.
    Gist(Markup),
    /// It is a sheet that is drawn up by a button in the head (`data-panel`), and closed by one with this label.
    Sheet(&'static str),
}

/// Which part of the conversation to show.
#[derive(Debug, Default, Deserialize)]
pub struct ConversationQuery {
    /// The last event of an older stretch.
    before: Option<u64>,
}

/// Where the reader is.
#[derive(Debug, Deserialize)]
pub struct NewsQuery {
    /// The last event seen.
    after: u64,
}

impl ConversationQuery {
    /// Up to where; none for now.
    pub fn end(&self) -> Option<Seq> {
        self.before.map(place)
    }
}

impl NewsQuery {
    /// After which event there may be news.
    pub fn place(&self) -> Seq {
        place(self.after)
    }
}

/// What the body of the page holds: up to an event where that is asked for, else up to now.
pub async fn talk_page(here: &PageContext, page: &TalkPage<'_>, before: Option<Seq>) -> Result<Markup, Problem> {
    let TalkPage { viewer, view, slots, .. } = page;
    let words = viewer.words;
    let end = before.unwrap_or(view.row.head).min(view.row.head);
    let stretch = lines::lines_before(&here.app, &view.reading, end, here.lang()).await?;
    let is_now = end == view.row.head;
    let about = here.app.about(&view.row.application);
    Ok(html! {
        div.talk #talk data-at=(viewer.page()) data-head=(view.row.head) data-live[is_now]
            data-keeps=(viewer.keeping().word()) data-lost=(words.say("session.lost")) data-back=(words.say("session.back"))
            data-gone=(viewer.gone()) data-signed-out=(viewer.signed_out()) data-too-long=(words.say("session.too_long")) {
            header.talk-head {
                (slots.head)
                div #standing { (slots.standing) }
            }
            div.talk-main {
                (slots.notice)
                (conversation(viewer, about, &stretch))
                @if is_now { (present(page, about)) } @else {
                    p.older { a href=(viewer.page()) { (words.say("session.to_now")) } }
                }
            }
            aside.talk-aside #panel aria-label=(slots.aside.label) { (aside(&slots.aside)) }
        }
        script type="module" src=(assets::address("session.js")) {}
    })
}

/// The parts of the page that may have changed since an event.
pub async fn talk_news(here: &PageContext, page: &TalkPage<'_>, after: Seq) -> Result<Markup, Problem> {
    let TalkPage { viewer, view, unsent, slots } = page;
    let lines = lines::lines_after(&here.app, &view.reading, after, view.row.head, here.lang()).await?;
    let about = here.app.about(&view.row.application);
    Ok(html! {
        div #news data-head=(view.row.head) data-over[slots.is_over] data-working[!view.at_work.is_empty()] {
            div data-part="standing" { (slots.standing) }
            div data-part="lines" { (conversation::lines(viewer, about, &lines)) }
            div data-part="at-work" { (conversation::at_work(viewer, about, view)) }
            div data-part="gate" { (gate::gate(viewer, view, unsent)) }
            div data-part="turn" { (slots.turn) }
            div data-part="composer" { (composer(viewer, &slots.composer, unsent)) }
            div data-part="presses" { (offers::presses(viewer, view)) }
            @if let AsideFold::Gist(gist) = &slots.aside.fold { div data-part="gist" { (gist) } }
            div data-part="aside" { (slots.aside.body) }
        }
    })
}

/// What follows what was said: who is at work, what is to be decided, and where to speak.
fn present(page: &TalkPage<'_>, about: About<'_>) -> Markup {
    let TalkPage { viewer, view, unsent, slots } = page;
    let words = viewer.words;
    let name = match viewer.voices() {
        Voices::Own => None,
        Voices::Sides(voices) => Some(voices.agents),
    };
    html! {
        div #speaking data-name=[name] hidden {}
        div #at-work aria-live="polite" { (conversation::at_work(viewer, about, view)) }
        div #gate { (gate::gate(viewer, view, unsent)) }
        div.floor {
            p.newest hidden { button.button.plain type="button" data-newest { (words.say("session.newest")) } }
            p.link-lost #link-lost role="status" hidden {}
            div #turn { (slots.turn) }
            (composer(viewer, &slots.composer, unsent))
            div #presses { (offers::presses(viewer, view)) }
        }
    }
}

fn aside(aside: &Aside) -> Markup {
    let body = html! { div.panel-body #aside { (aside.body) } };
    html! {
        @match &aside.fold {
            AsideFold::Gist(gist) => details.aside-fold open {
                summary { span { (aside.label) } span.figures #gist { (gist) } }
                (body)
            },
            AsideFold::Sheet(close) => {
                button.button.quiet.panel-closer type="button" hidden data-panel-close { (close) }
                (body)
            },
        }
    }
}

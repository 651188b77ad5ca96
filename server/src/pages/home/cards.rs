//! The applications of this build, as cards: what each is, a picture of the real thing, and one way to begin.
//!
//! A card is drawn from what the application says about itself and from the picture that its part brings; nothing here
//! knows which applications there are. Those with parts come first, in the order in which the house has them.

use enza_kernel::floor::Opening;
use maud::{Markup, html};
use uuid::Uuid;

use crate::access::Caller;
use crate::design::{Weight, button, circle, link_button};
use crate::pages::PageContext;
use crate::part::Entrance;

/// How a reader gets into an application.
pub(super) struct Card {
    pub(super) name: &'static str,
    entrance: Entrance,
}

/// The cards of this reader. One of them may be as a part says in place of its own.
pub(super) fn cards(here: &PageContext, caller: &Caller, instead: Option<(&'static str, Entrance)>) -> Vec<Card> {
    let mut instead = instead;
    let entrance = |name: &str| here.app.part_of(name).map(|part| part.entrance(here, caller));
    let card = |name| {
        let given = instead.take_if(|(other, _)| *other == name).map(|(_, entrance)| entrance);
        Card { name, entrance: given.or_else(|| entrance(name)).unwrap_or(Entrance::Openings) }
    };
    names(here).into_iter().map(card).filter(|card| !matches!(card.entrance, Entrance::Closed)).collect()
}

/// The cards with their buttons. The first button is the likely next step where nothing else is.
pub(super) fn begin(here: &PageContext, cards: &[Card], is_first_step: bool) -> Markup {
    let weight = |place| if place == 0 && is_first_step { Weight::Main } else { Weight::Plain };
    html! {
        ul.cards {
            @for (place, card) in cards.iter().enumerate() {
                li.app-card { (face(here, card.name)) (way_in(here, card, weight(place))) }
            }
        }
    }
}

/// The cards of everything there is, for whoever is not signed in.
pub(super) fn shown(here: &PageContext) -> Markup {
    html! { ul.cards { @for name in names(here) { li.app-card { (face(here, name)) } } } }
}

/// Every application, those with parts in their order, and then the others.
fn names(here: &PageContext) -> Vec<&'static str> {
    let known: Vec<&'static str> = here.app.engine().applications().names().collect();
    let mut names: Vec<&'static str> = here.app.parts().iter().map(|part| part.contents().application).collect();
    names.retain(|name| known.contains(name));
    names.extend(known.into_iter().filter(|name| here.app.part_of(name).is_none()));
    names
}

fn face(here: &PageContext, name: &'static str) -> Markup {
    let about = here.app.about(name);
    let picture = here.app.part_of(name).and_then(|part| part.picture(here.words));
    html! {
        div.picture aria-hidden="true" { @if let Some(picture) = picture { (picture) } @else { (circle()) } }
        h3.card-title { (about.title(here.lang())) }
        p.card-sentence { @if let Some(sentence) = about.sentence(here.lang()) { (sentence) } }
    }
}

fn way_in(here: &PageContext, card: &Card, weight: Weight) -> Markup {
    let label = here.app.about(card.name).begin(here.lang()).unwrap_or(here.words.say("home.begin"));
    html! {
        div.card-ways {
            @match &card.entrance {
                Entrance::Openings => (openings(here, card.name, label, weight)),
                Entrance::Pages { begin, list } => {
                    (link_button(begin, label, weight))
                    @if let Some((address, label)) = list { (link_button(address, label, Weight::Quiet)) }
                }
                Entrance::Form { form, is_open } => details.card-fold open[*is_open] {
                    summary class=(weight.class()) { (label) }
                    (form)
                },
                Entrance::Closed => {}
            }
        }
    }
}

/// What an application has ready: the first by its button, the others below it.
fn openings(here: &PageContext, name: &str, label: &str, weight: Weight) -> Markup {
    let ready = here.app.engine().applications().find(name).map(|host| host.openings(here.lang())).unwrap_or_default();
    let Some((first, others)) = ready.split_first() else { return html! {} };
    // Where several things can be begun, or one that has a name of its own, it is said which the button begins.
    let with = here.words.fill("home.begins_with", &[("title", &first.title)]);
    html! {
        (opening(name, first, html! {
            (button(label, weight))
            @if first.title != label { span.opening-title { (with) } }
        }))
        @if !others.is_empty() {
            details.card-fold {
                summary.button.quiet { (here.words.say("home.other_ways")) }
                ul { @for one in others { li { (opening(name, one, html! { (button(&one.title, Weight::Quiet)) })) } } }
            }
        }
    }
}

fn opening(name: &str, opening: &Opening, body: Markup) -> Markup {
    html! {
        form.opening method="post" action="/sessions" {
            input type="hidden" name="application" value=(name);
            input type="hidden" name="opening" value=(opening.name);
            input type="hidden" name="key" value=(Uuid::now_v7());
            (body)
        }
    }
}

//! Links: who makes them, what they carry, how many there may be.

use std::collections::BTreeMap;

use enza_forms::{Command, Event, LinkFault, LinkKind, MOST_LINKS, Refusal};
use enza_interview::{Field, Kind};
use enza_kernel::limits::{self, TextRefusal};

use super::world::{TOKEN, World, bob, form, link, single};

fn prefilled(pairs: &[(&str, &str)]) -> Command {
    let prefill = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Command::MakeLink { token: TOKEN.to_owned(), kind: LinkKind::Public, note: String::new(), prefill }
}

#[test]
fn a_link_is_made_with_its_note_and_withdrawn() {
    let mut world = World::begun();
    let made = world.tell(link(TOKEN, LinkKind::Public)).unwrap();
    assert_eq!(
        made,
        [Event::LinkMade {
            token: TOKEN.to_owned(),
            kind: LinkKind::Public,
            note: "Mail".to_owned(),
            prefill: BTreeMap::new(),
        }]
    );
    let revoke = Command::RevokeLink { token: TOKEN.to_owned() };
    let revoked = world.tell(revoke.clone()).unwrap();
    assert_eq!(revoked, [Event::LinkRevoked { token: TOKEN.to_owned(), note: "Mail".to_owned() }]);
    assert_eq!(world.tell(revoke), Ok(Vec::new()), "a second click does no harm");
    assert_eq!(world.tell(Command::RevokeLink { token: single(0) }), Err(Refusal::LinkUnknown));
}

#[test]
fn a_token_has_ten_to_forty_letters_and_digits_and_is_given_once() {
    let mut world = World::begun();
    for token in ["", "short9chr", "has space 1", "päßword123", &"a".repeat(41)] {
        assert_eq!(world.tell(link(token, LinkKind::Public)), Err(Refusal::Link(LinkFault::Token)), "{token}");
    }
    world.tell(link(&"a".repeat(40), LinkKind::Public)).unwrap();
    world.tell(link(TOKEN, LinkKind::Public)).unwrap();
    assert_eq!(world.tell(link(TOKEN, LinkKind::Single)), Err(Refusal::Link(LinkFault::Taken)));
    world.tell(Command::RevokeLink { token: TOKEN.to_owned() }).unwrap();
    let again = world.tell(link(TOKEN, LinkKind::Single));
    assert_eq!(again, Err(Refusal::Link(LinkFault::Taken)), "a withdrawn link does not come back as another");
}

/// Peers 20: prefill by address.
#[test]
fn a_link_may_prefill_fields_of_the_draft_or_of_the_version() {
    let mut world = World::begun();
    world.tell(Command::Publish).unwrap();
    let mut next = form("Visit");
    next.fields = vec![Field::new("company", "Company", Kind::Text)];
    world.edit(next).unwrap();
    let unknown = Refusal::UnknownField { field_id: "colour".to_owned() };
    assert_eq!(world.tell(prefilled(&[("colour", "red")])), Err(unknown));
    world.tell(prefilled(&[("customer", "Ada"), ("company", "Engines")])).unwrap();
    let kept = &world.state.links()[TOKEN].prefill;
    assert_eq!(
        kept.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>(),
        ["company=Engines", "customer=Ada"]
    );
}

#[test]
fn notes_and_prefilled_values_have_an_end() {
    let mut world = World::begun();
    let refused = world.tell(prefilled(&[("customer", &"x".repeat(1_000))])).unwrap_err();
    assert!(
        matches!(refused, Refusal::Text(TextRefusal::TooLong { limit, .. }) if limit.name == "prefill"),
        "{refused:?}"
    );
    let note = "n".repeat(61);
    let long = Command::MakeLink { token: TOKEN.to_owned(), kind: LinkKind::Public, note, prefill: BTreeMap::new() };
    assert_eq!(world.tell(long), Err(Refusal::Text(TextRefusal::TooLong { limit: limits::NAME, graphemes: 61 })));
}

#[test]
fn a_thousand_links_are_kept_and_withdrawn_ones_make_room() {
    let mut world = World::begun();
    for number in 0..MOST_LINKS {
        world.tell(link(&single(number), LinkKind::Single)).unwrap();
    }
    assert_eq!(world.tell(link(TOKEN, LinkKind::Public)), Err(Refusal::LinksExhausted));
    world.tell(Command::RevokeLink { token: single(7) }).unwrap();
    world.tell(link(TOKEN, LinkKind::Public)).unwrap();
    assert_eq!(world.state.links().len(), MOST_LINKS);
    assert!(world.state.links().contains_key(TOKEN) && !world.state.links().contains_key(&single(7)));
}

#[test]
fn only_the_owner_makes_and_withdraws_links() {
    let mut world = World::shared();
    let not_yours = || Err(Refusal::NotYours { who: "bob".to_owned() });
    assert_eq!(world.by(bob(), link("another1234", LinkKind::Public)), not_yours());
    assert_eq!(world.by(bob(), Command::RevokeLink { token: TOKEN.to_owned() }), not_yours());
}

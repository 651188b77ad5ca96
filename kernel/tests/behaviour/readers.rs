//! Who somebody is in a session, and what of it is theirs: the defaults, and a till with seats.

use enza_kernel::application::{Application, Entry, Standing};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::reader::{Following, Reader, ReaderRole};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::testing::given;
use enza_kernel::testing::till::{
    AUDITOR, Audience, CLERK, Command, Event, Refusal, Seat, SeatCommand, SeatEvent, State, Till,
};
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};

use super::shop::till;

/// An application that says no more than it must.
struct Plain;

impl Application for Plain {
    type State = ();
    type Event = ();
    type Command = ();
    type Refusal = Refusal;

    const NAME: &'static str = "plain";

    fn evolve(_: &mut (), _: &Entry<()>) {}

    fn decide(&self, _: &(), _: (), _: &Now) -> Result<Vec<()>, Refusal> {
        Ok(Vec::new())
    }

    fn due(&self, _: &()) -> Vec<Effect> {
        Vec::new()
    }

    fn request(&self, _: &(), _: &AskModel) -> Request {
        Request::default()
    }

    fn settle(&self, _: &(), _: &Effect, _: Outcome, _: &Now) -> Vec<()> {
        Vec::new()
    }

    fn standing(_: &()) -> Standing {
        Standing::default()
    }
}

fn person(name: &str) -> Actor {
    Actor::Person(name.to_owned())
}

fn give(seat: Seat, person: Option<&str>) -> Command {
    Command::Seats(SeatCommand::Give { seat, person: person.map(str::to_owned) })
}

fn admit(audience: Audience) -> Command {
    Command::Seats(SeatCommand::Admit { audience })
}

fn jot(text: &str) -> Command {
    Command::Seats(SeatCommand::Jot { text: text.to_owned() })
}

/// A till of ada's at which bob is the cashier.
fn seated(till: &Till) -> enza_kernel::testing::Story<'_, Till> {
    given(till, [])
        .by(person("ada"))
        .when(Command::Open { budget: None, floor: "7".to_owned() })
        .go_on()
        .when(give(Seat::Cashier, Some("bob")))
        .go_on()
}

fn role(state: &State, person: Option<&str>) -> Option<ReaderRole> {
    Till::reader(state, person, person == Some("ada")).map(|reader| reader.role)
}

#[test]
fn where_an_application_says_nothing_its_owner_sees_all_and_everybody_else_nothing() {
    let entry = Entry { seq: Seq(1), at: Timestamp(0), event: () };
    assert_eq!(Plain::reader(&(), Some("ada"), true), Some(Reader::host()));
    assert_eq!(Plain::reader(&(), Some("bob"), false), None);
    assert_eq!(Plain::reader(&(), None, false), None);
    let others = [Reader::seat_holder(vec!["a".to_owned()]), Reader::spectator(), Reader::guest()];
    assert!(
        Plain::shows(&entry, &Reader::host())
            && Plain::shows_state(&(), &Reader::host())
            && Plain::shows_prompt("t", &Reader::host())
    );
    assert_eq!(Plain::follows("t", &Reader::host()), Following::Whole);
    for reader in others {
        assert!(
            !Plain::shows(&entry, &reader) && !Plain::shows_state(&(), &reader) && !Plain::shows_prompt("t", &reader),
            "{reader:?}"
        );
        assert_eq!(Plain::follows("t", &reader), Following::Nothing, "{reader:?}");
        assert_eq!(Plain::may_command(&reader), reader.role == ReaderRole::SeatHolder, "{reader:?}");
    }
}

#[test]
fn a_till_knows_who_is_at_it() {
    let till = till();
    let state = seated(&till).into_state();
    assert_eq!(role(&state, Some("ada")), Some(ReaderRole::Host));
    assert_eq!(Till::reader(&state, Some("bob"), false), Some(Reader::seat_holder(vec!["cashier".to_owned()])));
    assert_eq!((role(&state, Some("eve")), role(&state, None)), (None, None));
    let state = seated(&till).when(admit(Audience::People)).go_on().into_state();
    assert_eq!((role(&state, Some("eve")), role(&state, None)), (Some(ReaderRole::Spectator), None));
    let state = seated(&till).when(admit(Audience::Anybody)).go_on().into_state();
    assert_eq!(role(&state, None), Some(ReaderRole::Spectator));
    let state = seated(&till).when(give(Seat::Cashier, None)).go_on().into_state();
    assert_eq!(role(&state, Some("bob")), None, "a seat that was taken away lets nobody in");
}

#[test]
fn a_host_may_sit_at_their_own_till() {
    let till = till();
    let state = seated(&till).when(give(Seat::Porter, Some("ada"))).go_on().into_state();
    let reader = Till::reader(&state, Some("ada"), true).unwrap();
    assert!(reader.is_host() && reader.holds("porter") && !reader.holds("cashier"));
}

#[test]
fn seats_are_the_hosts_to_give_and_notes_the_seats_to_jot() {
    let till = till();
    let not_yours = || Refusal::Common(CommonRefusal::NotYourPart);
    seated(&till).by(person("bob")).when(give(Seat::Porter, Some("bob"))).then_refused(not_yours());
    seated(&till).by(person("bob")).when(Command::Close).then_refused(not_yours());
    seated(&till).when(jot("as the host")).then_refused(not_yours());
    seated(&till).by(person("eve")).when(jot("as nobody")).then_refused(not_yours());
    let story = seated(&till).by(person("bob")).when(jot("a note"));
    let jotted = Event::Seats(SeatEvent::Jotted { seat: Seat::Cashier, text: "a note".to_owned() });
    assert!(story.events().contains(&jotted));
}

#[test]
fn what_a_seat_jots_down_is_the_seats_alone() {
    let till = till();
    let story = seated(&till).by(person("bob")).when(jot("a note"));
    let events = story.events().to_vec();
    let state = story.go_on().into_state();
    let entries: Vec<Entry<Event>> =
        (1..).zip(events).map(|(seq, event)| Entry { seq: Seq(seq), at: Timestamp(0), event }).collect();
    let seen = |reader: &Reader| {
        let lines = entries.iter().filter_map(|entry| Till::line(entry, reader, Lang::En)).map(|line| line.text);
        let raw = entries.iter().filter(|entry| Till::shows(entry, reader)).map(|entry| format!("{:?}", entry.event));
        let floor = format!("{:?}", till.floor(&state, reader, Lang::En));
        lines.chain(raw).chain([floor]).collect::<String>()
    };
    let cashier = Reader::seat_holder(vec!["cashier".to_owned()]);
    assert!(seen(&cashier).contains("a note"));
    assert!(Till::shows_prompt("cashier", &cashier) && Till::follows("cashier", &cashier) == Following::Whole);
    for other in [Reader::host(), Reader::seat_holder(vec!["porter".to_owned()]), Reader::spectator(), Reader::guest()]
    {
        assert!(!seen(&other).contains("a note"), "{other:?}");
        assert!(!Till::shows_state(&state, &other) && !Till::shows_prompt("cashier", &other), "{other:?}");
        assert_eq!(Till::follows("cashier", &other), Following::Nothing, "{other:?}");
    }
}

#[test]
fn a_till_of_one_person_shows_its_owner_everything() {
    let till = till();
    let state = given(&till, []).when(Command::Open { budget: None, floor: "7".to_owned() }).go_on().into_state();
    assert!(Till::shows_state(&state, &Reader::host()));
    for thread in [CLERK, AUDITOR] {
        assert!(Till::shows_prompt(thread, &Reader::host()));
        assert_eq!(Till::follows(thread, &Reader::host()), Following::Whole);
    }
}

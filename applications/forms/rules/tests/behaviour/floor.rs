//! What an owner sees and may do: an offer is made exactly where its command would be accepted and change something.

use enza_forms::{Command, Forms, Rules};
use enza_interview::Form;
use enza_kernel::application::Application;
use enza_kernel::floor::{Offer, Progress, Tone, Who, put_words};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;

use super::world::{TOKEN, World, ada, form};

fn offered(world: &World) -> Vec<Command> {
    let offers = world.app.floor(&world.state, &Reader::host(), Lang::En).offers.into_iter().map(|offer| match offer {
        Offer::Say { command, place, .. } => put_words(&command, &place, "a report with date"),
        Offer::Press { command, .. } => command,
    });
    offers.map(|command| serde_json::from_value(command).unwrap()).collect()
}

/// Compares what is offered with what would be accepted and change something.
fn offers_what_it_accepts(world: &World) -> usize {
    let all = [
        Command::RetryModel,
        Command::Describe { sentence: "a report with date".to_owned() },
        Command::Publish,
        Command::Close,
        Command::Reopen,
    ];
    let accepted: Vec<Command> = all
        .into_iter()
        .filter(|command| world.decide(ada(), command.clone()).is_ok_and(|events| !events.is_empty()))
        .collect();
    assert_eq!(offered(world), accepted);
    accepted.len()
}

#[test]
fn every_offer_of_every_state_is_accepted_and_nothing_else_is() {
    let mut seen = Vec::new();
    let mut world = World::described("a report with date", Lang::En);
    seen.push(offers_what_it_accepts(&world));
    world.unanswered();
    seen.push(offers_what_it_accepts(&world));
    world.tell(Command::RetryModel).unwrap();
    world.play();
    seen.push(offers_what_it_accepts(&world));
    world.tell(Command::Publish).unwrap();
    seen.push(offers_what_it_accepts(&world));
    world.tell(Command::Close).unwrap();
    seen.push(offers_what_it_accepts(&world));
    world.edit(Form::default()).unwrap();
    seen.push(offers_what_it_accepts(&world));
    world.edit(form("Other")).unwrap();
    seen.push(offers_what_it_accepts(&world));
    world.tell(Command::Reopen).unwrap();
    seen.push(offers_what_it_accepts(&world));
    // Nothing while the architect writes a first draft; trying again and other words once it failed; other words and
    // publishing; closing in the place of publishing; reopening in the place of closing; the same with a draft that
    // cannot be asked; publishing besides with one that can; and once open.
    assert_eq!(seen, [0, 2, 2, 2, 2, 2, 3, 3]);
}

#[test]
fn a_limit_of_answers_shows_how_far_it_is() {
    let mut world = World::shared();
    assert_eq!(world.app.floor(&world.state, &Reader::host(), Lang::En).progress, None);
    let rules = Rules { most_answers: Some(2), ..Rules::default() };
    world.tell(Command::SetRules { rules }).unwrap();
    for session in ["a", "b", "c"] {
        world.receive(session).unwrap();
    }
    assert_eq!(world.app.floor(&world.state, &Reader::host(), Lang::En).progress, Some(Progress { done: 2, total: 2 }));
}

#[test]
fn what_is_known_is_said_in_both_languages() {
    let mut world = World::shared();
    world.admit(TOKEN, "s1").unwrap();
    let known = |lang: Lang| -> Vec<String> {
        let floor = world.app.floor(&world.state, &Reader::host(), lang);
        floor.facts().map(|fact| format!("{}: {}", fact.label, fact.value.as_deref().unwrap_or_default())).collect()
    };
    assert_eq!(
        known(Lang::En),
        ["Status: Accepting answers.", "Version: 1", "Fields: 1", "Links: 4", "Respondents: 1", "Answers: 0"]
    );
    assert_eq!(
        known(Lang::Ja),
        [
            "状態: 回答を受け付けています。",
            "公開した版: 1",
            "項目: 1",
            "リンク: 4",
            "回答を始めた人: 1",
            "届いた回答: 0"
        ]
    );
}

#[test]
fn the_history_says_what_happened_in_both_languages() {
    let mut world = World::described("a report with date", Lang::En);
    world.play();
    world.edit(form("Visit")).unwrap();
    world.tell(Command::Publish).unwrap();
    world.tell(super::world::link(TOKEN, enza_forms::LinkKind::Public)).unwrap();
    world.admit(TOKEN, "s1").unwrap();
    world.receive("s1").unwrap();
    world.tell(Command::RevokeLink { token: TOKEN.to_owned() }).unwrap();
    world.tell(Command::Close).unwrap();
    world.tell(Command::Reopen).unwrap();
    let told = |lang: Lang| -> String {
        world
            .log
            .iter()
            .filter_map(|entry| Forms::line(entry, &Reader::host(), lang))
            .map(|line| line.text + "\n")
            .collect()
    };
    insta::assert_snapshot!(told(Lang::En), @r##"
    The form was started.
    a report with date
    Wrote a draft of "Report" (edition 1). Fields: Date.
    Edited (edition 2).
    Version 1 was published. The form accepts answers.
    A public link was created: Mail.
    Answer number 1 arrived.
    A link was withdrawn: Mail.
    Closed. The form no longer accepts answers.
    Reopened. The form accepts answers again.
    "##);
    insta::assert_snapshot!(told(Lang::Ja), @r##"
    フォームを作り始めました。
    a report with date
    「Report」の下書きを書きました(第1稿)。項目: Date。
    編集しました(第2稿)。
    第1版を公開しました。回答を受け付けています。
    公開リンクを作りました(Mail)。
    回答が届きました(1件目)。
    リンクを取り消しました(Mail)。
    受け付けを終えました。
    受け付けを再開しました。
    "##);
    let lines: Vec<_> = world.log.iter().filter_map(|entry| Forms::line(entry, &Reader::host(), Lang::En)).collect();
    assert_eq!((&lines[1].who, &lines[2].who), (&Who::Person(None), &Who::Agent("architect".to_owned())));
    assert_eq!(lines.iter().filter(|line| line.tone == Tone::Done).count(), 1);
}

#[test]
fn trouble_is_told() {
    let mut world = World::described("a report with date", Lang::Ja);
    world.unanswered();
    let line = Forms::line(world.log.last().unwrap(), &Reader::host(), Lang::Ja).unwrap();
    assert_eq!(
        (line.tone, line.text.as_str()),
        (
            Tone::Trouble,
            "言語モデルから返事がありませんでした。下書きは元のままです。もう一度試すか、言い方を変えるか、自分で編集してください。"
        )
    );
}

#[test]
fn every_opening_begins_a_form() {
    for lang in [Lang::Ja, Lang::En] {
        let openings = Forms::new().openings(lang);
        assert_eq!(
            openings.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
            ["blank", "example-1", "example-2", "example-3", "example-4"]
        );
        for opening in openings {
            let mut world = World::new();
            world.tell(serde_json::from_value(opening.command).unwrap()).unwrap();
            assert_eq!(
                (world.state.card().title.as_str(), world.state.draft().language),
                (opening.title.as_str(), lang)
            );
        }
    }
}

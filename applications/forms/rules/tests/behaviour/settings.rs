//! Rules and receivers: what is taken, what is refused, and what is never shown.

use enza_forms::{AskLocale, Command, Event, Forms, Refusal, RuleFault, Rules, Secret, Webhook, WebhookFault};
use enza_kernel::application::{Application, Reason};
use enza_kernel::reader::Reader;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use serde_json::json;

use super::world::{World, bob, webhook};

fn set(rules: Rules) -> Command {
    Command::SetRules { rules }
}

#[test]
fn rules_are_set_as_a_whole() {
    let mut world = World::begun();
    let rules = Rules {
        closes: Some(Timestamp(2_000)),
        most_answers: Some(100),
        keep_days: Some(30),
        budget: Some(50_000),
        locale: AskLocale::Ask,
    };
    assert_eq!(world.tell(set(rules.clone())), Ok(vec![Event::RulesSet { rules: rules.clone() }]));
    assert_eq!(world.state.rules(), &rules);
    assert_eq!(world.tell(set(rules)), Ok(Vec::new()));
    let left_out: Rules = serde_json::from_value(json!({ "keep_days": 7 })).unwrap();
    assert_eq!(left_out, Rules { keep_days: Some(7), ..Rules::default() });
}

#[test]
fn each_rule_that_does_not_do_is_named() {
    let mut world = World::begun();
    let now = world.time;
    for (rules, fault) in [
        (Rules { closes: Some(now), ..Rules::default() }, RuleFault::Closes),
        (Rules { closes: Some(Timestamp(i64::MAX)), ..Rules::default() }, RuleFault::Closes),
        (Rules { most_answers: Some(0), ..Rules::default() }, RuleFault::MostAnswers),
        (Rules { keep_days: Some(0), ..Rules::default() }, RuleFault::KeepDays),
        (Rules { keep_days: Some(3_651), ..Rules::default() }, RuleFault::KeepDays),
        (Rules { budget: Some(0), ..Rules::default() }, RuleFault::Budget),
    ] {
        assert_eq!(world.tell(set(rules)), Err(Refusal::Rules(fault)));
    }
    world.tell(set(Rules { keep_days: Some(3_650), ..Rules::default() })).unwrap();
}

#[test]
fn a_close_date_that_has_passed_may_stay_while_another_rule_is_changed() {
    let mut world = World::begun();
    let closing = Rules { closes: Some(Timestamp(2_000)), ..Rules::default() };
    world.tell(set(closing.clone())).unwrap();
    world.time = Timestamp(3_000);
    assert!(world.tell(set(Rules { keep_days: Some(30), ..closing })).is_ok());
}

/// Peers 24: a signed webhook.
#[test]
fn a_receiver_is_set_and_taken_away() {
    let mut world = World::begun();
    world.tell(Command::SetWebhook { webhook: Some(webhook()) }).unwrap();
    assert_eq!(world.state.webhook(), Some(&webhook()));
    assert_eq!(world.tell(Command::SetWebhook { webhook: Some(webhook()) }), Ok(Vec::new()));
    world.tell(Command::SetWebhook { webhook: None }).unwrap();
    assert_eq!(world.state.webhook(), None);
    let not_yours = Err(Refusal::NotYours { who: "bob".to_owned() });
    assert_eq!(world.by(bob(), Command::SetWebhook { webhook: Some(webhook()) }), not_yours);
}

#[test]
fn an_address_is_http_has_a_host_and_carries_no_password() {
    let mut world = World::begun();
    for url in [
        "",
        "example.org",
        "ftp://example.org",
        "https://",
        "https:///path",
        "https://ada:secret@example.org/",
        "https://ada@example.org/",
        "https://exa mple.org/",
        "https://例え.jp/",
        "https://example.org:port/",
        "https://example.org:99999/",
        &format!("https://example.org/{}", "a".repeat(2_000)),
    ] {
        let webhook = Webhook { url: url.to_owned(), ..webhook() };
        let refused = world.tell(Command::SetWebhook { webhook: Some(webhook) });
        assert_eq!(refused, Err(Refusal::Webhook(WebhookFault::Url)), "{url}");
    }
    for url in ["http://localhost:8080/in", "HTTPS://example.org", "https://[::1]/in?a=b@c", "https://[::1]:81/"] {
        let webhook = Webhook { url: url.to_owned(), ..webhook() };
        assert!(world.tell(Command::SetWebhook { webhook: Some(webhook) }).is_ok(), "{url}");
    }
}

#[test]
fn a_secret_is_a_prefix_and_twenty_four_to_sixty_four_bytes_in_base64() {
    let mut world = World::begun();
    let mut told = |secret: String| {
        let webhook = Webhook { secret: Secret::new(secret), ..webhook() };
        world.tell(Command::SetWebhook { webhook: Some(webhook) }).map(drop)
    };
    let unfit = || Err(Refusal::Webhook(WebhookFault::Secret));
    let good = "A".repeat(32);
    for secret in [
        good.clone(),
        format!("whsec_{}", "A".repeat(28)),
        format!("whsec_{}", "A".repeat(88)),
        format!("whsec_{good}A"),
        format!("whsec_{}-AAA", "A".repeat(28)),
        format!("whsec_{}A===", "A".repeat(32)),
        // The same bytes as `AA==`, but spelt in another way.
        format!("whsec_{}AB==", "A".repeat(32)),
    ] {
        assert_eq!(told(secret.clone()), unfit(), "{secret}");
    }
    for secret in [format!("whsec_{good}"), format!("whsec_{good}AA=="), format!("whsec_{}AA==", "/".repeat(84))] {
        assert_eq!(told(secret.clone()), Ok(()), "{secret}");
    }
}

#[test]
fn the_secret_and_the_address_are_in_no_line_no_floor_and_no_print() {
    let mut world = World::begun();
    world.tell(Command::SetWebhook { webhook: Some(webhook()) }).unwrap();
    let entry = world.log.last().unwrap();
    let lines = [Lang::Ja, Lang::En].map(|lang| Forms::line(entry, &Reader::host(), lang).unwrap().text);
    assert_eq!(
        lines,
        ["これから回答を hooks.example.org に送ります。", "From now on, answers are sent to hooks.example.org."]
    );
    let floor = serde_json::to_string(&world.app.floor(&world.state, &Reader::host(), Lang::En)).unwrap();
    let shown = format!("{floor}{:?}{:?}{:?}", world.state, entry, Forms::rows(entry));
    assert!(!shown.contains("MfKQ9r8GKYq"), "{shown}");
    assert!(!floor.contains("key=k"));
}

#[test]
fn every_refusal_says_in_both_languages_what_happened_and_what_to_do() {
    for refusal in [
        Refusal::Common(CommonRefusal::NotOpen),
        Refusal::Common(CommonRefusal::AlreadyOpen),
        Refusal::Common(CommonRefusal::NotAPerson),
        Refusal::NotYours { who: "bob".to_owned() },
        Refusal::EditedMeanwhile { edition: 3 },
        Refusal::TooLarge { bytes: 300_000 },
        Refusal::Writing,
        Refusal::Common(CommonRefusal::NothingToRetry),
        Refusal::NothingToPublish { is_open: true },
        Refusal::Unpublished,
        Refusal::Closed,
        Refusal::Full,
        Refusal::LinkUnknown,
        Refusal::LinkRevoked,
        Refusal::LinkUsed,
        Refusal::LinksExhausted,
        Refusal::UnknownField { field_id: "x".to_owned() },
        Refusal::Rules(RuleFault::KeepDays),
        Refusal::Webhook(WebhookFault::Secret),
    ] {
        let [ja, en] = [Lang::Ja, Lang::En].map(|lang| refusal.say(lang));
        for said in [&ja.message, &ja.hint] {
            assert!(!said.is_ascii() && said.ends_with('。'), "{said}");
        }
        for said in [&en.message, &en.hint] {
            assert!(said.is_ascii() && said.ends_with('.'), "{said}");
        }
    }
}

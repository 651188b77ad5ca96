//! What a debate has come to: lengths, scores that can be recounted, every point with its statements.

use enza_deliberation_cast::{
    Axis, Utterance, closing_candidates, consensus_and_dissent, mode, next_topic, ranking, summary, topics,
    turn_summary, verdict,
};
use enza_kernel::limits::length;
use enza_kernel::text::Lang;

use super::circle::Circle;

#[test]
fn summaries_have_their_length() {
    for lang in [Lang::Ja, Lang::En] {
        for (seats, topic) in [(2, 3), (4, 10), (8, 25)] {
            let circle = Circle::of(lang, mode("double_diamond").unwrap(), seats, topic, "summaries");
            let said = circle.played();
            let mut previous: Option<String> = None;
            for turn in 1..=10 {
                let so_far = &said[..turn * seats];
                let text = turn_summary(lang, turn as u32, so_far, previous.as_deref());
                assert!((200..=400).contains(&length(&text)), "{lang} {turn} {}: {text}", length(&text));
                previous = Some(text);
            }
            let text = summary(lang, &circle.topic.title, &said);
            assert!((200..=400).contains(&length(&text)), "{lang} {}: {text}", length(&text));
        }
        assert!(length(&summary(lang, "x", &[])) <= 400, "nothing was said");
    }
}

#[test]
fn a_verdict_is_strict_and_says_what_it_counted() {
    let mut scores = Vec::new();
    for lang in [Lang::Ja, Lang::En] {
        for topic in [1, 8, 16, 24] {
            let circle = Circle::of(lang, mode("double_diamond").unwrap(), 4, topic, "verdict");
            let said = circle.played();
            let judged = verdict(lang, &circle.topic.title, &said);
            assert_eq!(judged.axes.iter().map(|one| one.axis).collect::<Vec<_>>(), Axis::ALL);
            for one in &judged.axes {
                assert!(one.reason.chars().any(|letter| letter.is_ascii_digit()), "{one:?}");
                assert!(one.score <= 2 || one.statement.is_some_and(|number| number <= 40), "{one:?}");
                scores.push(one.score);
            }
            assert!(!judged.consensus.is_empty() && !judged.summary.is_empty());
        }
        let nothing = verdict(lang, "x", &[]);
        assert!(nothing.axes.iter().all(|one| one.score == 1));
    }
    let usual = scores.iter().filter(|score| (3..=6).contains(*score)).count();
    assert!(usual * 10 >= scores.len() * 7, "most land between 3 and 6: {scores:?}");
    assert!(scores.iter().all(|score| (1..=7).contains(score)), "{scores:?}");
}

#[test]
fn who_never_answers_anybody_scores_low_on_it() {
    let said: Vec<Utterance> = (0..9)
        .map(|nth| Utterance {
            number: nth + 1,
            turn: nth / 3 + 1,
            speaker: format!("speaker{}", nth % 3),
            text: format!("Bread is fine on day {nth}."),
        })
        .collect();
    let judged = verdict(Lang::En, "x", &said);
    let score = |axis| judged.axes.iter().find(|one| one.axis == axis).map(|one| one.score);
    assert_eq!((score(Axis::CrossReference), score(Axis::Inclusiveness)), (Some(2), Some(2)));
}

#[test]
fn every_point_stands_on_statements_that_speak_of_it() {
    for lang in [Lang::Ja, Lang::En] {
        let circle = Circle::of(lang, mode("double_diamond").unwrap(), 4, 6, "points");
        let said = circle.played();
        let common = consensus_and_dissent(lang, &circle.topic.title, &said);
        assert!(!common.consensus.is_empty() && !common.dissent.is_empty(), "{common:?}");
        for point in &common.dissent {
            assert!(!point.against.is_empty() && point.against.iter().all(|one| point.statements.contains(one)));
        }
        assert!(common.consensus.iter().all(|point| point.against.is_empty() && point.statements.len() >= 2));
    }
}

#[test]
fn a_next_topic_is_short_and_new() {
    for lang in [Lang::Ja, Lang::En] {
        for (nth, topic) in topics().iter().enumerate() {
            let circle = Circle::of(lang, mode("free_discussion").unwrap(), 4, nth, "next");
            let next = next_topic(lang, &circle.topic.title, &circle.played());
            assert!(length(&next.title) <= 30 && length(&next.description) <= 120, "{next:?}");
            assert_ne!(next.title, topic.text(lang).title);
        }
    }
}

#[test]
fn every_seat_ranks_all_closing_candidates() {
    for lang in [Lang::Ja, Lang::En] {
        let circle = Circle::of(lang, mode("free_discussion").unwrap(), 8, 14, "closing");
        let said = circle.played();
        let candidates = closing_candidates(lang, &circle.topic.title, &said);
        assert_eq!(candidates.len(), 3);
        let orders: Vec<_> = circle
            .seats
            .iter()
            .map(|seat| {
                let own: Vec<_> = said.iter().filter(|one| one.speaker == seat.name).cloned().collect();
                ranking(&seat.persona, &own, &candidates, "closing")
            })
            .collect();
        for order in &orders {
            let mut all = order.clone();
            all.sort_unstable();
            assert_eq!(all, [0, 1, 2]);
        }
        assert!(orders.iter().any(|order| *order != orders[0]), "not everybody wants the same: {orders:?}");
        assert_eq!(closing_candidates(lang, "x", &[]).len(), 3, "even where nothing was said");
    }
}

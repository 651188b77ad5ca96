//! How a field came to its value: each review with what was found, who found it and what followed.

use enza_interview::{DecidedBy, Stance};
use enza_kernel::review::ReviewStep;
use enza_server::design::{Tone, badge, time};
use enza_server::words::Words;
use maud::{Markup, html};

use crate::actions::submissions::Review;

/// The reviews of a field, folded.
pub(super) fn reviews(words: Words, session: &str, reviews: &[Review], follow_ups: u32) -> Markup {
    if reviews.is_empty() {
        return html! {};
    }
    html! {
        details.reviews {
            summary { (summary(words, reviews.len(), follow_ups)) }
            ol { @for review in reviews { li { (one(words, session, review)) } } }
        }
    }
}

/// How often a field was reviewed and sent back, as one says it.
fn summary(words: Words, count: usize, follow_ups: u32) -> String {
    let reviewed = match count {
        1 => words.say("review.reviewed_once").to_owned(),
        count => words.fill("review.reviewed_often", &[("count", &count.to_string())]),
    };
    let sent_back = match follow_ups {
        0 => words.say("review.never_sent_back").to_owned(),
        1 => words.say("review.sent_back_once").to_owned(),
        count => words.fill("review.sent_back_often", &[("count", &count.to_string())]),
    };
    words.fill("review.summary", &[("reviewed", &reviewed), ("sent_back", &sent_back)])
}

fn one(words: Words, session: &str, review: &Review) -> Markup {
    let finding = &review.finding;
    let by = match review.by {
        DecidedBy::Agent => words.say("review.by_agent"),
        DecidedBy::Rule => words.say("review.by_rule"),
    };
    html! {
        p.review-head {
            (verdict(words, review)) " "
            span.soft { (by) " · " (time(words, review.at)) }
            " " a href={ "/sessions/" (session) "/inspect?at=" (review.seq) } { (words.say("review.inspect")) }
        }
        @if let Some(feedback) = &finding.feedback { p.review-said { (feedback) } }
        (list(words.say("review.missing"), finding.missing_facts.as_deref()))
        (list(words.say("review.extracted"), finding.extracted_facts.as_deref()))
        (list(words.say("review.also"), finding.other_fields.as_deref()))
    }
}

fn verdict(words: Words, review: &Review) -> Markup {
    match &review.step {
        Some(ReviewStep::Passed) => badge(words.say("review.passed"), Tone::Good),
        Some(ReviewStep::SentBack { .. }) => badge(words.say("review.sent_back"), Tone::Warn),
        Some(ReviewStep::Escalated { .. }) => badge(words.say("review.escalated"), Tone::Bad),
        None => badge(stance(words, review.finding.stance), Tone::Plain),
    }
}

fn stance(words: Words, stance: Stance) -> &'static str {
    match stance {
        Stance::Answer => words.say("review.no_count"),
        Stance::Question => words.say("review.question"),
        Stance::Elsewhere => words.say("review.elsewhere"),
        Stance::Skipped => words.say("review.skipped"),
        Stance::Declined => words.say("review.declined"),
        Stance::Unknown => words.say("review.unknown"),
        Stance::NotApplicable => words.say("review.not_applicable"),
    }
}

/// A list under its label; nothing where there is nothing.
pub(super) fn list(label: &str, items: Option<&[String]>) -> Markup {
    let items = items.unwrap_or_default();
    html! {
        @if !items.is_empty() {
            div.named-list { span.soft { (label) } ul { @for item in items { li { (item) } } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::text::Lang;
    use enza_server::words::{self, Words};

    use super::{reviews, summary};

    #[test]
    fn what_was_never_reviewed_has_nothing_to_say() {
        assert_eq!(reviews(Words(Lang::En), "s1", &[], 0).into_string(), "");
    }

    #[test]
    fn reviews_are_counted_as_one_says_it() {
        words::add(crate::WORDS);
        let said = |lang| [(1, 0), (1, 1), (2, 1), (5, 3)].map(|(count, back)| summary(Words(lang), count, back));
        assert_eq!(
            said(Lang::En),
            [
                "Reviewed once, never asked again",
                "Reviewed once, asked again once",
                "Reviewed 2 times, asked again once",
                "Reviewed 5 times, asked again 3 times"
            ]
        );
        let japanese =
            ["審査1回、聞き直しなし", "審査1回、聞き直し1回", "審査2回、聞き直し1回", "審査5回、聞き直し3回"];
        assert_eq!(said(Lang::Ja), japanese);
    }
}

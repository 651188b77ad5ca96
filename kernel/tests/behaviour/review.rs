//! Reviews: rounds are counted, and after the last one a person decides.

use enza_kernel::review::{Review, ReviewPhase, ReviewStep, ReviewVerdict};

fn lacking(what: &str) -> ReviewVerdict {
    ReviewVerdict::Lacking(vec![what.to_owned()])
}

#[test]
fn work_is_sent_back_as_often_as_the_limit_says_and_then_goes_to_a_person() {
    let mut review = Review::new(2);
    let mut steps = Vec::new();
    for what in ["name", "date", "place"] {
        let step = review.next(lacking(what));
        review.evolve(&step);
        steps.push(step);
    }
    assert_eq!(
        steps,
        [
            ReviewStep::SentBack { feedback: vec!["name".into()] },
            ReviewStep::SentBack { feedback: vec!["date".into()] },
            ReviewStep::Escalated { feedback: vec!["place".into()] },
        ]
    );
    assert_eq!(review, Review { limit: 2, sent_back: 2, phase: ReviewPhase::WithPerson });
}

#[test]
fn a_reviewers_pass_after_the_escalation_does_not_count() {
    let review = Review { limit: 0, sent_back: 0, phase: ReviewPhase::WithPerson };
    assert_eq!(review.next(ReviewVerdict::Pass), ReviewStep::Escalated { feedback: vec![] });
}

#[test]
fn work_that_passed_stays_passed_whatever_a_late_verdict_says() {
    let mut review = Review::new(1);
    review.evolve(&review.next(ReviewVerdict::Pass));
    assert_eq!(review.next(lacking("name")), ReviewStep::Passed);
}

#[test]
fn a_reset_gives_every_round_back() {
    let mut review = Review::new(1);
    for _ in 0..2 {
        review.evolve(&review.next(lacking("name")));
    }
    review.reset();
    assert_eq!((review.rounds_left(), &review), (1, &Review::new(1)));
}

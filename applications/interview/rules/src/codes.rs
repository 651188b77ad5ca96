//! The outward codes of the refusals and faults, in one list. Each has a page in `docs/errors/`.

/// In alphabetical order.
pub const CODES: &[&str] = &[
    "agent-failed",
    "already-submitted",
    "answer-unread",
    "budget-not-higher",
    "consent-missing",
    "field-required",
    "field-unknown",
    "fields-missing",
    "file-not-taken",
    "form-faulty",
    "gate-unknown",
    "interview-abandoned",
    "interview-already-opened",
    "interview-not-opened",
    "interview-not-yours",
    "needs-a-person",
    "no-question-open",
    "not-confirming",
    "not-yet",
    "not-your-turn",
    "nothing-to-retry",
    "place-unknown",
];

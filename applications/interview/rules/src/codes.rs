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
    "interview-abandoned",
    "interview-not-yours",
    "no-question-open",
    "not-confirming",
    "not-yet",
    "place-unknown",
];

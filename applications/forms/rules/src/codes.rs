//! The outward codes of the refusals and faults, in one list. Each has a page in `docs/errors/`.

/// In alphabetical order.
pub const CODES: &[&str] = &[
    "field-unknown",
    "form-already-begun",
    "form-closed",
    "form-edited-meanwhile",
    "form-full",
    "form-not-begun",
    "form-not-yours",
    "form-unpublished",
    "link-revoked",
    "link-unfit",
    "link-unknown",
    "link-used",
    "links-exhausted",
    "needs-a-person",
    "not-your-turn",
    "nothing-to-publish",
    "nothing-to-retry",
    "rules-unfit",
    "text-too-long",
    "webhook-unfit",
];

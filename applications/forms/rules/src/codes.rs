//! The outward codes of the refusals and faults, in one list. Each has a page in `docs/errors/`.

/// In alphabetical order.
pub const CODES: &[&str] = &[
    "form-closed",
    "form-edited-meanwhile",
    "form-full",
    "form-not-yours",
    "form-unpublished",
    "link-revoked",
    "link-unfit",
    "link-unknown",
    "link-used",
    "links-exhausted",
    "nothing-to-publish",
    "rules-unfit",
    "webhook-unfit",
];

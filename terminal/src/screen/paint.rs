//! A little colour: names, warnings and what matters least. Plain text where there is none.

/// Paints, or leaves as it is.
#[derive(Debug, Clone, Copy)]
pub struct Paint(bool);

impl Paint {
    /// With colour, or without.
    pub fn new(colour: bool) -> Self {
        Self(colour)
    }

    /// What is looked for first.
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What matters least.
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// What is well.
    pub fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    /// What wants a look.
    pub fn warn(self, text: &str) -> String {
        self.with("33", text)
    }

    /// What is broken.
    pub fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

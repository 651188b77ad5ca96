//! OpenAI's chat completions, which most servers speak in their own accent.

pub(crate) mod request;
pub(crate) mod stream;

//! Anthropic's Messages API.

pub(crate) mod request;
pub(crate) mod schema;
pub(crate) mod stream;

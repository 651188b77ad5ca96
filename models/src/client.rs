//! A model behind a provider's HTTP interface: one attempt for one request.
//!
//! The dialects write requests and read replies without a network; this file carries both over it, and steps back to a
//! weaker way of asking where a server cannot do better. What it learned of a server it keeps as long as it lives. Neither
//! a failure nor a reply leaves here with the key in it.
//!
//! Trying again and waiting for a turn belong to the engine.

use std::sync::Mutex;

use async_trait::async_trait;
use enza_kernel::budget::Price;
use enza_kernel::conversation::{Reply, Request, ToolCall, Usage};
use enza_runtime::seams::model::{Deltas, Lane, Model, ModelFailure};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::cassette::ActiveCassette;
use crate::constraints::prompt_tokens;
use crate::failure::{RequestContext, by_loss, by_status, is_loopback, scrub, words_of};
pub use crate::http::Timeouts;
use crate::http::{CassetteContext, HttpAnswer, HttpEndpoint, key_header};
use crate::keys::Secret;
use crate::providers::{Dialect, Provider};
use crate::quirks::{Holds, Quirks};
use crate::read_reply::{ReadFailure, read};

/// How often one attempt may step back to a weaker way of asking.
const STEPS_BACK: usize = 6;
/// As much of an error as is read.
const LONGEST_ERROR: usize = 64 * 1024;
/// What a token of a reply may take on the wire.
const TOKEN_ON_THE_WIRE: usize = 2 * 1024;
/// What any reply may take on the wire, however short.
const REPLY_ON_THE_WIRE: usize = 8 * 1024 * 1024;

/// A model of a provider.
#[derive(Debug)]
pub struct Client {
    name: String,
    provider: Provider,
    model: String,
    key: Option<Secret>,
    price: Option<Price>,
    line: HttpEndpoint,
    quirks: Mutex<Quirks>,
}

/// Why a model cannot even be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The provider wants a key and there is none. Set the variable.
    #[error("{title} needs a key: set {variable}")]
    KeyMissing {
        /// The provider on screens.
        title: String,
        /// The variable that would hold the key.
        variable: String,
    },
    /// The key has letters that cannot be sent. Set the variable anew.
    #[error("the key for {title} has letters that no key has: set {variable} anew")]
    KeyUnusable {
        /// The provider on screens.
        title: String,
        /// The variable that holds the key.
        variable: String,
    },
    /// No model is named. Name one, as `provider/model`.
    #[error("no model of {title} is named")]
    ModelMissing {
        /// The provider on screens.
        title: String,
    },
    /// A header of the provider's file cannot be sent. Mend the file.
    #[error("the header {header:?} of {title} cannot be sent")]
    HeaderUnusable {
        /// The provider on screens.
        title: String,
        /// The header's name.
        header: String,
    },
    /// Connections cannot be made here at all: no certificates, most likely. Install the system's root certificates.
    #[error("no connections can be made: {why}")]
    NoConnections { why: String },
}

impl Client {
    /// A model of a provider, asked with a key where it needs one, counted at a price where one is known.
    pub fn new(
        provider: Provider,
        model: &str,
        key: Option<Secret>,
        price: Option<Price>,
        timeouts: Timeouts,
    ) -> Result<Self, ClientError> {
        let title = provider.title.clone();
        if model.trim().is_empty() {
            return Err(ClientError::ModelMissing { title });
        }
        let key = key.filter(|key| !key.expose().is_empty());
        let headers = headers(&provider, key.as_ref())?;
        let path = match provider.dialect {
            Dialect::Anthropic => "messages",
            Dialect::OpenAi => "chat/completions",
        };
        let url = format!("{}/{path}", provider.base_url.trim_end_matches('/'));
        let line = HttpEndpoint::new(url, headers, timeouts, is_loopback(&provider.base_url))
            .map_err(|why| ClientError::NoConnections { why: why.without_url().to_string() })?;
        Ok(Self {
            name: format!("{}/{model}", provider.name),
            quirks: Mutex::new(provider.quirks.clone()),
            model: model.to_owned(),
            provider,
            key,
            price,
            line,
        })
    }

    /// The same model with a cassette in: recorded, or played instead of asked.
    pub fn with_cassette(mut self, tape: ActiveCassette) -> Self {
        let reel = CassetteContext { tape, model: self.name.clone(), key: self.key.clone() };
        self.line = self.line.with_cassette(reel);
        self
    }

    async fn attempt(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        let mut quirks = self.quirks();
        for _ in 0..STEPS_BACK {
            let answer = self.ask(request, &quirks).await?;
            if answer.status.is_success() {
                let reading = read(self.provider.dialect, request, &quirks, answer.body, deltas).await;
                let draft = reading.map_err(|why| match why {
                    ReadFailure::Lost(lost) => by_loss(self.asked(), &lost),
                    ReadFailure::Failed(failure) => failure,
                })?;
                return Ok(draft.finish(&self.name, self.price.as_ref()));
            }
            let (status, after) = (answer.status, answer.after);
            let complaint = answer.body.rest(LONGEST_ERROR).await;
            let may_be_a_lack = [400, 422, 500, 501].contains(&status.as_u16());
            let words = words_of(&complaint);
            let before = quirks.clone();
            match may_be_a_lack.then(|| quirks.weaken(request, &words)).flatten() {
                Some(Holds::FromNowOn) => self.remember(&before, &quirks),
                Some(Holds::Once) => {}
                None => return Err(by_status(self.asked(), status, after, &complaint)),
            }
            tracing::debug!(model = self.name, %status, "asking in a weaker way");
        }
        Err(ModelFailure::Refused(format!("{} accepts no way of asking {}", self.provider.title, self.model)))
    }

    async fn ask(&self, request: &Request, quirks: &Quirks) -> Result<HttpAnswer, ModelFailure> {
        let body = self.body(request, quirks);
        let room = (request.max_output as usize).saturating_mul(TOKEN_ON_THE_WIRE).saturating_add(REPLY_ON_THE_WIRE);
        self.line.send(&body, room).await.map_err(|lost| by_loss(self.asked(), &lost))
    }

    fn body(&self, request: &Request, quirks: &Quirks) -> Value {
        match self.provider.dialect {
            Dialect::Anthropic => crate::anthropic::request::body(request, &self.model, quirks),
            Dialect::OpenAi => crate::openai::request::body(request, &self.model, quirks),
        }
    }

    fn asked(&self) -> RequestContext<'_> {
        RequestContext { provider: &self.provider, model: &self.model, with_key: self.key.is_some() }
    }

    fn quirks(&self) -> Quirks {
        self.quirks.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Keeps what was learned, unless this attempt began from something else than what is kept: another one has learned
    /// something meanwhile, or this one has stepped back for its own schema alone.
    fn remember(&self, before: &Quirks, after: &Quirks) {
        let mut kept = self.quirks.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if *kept == *before {
            *kept = after.clone();
        }
    }

    /// A reply without the key in it. No model is told the key, but what stands between it and us was: an answer that
    /// repeats the header would put it into the log for good.
    fn without_key(&self, reply: Reply) -> Reply {
        let Some(key) = &self.key else { return reply };
        let clean = |call: ToolCall| ToolCall {
            id: key.scrub(&call.id),
            tool: key.scrub(&call.tool),
            arguments: key.scrub_value(call.arguments),
        };
        Reply {
            text: key.scrub(&reply.text),
            thoughts: key.scrub(&reply.thoughts),
            calls: reply.calls.into_iter().map(clean).collect(),
            ..reply
        }
    }

    /// A failure without the key in it.
    fn scrubbed(&self, failure: ModelFailure) -> ModelFailure {
        let clean = |words: &str| scrub(words, self.key.as_ref().map(Secret::expose));
        match failure {
            ModelFailure::Broken(words) => ModelFailure::Broken(clean(&words)),
            ModelFailure::TooLong(words) => ModelFailure::TooLong(clean(&words)),
            ModelFailure::Refused(words) => ModelFailure::Refused(clean(&words)),
            ModelFailure::Busy { .. } | ModelFailure::TimedOut => failure,
        }
    }
}

#[async_trait]
impl Model for Client {
    fn name(&self, _request: &Request) -> String {
        self.name.clone()
    }

    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        match self.attempt(request, deltas).await {
            Ok(reply) => Ok(self.without_key(reply)),
            Err(failure) => Err(self.scrubbed(failure)),
        }
    }

    fn lane(&self, _request: &Request) -> Lane {
        Lane { name: self.provider.name.clone(), pace: self.provider.pace }
    }

    /// The estimate of the prompt with room for a tokenizer that cuts finer than ours and for words the provider adds,
    /// at the dearer of the two prices for reading, and a reply of full length.
    fn quote(&self, request: &Request) -> u64 {
        let Some(price) = self.price else { return 0 };
        let input = prompt_tokens(request).saturating_mul(3) / 2 + 512;
        let cache_write = if price.cache_write_per_million > price.input_per_million { input } else { 0 };
        price.cost(Usage { input, output: request.max_output.into(), cache_write, ..Usage::default() })
    }
}

fn headers(provider: &Provider, key: Option<&Secret>) -> Result<HeaderMap, ClientError> {
    let title = provider.title.clone();
    let variable = provider.key_variable.clone().unwrap_or_else(|| "its variable".into());
    let mut headers = HeaderMap::new();
    for (name, value) in &provider.headers {
        let unusable = || ClientError::HeaderUnusable { title: title.clone(), header: name.clone() };
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?;
        headers.insert(header, HeaderValue::from_str(value).map_err(|_| unusable())?);
    }
    match key {
        Some(key) => {
            let (header, before) = key_header(provider.dialect);
            let value = HeaderValue::from_str(&format!("{before}{}", key.expose()));
            let mut value = value.map_err(|_| ClientError::KeyUnusable { title, variable })?;
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        None if provider.needs_key => return Err(ClientError::KeyMissing { title, variable }),
        None => {}
    }
    Ok(headers)
}

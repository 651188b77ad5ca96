//! Traces for a collector that speaks OpenTelemetry over HTTP. Built in with the feature `otel` alone; without it,
//! asking for them is an error.
//!
//! The spans are those of the log: requests, model calls and tool runs, with the names of the conventions for
//! generative AI. They say who was asked, how long it took and what it cost, never what was said.

use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::LookupSpan;

use crate::arguments::Serve;
use crate::trouble::Trouble;

/// Sends spans to a collector; what is left is sent when it goes.
pub struct Traces {
    #[cfg(feature = "otel")]
    provider: opentelemetry_sdk::trace::SdkTracerProvider,
}

#[cfg(not(feature = "otel"))]
impl Traces {
    /// Where the command line says so.
    pub fn open(order: &Serve) -> Result<Option<Self>, Trouble> {
        if order.traces.is_some() { Err(Trouble::NoTraces) } else { Ok(None) }
    }

    /// What takes the spans.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> impl Layer<S> + use<S> {
        tracing_subscriber::layer::Identity::new()
    }
}

#[cfg(feature = "otel")]
impl Traces {
    /// Where the command line says so.
    pub fn open(order: &Serve) -> Result<Option<Self>, Trouble> {
        use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
        use opentelemetry_sdk::Resource;
        use opentelemetry_sdk::trace::SdkTracerProvider;

        let Some(url) = &order.traces else { return Ok(None) };
        let trouble = |why: String| Trouble::Address { address: url.clone(), why };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_endpoint(format!("{}/v1/traces", url.trim_end_matches('/')))
            .build()
            .map_err(|why| trouble(why.to_string()))?;
        let resource = Resource::builder().with_service_name("enza").build();
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
        Ok(Some(Self { provider }))
    }

    /// What takes the spans.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync>(&self) -> impl Layer<S> + use<S> {
        use opentelemetry::trace::TracerProvider as _;
        use tracing_subscriber::filter::LevelFilter;

        tracing_opentelemetry::layer().with_tracer(self.provider.tracer("enza")).with_filter(LevelFilter::INFO)
    }
}

#[cfg(feature = "otel")]
impl Drop for Traces {
    fn drop(&mut self) {
        if let Err(why) = self.provider.shutdown() {
            tracing::warn!(%why, "the last traces could not be sent");
        }
    }
}

//! What the OpenAPI document says of every route alike: who may come in, which problems there are, how a key works.
//!
//! Routes describe their own answers; statuses that follow from the kind of a request are added here, so that none is
//! forgotten. What a route says itself stays as it is.

use serde_json::Map;
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, HeaderBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, PathItem,
    Ref, Required, Response, ResponseBuilder,
};
use utoipa::{PartialSchema as _, ToSchema as _};

use super::idempotency;
use super::sessions::ProblemBody;

/// The name of the cookie, as `access` has it.
const COOKIE: &str = "enza";

/// A document without routes.
pub fn blank() -> OpenApi {
    let license = LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build();
    let info = InfoBuilder::new()
        .title("Enza")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(include_str!("document.md")))
        .license(Some(license))
        .build();
    let token = SecurityScheme::Http(
        HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("An API token, from the settings page."))
            .build(),
    );
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
        COOKIE,
        "What a browser has after signing in. Requests that change something must come from one of Enza's own pages.",
    )));
    let mut schemas = Vec::new();
    ProblemBody::schemas(&mut schemas);
    let components = ComponentsBuilder::new()
        .security_scheme("token", token)
        .security_scheme("cookie", cookie)
        .schema(ProblemBody::name(), ProblemBody::schema())
        .schemas_from_iter(schemas)
        .build();
    let nobody: [&str; 0] = [];
    let security = [SecurityRequirement::new("token", nobody), SecurityRequirement::new("cookie", nobody)];
    OpenApiBuilder::new().info(info).components(Some(components)).security(Some(security)).build()
}

/// Adds to every operation what holds for all of its kind.
pub fn complete(mut document: OpenApi) -> OpenApi {
    for item in document.paths.paths.values_mut() {
        for (method, operation) in operations(item) {
            let is_open = is_open(operation);
            if method == HttpMethod::Post && !is_open {
                accept_key(operation);
            }
            for (status, about) in problems(&method, operation, is_open) {
                let responses = &mut operation.responses.responses;
                responses.entry(status.to_owned()).or_insert_with(|| problem(about).into());
            }
        }
    }
    document
}

/// Whether nobody need be signed in.
fn is_open(operation: &Operation) -> bool {
    let needs = serde_json::to_value(&operation.security).unwrap_or_default();
    needs.as_array().is_some_and(|needs| needs.iter().all(|need| need.as_object().is_some_and(Map::is_empty)))
}

/// The operations at an address.
pub fn operations(item: &mut PathItem) -> Vec<(HttpMethod, &mut Operation)> {
    let all = [
        (HttpMethod::Get, &mut item.get),
        (HttpMethod::Post, &mut item.post),
        (HttpMethod::Put, &mut item.put),
        (HttpMethod::Patch, &mut item.patch),
        (HttpMethod::Delete, &mut item.delete),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?))).collect()
}

/// What can go wrong with a request of this kind.
fn problems(method: &HttpMethod, operation: &Operation, is_open: bool) -> Vec<(&'static str, &'static str)> {
    let mut all = vec![
        ("400", "The request could not be read, or has the null character in it"),
        ("429", "Too many requests in a short time, or too many open streams"),
        ("500", "Something went wrong on the server's side"),
        ("503", "The database cannot be reached, or the request took too long; try again later"),
    ];
    if !is_open {
        all.push(("401", "Nobody is signed in, or the token is unknown or has expired"));
        all.push(("403", "The person or the token may not do this, or the request came from another site"));
    }
    let has = |place: ParameterIn| {
        let parameters: &[Parameter] = operation.parameters.as_deref().unwrap_or_default();
        parameters.iter().any(|one| one.parameter_in == place)
    };
    // A request with a key may be about something that was deleted since it was answered.
    if has(ParameterIn::Path) || *method == HttpMethod::Post {
        all.push(("404", "There is no such thing, or it is someone else's"));
    }
    if has(ParameterIn::Path) || has(ParameterIn::Query) || *method != HttpMethod::Get {
        all.push(("422", "A part of the request is well formed and does not fit"));
    }
    if *method != HttpMethod::Get {
        all.push(("409", "It cannot be done as things stand; the code says why"));
        all.push(("507", "There is no room left on the disk"));
    }
    if operation.request_body.is_some() {
        all.push(("408", "The body did not come to its end in time"));
        all.push(("413", "The body is too large"));
        all.push(("415", "The body is not JSON"));
    }
    all
}

/// Every POST takes a key.
fn accept_key(operation: &mut Operation) {
    let text =
        ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)).min_length(Some(1)).max_length(Some(255));
    let key = ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("Sent twice with the same request, it is done once and answered twice. Kept for a day."))
        .schema(Some(text.pattern(Some("^[!-~]+$")).build()))
        .build();
    operation.parameters.get_or_insert_default().push(key);
    for (status, response) in &mut operation.responses.responses {
        if let utoipa::openapi::RefOr::T(response) = response
            && status.starts_with('2')
        {
            let replayed = HeaderBuilder::new().description(Some("`true` where this answer was given before.")).build();
            response.headers.insert(idempotency::REPLAYED.to_owned(), replayed);
        }
    }
}

fn problem(about: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(ProblemBody::name()))).build();
    ResponseBuilder::new().description(about).content("application/json", content).build()
}

//! A server, as the settings have it: a program of this machine or an address, and never both.
//!
//! What does not fit together is told with the key that is wrong, before anything is started. A secret never stands in a
//! file: where a header wants one, `${NAME}` stands for a variable of the environment. That is looked up only when the
//! server is reached (`remote`).

use std::collections::BTreeMap;

use enza_work::hazard;
use reqwest::Url;
use reqwest::header::HeaderName;
use serde::Deserialize;

use super::SettingsError;

/// Headers that the transport sets itself.
const OURS: [&str; 9] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];
/// What the name of a header has in it whose value is a secret.
const SECRET: [&str; 6] = ["auth", "cookie", "key", "password", "secret", "token"];

/// A server, as the settings have it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The address, where it is reached over HTTP and has no command.
    pub url: Option<String>,
    /// Names of the variables that a program gets besides `PATH`, `HOME` and the locale.
    pub environment: Vec<String>,
    /// Headers of every request to an address. `${NAME}` stands for the variable of that name.
    pub headers: BTreeMap<String, String>,
    /// The tools that may be used, with `*` at the end for all that begin so; empty for all.
    pub tools: Vec<String>,
    /// Variables of a program or headers of an address with their values, where whoever names the server gives them.
    /// Never read from a file.
    #[serde(skip)]
    pub values: Vec<(String, String)>,
}

/// How a server is reached.
#[derive(Debug, PartialEq, Eq)]
pub enum Transport<'a> {
    /// A program of this machine, at its standard input and output.
    Command { program: &'a str, arguments: &'a [String] },
    /// An address, over HTTP.
    Address(Url),
}

/// A part of a header's value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// As it stands.
    Plain(&'a str),
    /// The variable of this name.
    Variable(&'a str),
}

impl Server {
    /// How it is reached, or what in its settings does not fit.
    pub fn way(&self) -> Result<Transport<'_>, SettingsError> {
        match (self.command.split_first(), &self.url) {
            (Some(_), Some(_)) => Err(SettingsError::BothWays),
            (None, None) => Err(SettingsError::NoWay),
            (Some(_), None) if !self.headers.is_empty() => Err(SettingsError::HeadersOfCommand),
            (Some((program, arguments)), None) => Ok(Transport::Command { program, arguments }),
            (None, Some(_)) if !self.environment.is_empty() => Err(SettingsError::EnvironmentOfUrl),
            (None, Some(url)) => self.address(url).map(Transport::Address),
        }
    }

    fn address(&self, written: &str) -> Result<Url, SettingsError> {
        let url = Url::parse(written).map_err(|_| SettingsError::NoAddress)?;
        if !["http", "https"].contains(&url.scheme()) || !url.has_host() {
            return Err(SettingsError::NoAddress);
        }
        let names_somebody = !url.username().is_empty() || url.password().is_some();
        if names_somebody || !hazard::secrets(written).is_empty() {
            return Err(SettingsError::SecretInUrl);
        }
        self.headers.iter().try_for_each(|(name, value)| check_header(name, value))?;
        self.values.iter().try_for_each(|(name, _)| header_name(name).map(drop))?;
        let has_headers = !self.headers.is_empty() || !self.values.is_empty();
        if url.scheme() == "http" && has_headers && !is_near(&url) {
            return Err(SettingsError::OpenRoad);
        }
        Ok(url)
    }

    /// Whether its settings let a tool be used.
    pub fn allows(&self, tool: &str) -> bool {
        let fits = |pattern: &String| match pattern.strip_suffix('*') {
            Some(beginning) => tool.starts_with(beginning),
            None => tool == pattern,
        };
        self.tools.is_empty() || self.tools.iter().any(fits)
    }

    /// What is run or reached, in one line, with the headers as they are written.
    pub fn say(&self) -> String {
        let headers = self.headers.iter().map(|(name, value)| format!(" ({name}: {value})"));
        let way = self.url.iter().cloned().chain(self.command.iter().cloned());
        format!("{}{}", way.collect::<Vec<_>>().join(" "), headers.collect::<String>())
    }

    /// Whether a name can be a server's: rules and prompts have it in them.
    pub fn may_be_called(name: &str) -> bool {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        !name.is_empty() && name.len() <= 40 && name.chars().all(is_plain)
    }
}

/// Whether an address is on this machine.
pub(super) fn is_near(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A name that a header of ours does not have.
fn header_name(name: &str) -> Result<HeaderName, SettingsError> {
    let plain = HeaderName::from_bytes(name.as_bytes()).ok().filter(|plain| !OURS.contains(&plain.as_str()));
    plain.ok_or_else(|| SettingsError::Header { name: name.to_owned() })
}

fn check_header(name: &str, value: &str) -> Result<(), SettingsError> {
    let plain = header_name(name)?;
    let parts = parts(value).filter(|_| !value.contains(char::is_control));
    let parts = parts.ok_or_else(|| SettingsError::Header { name: name.to_owned() })?;
    let has_variable = parts.iter().any(|part| matches!(part, Part::Variable(_)));
    if !has_variable && is_secret(plain.as_str(), value) {
        return Err(SettingsError::SecretInHeader { name: name.to_owned() });
    }
    Ok(())
}

/// Whether a header's value is a secret, by its own look or because of the name that it is given to.
pub(super) fn is_secret(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET.iter().any(|word| name.contains(word)) || !hazard::secrets(value).is_empty()
}

/// The parts of a header's value; none where a `${` names no variable.
pub(super) fn parts(value: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, behind) = after.split_once('}')?;
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        parts.extend([Part::Plain(before), Part::Variable(name)]);
        rest = behind;
    }
    parts.push(Part::Plain(rest));
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(text: &str) -> Server {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_server_has_a_command_or_a_url_and_what_belongs_to_it() {
        let header = |name: &str| SettingsError::Header { name: name.to_owned() };
        let secret = |name: &str| SettingsError::SecretInHeader { name: name.to_owned() };
        let cases = [
            ("", SettingsError::NoWay),
            ("command = [\"x\"]\nurl = \"https://x\"", SettingsError::BothWays),
            ("command = [\"x\"]\nheaders = { a = \"b\" }", SettingsError::HeadersOfCommand),
            ("url = \"https://x\"\nenvironment = [\"A\"]", SettingsError::EnvironmentOfUrl),
            ("url = \"x.example/mcp\"", SettingsError::NoAddress),
            ("url = \"file:///etc/passwd\"", SettingsError::NoAddress),
            ("url = \"https://me:word@x.example\"", SettingsError::SecretInUrl),
            ("url = \"https://x.example/?api_key=q8Zr1vT4bN6kq8Zr1vT4\"", SettingsError::SecretInUrl),
            ("url = \"https://x\"\nheaders = { \"a b\" = \"c\" }", header("a b")),
            ("url = \"https://x\"\nheaders = { Host = \"c\" }", header("Host")),
            ("url = \"https://x\"\nheaders = { X = \"${}\" }", header("X")),
            ("url = \"https://x\"\nheaders = { X = \"${A\" }", header("X")),
            ("url = \"https://x\"\nheaders = { Authorization = \"Bearer abc\" }", secret("Authorization")),
            ("url = \"http://x.example\"\nheaders = { Team = \"blue\" }", SettingsError::OpenRoad),
        ];
        for (text, expected) in cases {
            assert_eq!(server(text).way(), Err(expected), "{text}");
        }
        for fine in [
            "url = \"https://x.example/mcp\"\nheaders = { Authorization = \"Bearer ${A}\", Team = \"blue\" }",
            "url = \"http://127.0.0.1:8000\"\nheaders = { X-Token = \"${A}${B_2}\" }",
            "url = \"http://[::1]:8000\"\nheaders = { X-Token = \"${A}\" }",
            "url = \"http://x.example\"",
        ] {
            assert!(matches!(server(fine).way(), Ok(Transport::Address(_))), "{fine}");
        }
    }

    #[test]
    fn what_a_server_is_shows_where_it_is_and_which_variables_go_there() {
        let text = "url = \"https://x/mcp\"\nheaders = { Authorization = \"Bearer ${TOKEN}\" }";
        assert_eq!(server(text).say(), "https://x/mcp (Authorization: Bearer ${TOKEN})");
        assert_eq!(server("command = [\"sh\", \"server\"]").say(), "sh server");
    }
}

//! Why an answer over HTTP did not come, or only a part, in words that end with the next step.
//!
//! Of an address only the host is named: a path or a question may be nobody's business.

use std::error::Error as _;

use enza_kernel::limits::one_line;
use enza_kernel::text::Lang;
use reqwest::Url;

/// The most of what the system says about a connection, in letters.
const WORDS: usize = 200;

/// What went wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.say(Lang::En))]
pub enum HttpFailure {
    /// No connection came about.
    Unreachable { host: String, why: String },
    /// We are not let in.
    Refused {
        /// 401 or 403.
        status: u16,
        /// The variables that our headers come from.
        variables: Vec<String>,
    },
    /// It answered with an error of another kind.
    Answered { status: u16, said: String },
    /// It wants to be asked elsewhere.
    Moved {
        /// The house that it names, as an address begins.
        to: String,
    },
    /// What answers does not speak the protocol.
    Foreign { what: String },
    /// An answer had more bytes than it may have.
    Endless { most: usize },
    /// The connection broke in the middle. Whether it had done what was asked, nobody knows.
    CutOff,
    /// It took too long.
    Silent {
        /// How long it was given.
        seconds: u64,
    },
}

impl HttpFailure {
    /// No connection, for this reason. The address is left out of the reason.
    pub(super) fn unreachable(url: &Url, why: &reqwest::Error) -> Self {
        let mut cause = why.source();
        let mut last = "no connection".to_owned();
        while let Some(deeper) = cause {
            last = deeper.to_string();
            cause = deeper.source();
        }
        Self::Unreachable { host: place(url), why: one_line(&last, WORDS) }
    }

    /// What happened, and what to do next.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            Self::Unreachable { host, why } => lang.pick(
                format!("{host} に接続できませんでした({why})。設定の url と、ネットワークやプロキシを確かめてください。"),
                format!("{host} could not be reached ({why}). Check the url in the settings, the network and the proxy."),
            ),
            Self::Refused { status, variables } if variables.is_empty() => lang.pick(
                format!(
                    "サーバーに断られました(HTTP {status})。鍵が要るなら、設定の headers に Authorization = \"Bearer ${{変数名}}\" のように書いてください。"
                ),
                format!(
                    "The server does not let us in (HTTP {status}). If it wants a key, write for example \
                     Authorization = \"Bearer ${{NAME}}\" into headers in the settings."
                ),
            ),
            Self::Refused { status, variables } => {
                let variables = variables.join(", ");
                lang.pick(
                    format!("サーバーに断られました(HTTP {status})。環境変数 {variables} の値が正しく、期限内か確かめてください。"),
                    format!(
                        "The server does not let us in (HTTP {status}). Check that the value of {variables} is right and \
                         has not expired."
                    ),
                )
            }
            Self::Answered { status, said } => lang.pick(
                format!("サーバーがエラーを返しました(HTTP {status} {said})。設定の url を確かめ、正しければ後でもう一度お試しください。"),
                format!(
                    "The server answered with an error (HTTP {status} {said}). Check the url in the settings; if it is \
                     right, try again later."
                ),
            ),
            Self::Moved { to } => lang.pick(
                format!("サーバーが別の場所({to})を示しました。転送には従いません。信頼できるなら、設定の url を書き換えてください。"),
                format!("The server points elsewhere ({to}), which is not followed. If you trust that, write it as the url."),
            ),
            Self::Foreign { what } => lang.pick(
                format!("答えが MCP(streamable HTTP)ではありません({what})。設定の url を確かめてください。/mcp で終わることが多いです。"),
                format!(
                    "What answers does not speak MCP over streamable HTTP ({what}). Check the url in the settings: it \
                     often ends with /mcp."
                ),
            ),
            Self::Endless { most } => lang.pick(
                format!("答えが{most}バイトを超えたため、打ち切りました。処理が済んだかどうかは分かりません。範囲を絞ってお試しください。"),
                format!(
                    "The answer had more than {most} bytes and was cut off; whether it had done what was asked is not \
                     known. Ask for less at a time."
                ),
            ),
            Self::CutOff => lang.pick(
                "答えの途中で接続が切れました。処理が済んだかどうかは分かりません。次に使うときに接続し直します。".to_owned(),
                "The connection broke in the middle of the answer; whether the server had done what was asked is not \
                 known. It is connected anew when it is next used."
                    .to_owned(),
            ),
            Self::Silent { seconds } => lang.pick(
                format!("{seconds}秒待っても答えがないため、接続を閉じました。次に使うときに接続し直します。"),
                format!("No answer in {seconds} s, so the connection was closed. It is made anew at the next use."),
            ),
        }
    }
}

/// The host of an address, with its port where one is written.
fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

//! Why a server's tool could not be used, in words that end with the next step.

use std::time::Duration;

use enza_kernel::text::Lang;

use super::{HttpFailure, SettingsError};

/// What went wrong with a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerError {
    /// The session has no such server.
    NoServer { name: String },
    /// The settings leave this tool out.
    NotAllowed {
        /// `server/tool`.
        tool: String,
    },
    /// The arguments are no JSON object.
    NoArguments,
    /// Its settings do not fit.
    Unfit(SettingsError),
    /// It is reached over HTTP, and no answer came.
    Lost(HttpFailure),
    /// A variable that it needs is not set.
    NoVariable { name: String },
    /// It could not be started.
    NotStarted {
        why: String,
        /// What it said last.
        last_words: String,
    },
    /// It ended in the middle. Whether it had done what was asked, nobody knows.
    Died {
        /// What it said last.
        last_words: String,
    },
    /// It took too long and was ended.
    Slow {
        /// How long it was given.
        seconds: u64,
        /// What it said last.
        last_words: String,
    },
    /// It speaks something else.
    Nonsense { what: String },
    /// It, or its tool, said no.
    Said { what: String },
    /// It has fallen too often and is not started again.
    Fallen {
        /// What it said last.
        last_words: String,
    },
}

impl ServerError {
    /// It took longer than this.
    pub(super) fn slow(patience: Duration) -> Self {
        Self::Slow { seconds: patience.as_secs(), last_words: String::new() }
    }

    /// The same of a server over HTTP.
    pub(super) fn silent(patience: Duration) -> Self {
        Self::Lost(HttpFailure::Silent { seconds: patience.as_secs() })
    }

    /// The same, with what the server said last.
    pub(super) fn with(self, words: &str) -> Self {
        let last_words = words.to_owned();
        match self {
            Self::NotStarted { why, .. } => Self::NotStarted { why, last_words },
            Self::Died { .. } => Self::Died { last_words },
            Self::Slow { seconds, .. } => Self::Slow { seconds, last_words },
            Self::Fallen { .. } => Self::Fallen { last_words },
            Self::NoServer { .. }
            | Self::NotAllowed { .. }
            | Self::NoArguments
            | Self::Unfit(_)
            | Self::Lost(_)
            | Self::NoVariable { .. }
            | Self::Nonsense { .. }
            | Self::Said { .. } => self,
        }
    }

    /// What the server said last, as far as it is known.
    pub(super) fn last_words(&self) -> &str {
        match self {
            Self::NotStarted { last_words, .. }
            | Self::Died { last_words }
            | Self::Slow { last_words, .. }
            | Self::Fallen { last_words } => last_words,
            Self::NoServer { .. }
            | Self::NotAllowed { .. }
            | Self::NoArguments
            | Self::Unfit(_)
            | Self::Lost(_)
            | Self::NoVariable { .. }
            | Self::Nonsense { .. }
            | Self::Said { .. } => "",
        }
    }

    /// What happened, and what to do next.
    pub fn say(&self, lang: Lang) -> String {
        let text = match self {
            Self::NoServer { name } => lang.pick(
                format!("サーバー{name}は設定にありません。companion.toml の [servers.{name}] を確かめてください。"),
                format!("No server {name} is set up here. Look at [servers.{name}] in companion.toml."),
            ),
            Self::NotAllowed { tool } => lang.pick(
                format!("{tool}は設定の tools にないため使えません。使うなら設定に加えてください。"),
                format!("{tool} is not among the tools its settings allow. Add it there to use it."),
            ),
            Self::NoArguments => lang.pick(
                "arguments は JSON のオブジェクトにしてください。".to_owned(),
                "Give the arguments as a JSON object.".to_owned(),
            ),
            Self::Unfit(unfit) => unfit.say(lang),
            Self::Lost(lost) => lost.say(lang),
            Self::NoVariable { name } => lang.pick(
                format!("環境変数{name}が設定されていません。設定してからもう一度お試しください。"),
                format!("The variable {name} is not set. Set it and try again."),
            ),
            Self::NotStarted { why, .. } => lang.pick(
                format!("サーバーを起動できませんでした({why})。設定の command を確かめてください。"),
                format!("The server could not be started ({why}). Check its command in the settings."),
            ),
            Self::Died { .. } => lang.pick(
                "サーバーが途中で終了しました。処理が済んだかどうかは分かりません。次に使うときに一度だけ起動し直します。".to_owned(),
                "The server ended in the middle; whether it had done what was asked is not known. It is started once \
                 more when it is next used."
                    .to_owned(),
            ),
            Self::Slow { seconds, .. } => lang.pick(
                format!("{seconds}秒待っても答えがないため、サーバーを終了しました。次に使うときに一度だけ起動し直します。"),
                format!("No answer in {seconds} s, so the server was ended. It is started once more when it is next used."),
            ),
            Self::Nonsense { what } => lang.pick(
                format!("サーバーの答えを理解できませんでした({what})。MCP のサーバーかどうか確かめてください。"),
                format!("The server's answer was not understood ({what}). Check that it is an MCP server."),
            ),
            Self::Said { what } => lang.pick(format!("ツールの返事: {what}"), format!("The tool says: {what}")),
            Self::Fallen { .. } => lang.pick(
                "サーバーが続けて終了したため、もう起動しません。原因を直してから、セッションを開き直してください。".to_owned(),
                "The server fell again and again and is not started any more. Mend the cause, then go on with the \
                 session in a new run."
                    .to_owned(),
            ),
        };
        let last_words = self.last_words();
        if last_words.is_empty() {
            return text;
        }
        lang.pick(format!("{text}\n最後の出力:\n{last_words}"), format!("{text}\nIt said last:\n{last_words}"))
    }
}

impl From<SettingsError> for ServerError {
    fn from(unfit: SettingsError) -> Self {
        Self::Unfit(unfit)
    }
}

impl From<HttpFailure> for ServerError {
    fn from(lost: HttpFailure) -> Self {
        Self::Lost(lost)
    }
}

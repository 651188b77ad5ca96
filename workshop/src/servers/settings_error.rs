//! What in a server's settings does not fit, in words that name the key and end with the next step.

use enza_kernel::text::Lang;

/// What does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsError {
    /// It has a command and a url.
    BothWays,
    /// It has neither.
    NoWay,
    HeadersOfCommand,
    /// It has a url, and variables of a program.
    EnvironmentOfUrl,
    /// The url is none that can be asked.
    NoAddress,
    SecretInUrl,
    /// A header cannot be sent.
    Header {
        name: String,
    },
    /// A header's value is a secret, and stands in the file.
    SecretInHeader {
        name: String,
    },
    /// Headers would cross the network readable by everyone.
    OpenRoad,
}

impl SettingsError {
    /// What does not fit, and what to write instead.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            Self::BothWays => lang.pick(
                "command と url の両方があります。どちらか一方だけにしてください。".to_owned(),
                "It has both a command and a url. Leave one of the two out.".to_owned(),
            ),
            Self::NoWay => lang.pick(
                "command も url もありません。command にプログラムと引数を並べるか、url に番地を書いてください。".to_owned(),
                "It has neither a command nor a url. List a program and its arguments as the command, or write an \
                 address as the url."
                    .to_owned(),
            ),
            Self::HeadersOfCommand => lang.pick(
                "headers は url のあるサーバーのものです。プログラムに値を渡すには environment に変数名を書いてください。"
                    .to_owned(),
                "The headers belong to a server with a url. To hand a program a value, name its variable in environment."
                    .to_owned(),
            ),
            Self::EnvironmentOfUrl => lang.pick(
                "environment は command のあるサーバーのものです。url のサーバーには headers に ${変数名} と書いてください。"
                    .to_owned(),
                "The environment belongs to a server with a command. For one with a url write ${NAME} in headers."
                    .to_owned(),
            ),
            Self::NoAddress => lang.pick(
                "url は https:// か http:// で始まる番地にしてください。".to_owned(),
                "Write the url as an address that begins with https:// or http://.".to_owned(),
            ),
            Self::SecretInUrl => lang.pick(
                "url に秘密の値が含まれています。url から除き、headers に ${変数名} と書いてください。".to_owned(),
                "The url has a secret in it. Take it out, and write ${NAME} in headers instead.".to_owned(),
            ),
            Self::Header { name } => lang.pick(
                format!("headers の {name} は送れません。名前と ${{変数名}} の書き方を確かめ、通信そのもののヘッダーは除いてください。"),
                format!(
                    "The header {name} in headers cannot be sent. Check its name and how ${{NAME}} is written, and leave \
                     out headers of the transport itself."
                ),
            ),
            Self::SecretInHeader { name } => lang.pick(
                format!("headers の {name} に秘密の値が書かれています。値は環境変数に移し、${{変数名}} と書いてください。"),
                format!("The header {name} has a secret in the file. Move it to a variable, and write ${{NAME}} here."),
            ),
            Self::OpenRoad => lang.pick(
                "headers を暗号化せずにほかの機械へ送ることはできません。url を https:// で始めてください。".to_owned(),
                "Headers are not sent to another machine unencrypted. Begin the url with https://.".to_owned(),
            ),
        }
    }
}

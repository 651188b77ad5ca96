//! What is said around the server.

use enza_kernel::text::{Lang, Said};

use crate::trouble::Trouble;

/// The one line with the address.
pub fn ready(lang: Lang, address: &str) -> String {
    lang.pick(format!("Enza が動いています: {address}"), format!("Enza is at {address}"))
}

/// Nobody but the understudy plays.
pub fn understudy(lang: Lang) -> &'static str {
    lang.pick(
        "モデルがないので、代役(規則で動く代わりのもの)が答えます。",
        "There is no model yet, so the understudy answers: a rule-based stand-in.",
    )
}

/// A one-time link.
pub fn link(lang: Lang, name: &str, address: &str) -> String {
    lang.pick(
        format!("{name} としてサインインするリンク(1回だけ、1時間有効): {address}"),
        format!("A link that signs in {name}, once, within an hour: {address}"),
    )
}

/// Why the server did not start, or a link was not made; anything else is said elsewhere.
pub fn trouble(trouble: &Trouble, lang: Lang) -> Said {
    let said = |ja: (String, &str), en: (String, &str)| {
        let (message, hint) = lang.pick(ja, en);
        Said::new(message, hint)
    };
    match trouble {
        Trouble::Address { address, why } => said(
            (
                format!("{address} で待ち受けられません: {why}"),
                "別のアドレスを --listen で指定するか、そこを使っているプログラムを終わらせてください。",
            ),
            (
                format!("Cannot listen on {address}: {why}."),
                "Name another address with --listen, or end the program that uses it.",
            ),
        ),
        Trouble::AccountsNeeded { address } => said(
            (
                format!("{address} はこの機械の外にも開かれます。アカウントなしでは開けません。"),
                "--accounts を付けるか、127.0.0.1 で待ち受けてください。",
            ),
            (
                format!("{address} is open to other machines, which needs accounts."),
                "Add --accounts, or listen on 127.0.0.1.",
            ),
        ),
        Trouble::PublicUnfit { url } => said(
            (
                format!("「{url}」はブラウザーから見たアドレスになりません。"),
                "https://enza.example のように書いてください。",
            ),
            (format!("{url:?} is no address that a browser could use."), "Write it like https://enza.example."),
        ),
        Trouble::LogLevel { level } => said(
            (format!("「{level}」はログの細かさになりません。"), "error、warn、info、debug のどれかにしてください。"),
            (format!("{level:?} is no level for logs."), "Use error, warn, info or debug."),
        ),
        Trouble::NoPerson { name } => said(
            (format!("「{name}」という人はいません。"), "名前を確かめてください。"),
            (format!("There is nobody named {name:?}."), "Check the name."),
        ),
        _ => said(
            (
                "このビルドはトレースを送れません。".to_owned(),
                "cargo build --features otel で作り直すか、--traces を外してください。",
            ),
            ("This build sends no traces.".to_owned(), "Build with --features otel, or leave --traces out."),
        ),
    }
}

//! What is said around the server.

use enza_kernel::text::{Lang, Said};

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

/// The server cannot listen there.
pub fn address(lang: Lang, address: &str, why: &str) -> Said {
    lang.pick(
        Said::new(
            format!("{address} で待ち受けられません: {why}"),
            "別のアドレスを --listen で指定するか、そこを使っているプログラムを終わらせてください。",
        ),
        Said::new(
            format!("Cannot listen on {address}: {why}."),
            "Name another address with --listen, or end the program that uses it.",
        ),
    )
}

/// The server would be open to other machines without accounts.
pub fn accounts_needed(lang: Lang, address: &str) -> Said {
    lang.pick(
        Said::new(
            format!("{address} はこの機械の外にも開かれます。アカウントなしでは開けません。"),
            "--accounts を付けるか、127.0.0.1 で待ち受けてください。",
        ),
        Said::new(
            format!("{address} is open to other machines, which needs accounts."),
            "Add --accounts, or listen on 127.0.0.1.",
        ),
    )
}

/// The public address is none.
pub fn public_unfit(lang: Lang, url: &str) -> Said {
    lang.pick(
        Said::new(
            format!("「{url}」はブラウザーから見たアドレスになりません。"),
            "https://enza.example のように書いてください。",
        ),
        Said::new(format!("\"{url}\" is no address that a browser could use."), "Write it like https://enza.example."),
    )
}

/// A proxy's address is none.
pub fn proxy_unfit(lang: Lang, typed: &str) -> Said {
    lang.pick(
        Said::new(
            format!("「{typed}」はプロキシのアドレスになりません。"),
            "127.0.0.1 や 10.0.0.0/8 のように、名前ではなく数字で書いてください。",
        ),
        Said::new(
            format!("\"{typed}\" is no address of a proxy."),
            "Write it in numbers, like 127.0.0.1 or 10.0.0.0/8, not as a name.",
        ),
    )
}

/// The level of logs is none.
pub fn log_level(lang: Lang, level: &str) -> Said {
    lang.pick(
        Said::new(
            format!("「{level}」はログの細かさになりません。"),
            "error、warn、info、debug のどれかにしてください。",
        ),
        Said::new(format!("\"{level}\" is no level for logs."), "Use error, warn, info or debug."),
    )
}

/// This build sends no traces.
pub fn no_traces(lang: Lang) -> Said {
    lang.pick(
        Said::new(
            "このビルドはトレースを送れません。",
            "cargo build --features otel で作り直すか、--traces を外してください。",
        ),
        Said::new("This build sends no traces.", "Build with --features otel, or leave --traces out."),
    )
}

/// There is nobody of that name.
pub fn no_person(lang: Lang, name: &str) -> Said {
    lang.pick(
        Said::new(format!("「{name}」という人はいません。"), "名前を確かめてください。"),
        Said::new(format!("There is nobody named \"{name}\"."), "Check the name."),
    )
}

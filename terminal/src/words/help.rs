//! What `--help` says. One table for both languages; `with_help` puts it on the tree of commands.
//!
//! A key is the path to a command, or that path and the name of an argument. Applications bring the lines of their own
//! orders; what stands in braces here is filled in with what they are called. A test walks the tree and the table and
//! insists that they name the same things.

use std::collections::BTreeSet;

use clap::Command;
use enza_kernel::text::Lang;

use crate::applications::Applications;
use crate::arguments;
use crate::commands::simulate;
use crate::part::HelpLine;
use crate::screen::fold;

const TABLE: &[HelpLine] = &[
    (
        "enza",
        "人と言語モデルのエージェントが交代で進めるセッションを動かします。\nコマンドなしで実行すると、サーバーが動きます。",
        "Runs sessions in which people and language-model agents take turns.\nWithout a command it serves its pages on this machine.",
    ),
    (
        "enza data",
        "データのフォルダー(環境変数 ENZA_DATA、なければ XDG の enza)",
        "the data folder (ENZA_DATA; else enza in the XDG data folder)",
    ),
    (
        "enza database",
        "データベースの場所: sqlite:PATH または postgres://…(環境変数 ENZA_DATABASE)",
        "the database: sqlite:PATH or postgres://… (ENZA_DATABASE; else a file in the data folder)",
    ),
    (
        "enza durability",
        "受け付けた内容の確実さ: full(電源断でも残る、既定)または normal(プロセスの停止では残る)",
        "full: what is acknowledged survives a power cut (default); normal: a crash",
    ),
    (
        "enza model_wanted",
        "使うモデル: 提供元/モデル、local、understudy(環境変数 ENZA_MODEL、次に設定ファイル)",
        "the model: PROVIDER/MODEL, local or understudy (ENZA_MODEL; else the config file)",
    ),
    ("enza model", "使うモデルを調べ、選び、取り込みます", "looks at models, chooses one, brings one to this machine"),
    (
        "enza model list",
        "使うモデルとその理由、この機械にあるモデル、キーのある提供元を表示します",
        "shows the model in use and why, the models on this machine, and the providers that have a key",
    ),
    (
        "enza model use",
        "これから使うモデルを設定ファイルに書きます",
        "writes the model to use from now on into the config file",
    ),
    (
        "enza model use name",
        "提供元/モデル、local、local/名前、understudy のどれか",
        "PROVIDER/MODEL, local, local/NAME or understudy",
    ),
    (
        "enza model pull",
        "キーのいらないモデルと、それを動かすサーバーをこの機械に取り込みます。中断しても続きから再開します",
        "Brings a model that needs no key to this machine, and the server that runs it. Can be interrupted; goes on where it was.",
    ),
    (
        "enza model pull what",
        "default(既定、1.1 GB)、small(98 MB、試験用)、server、または 所有者/リポジトリ/ファイル.gguf",
        "default (1.1 GB), small (98 MB, for trials), server, or OWNER/REPO/FILE.gguf",
    ),
    (
        "enza model test",
        "モデルに何ができるかを試し、1つの表で示します",
        "tries what a model can do, and shows it in one table",
    ),
    ("enza model test name", "試すモデル(既定は今使うもの)", "the model to try (the one in use)"),
    ("enza model remove", "この機械からモデルを削除します", "removes a model from this machine"),
    ("enza model remove name", "モデルの名前(small、default など)", "the model's name (small, default, …)"),
    ("enza model remove yes", "確認せずに削除します", "does not ask first"),
    (
        "enza lang",
        "表示の言語: ja または en(既定は LC_ALL、LC_MESSAGES、LANG から)",
        "ja or en (else from LC_ALL, LC_MESSAGES or LANG)",
    ),
    (
        "enza json",
        "結果を JSON で出力します。標準出力にはほかに何も書きません",
        "prints the result as JSON, and nothing else on standard output",
    ),
    ("enza quiet", "結果でないものは表示しません", "leaves out what is not the result"),
    ("enza no_color", "色を使いません(環境変数 NO_COLOR でも)", "uses no colour (also: NO_COLOR)"),
    ("enza help", "この説明を表示します", "prints this help"),
    ("enza version", "版を表示します", "prints the version"),
    (
        "enza serve",
        "Web の画面と API を提供します。コマンドなしの enza と同じです。Ctrl-C で終わります",
        "Serves the pages and the API, as enza without a command does. Ends with Ctrl-C.",
    ),
    (
        "enza serve listen",
        "待ち受けるアドレス(既定は 127.0.0.1:7878)。この機械の外に開くには --accounts が必要です",
        "the address to listen on (127.0.0.1:7878); one beyond this machine needs --accounts",
    ),
    (
        "enza serve accounts",
        "アカウントを使います。最初の管理者は、起動時に表示されるリンクから登録します。管理者は、この機械のフォルダーで{for_admins}を使えます",
        "people have accounts; the first administrator registers by the link that is printed at the start. Administrators may use {for_admins} in folders of this machine",
    ),
    (
        "enza serve public",
        "ブラウザーから見たアドレス(例 https://enza.example)。https なら Cookie に Secure が付きます",
        "how browsers reach it, such as https://enza.example; with https, cookies are marked Secure",
    ),
    ("enza serve log", "ログの形: human(既定)または json", "the form of log lines: human (default) or json"),
    (
        "enza serve log_level",
        "ログの細かさ: error、warn(既定)、info、debug。部屋ごとにも書けます(info,enza_runtime=debug)(環境変数 ENZA_LOG)",
        "error, warn (default), info or debug, also by room: info,enza_runtime=debug (ENZA_LOG)",
    ),
    (
        "enza serve traces",
        "OpenTelemetry のトレースを送る先(例 http://127.0.0.1:4318)。feature otel を付けてビルドしたときだけ使えます",
        "where to send OpenTelemetry traces, such as http://127.0.0.1:4318; only in builds with the feature otel",
    ),
    (
        "enza serve webhooks_to_private",
        "アカウントがあっても、回答をこの機械や内部ネットワークのアドレスに送れるようにします",
        "send submissions to addresses on this machine and inside its network, too, where there are accounts",
    ),
    (
        "enza serve proxy",
        "手前に置いたプロキシのアドレスかネットワーク(例 127.0.0.1、10.0.0.0/8)。そこから来た X-Forwarded-For と X-Forwarded-Proto だけを信じます。何度でも書けます",
        "a proxy before it, by address or network, such as 127.0.0.1 or 10.0.0.0/8: only from there X-Forwarded-For and X-Forwarded-Proto are believed; may be given several times",
    ),
    (
        "enza serve connections",
        "同時に受ける接続の数(既定は4096。開けるファイルの数が足りなければ、それに合わせます)",
        "the most connections at a time (4096, or as many as the limit of open files has room for)",
    ),
    (
        "enza serve connections_per_address",
        "一つのアドレスから同時に受ける接続の数(既定は512。--proxy のアドレスには効きません)",
        "the most connections from one address (512); those of --proxy are not counted",
    ),
    (
        "enza tour",
        "短い案内。台本による本物のセッションを一つ行います",
        "a short tour: a real session, played by a script",
    ),
    ("enza account", "アカウントを扱います", "looks after accounts"),
    (
        "enza account link",
        "1回だけサインインできるリンクを作ります。サーバーが動いていても使えます",
        "makes a link that signs in once; works beside a running server",
    ),
    (
        "enza account link name",
        "だれのリンクか(省くと、この機械の所有者)",
        "whose (this machine's owner where none is named)",
    ),
    (
        "enza account link public",
        "サーバーのアドレス(既定は http://127.0.0.1:7878)",
        "the server's address (http://127.0.0.1:7878)",
    ),
    (
        "enza session",
        "セッションを始め、話し、調べ、分岐し、削除します",
        "opens sessions, talks in them, looks at them, forks and deletes them",
    ),
    ("enza session list", "セッションの一覧を、新しく変わった順に表示します", "lists sessions, the last changed first"),
    ("enza session list application", "このアプリケーションだけ", "of this application only"),
    (
        "enza session list phase",
        "この状態だけ: working、waiting、gate、stuck、ended",
        "in this phase only: working, waiting, gate, stuck or ended",
    ),
    (
        "enza session list of",
        "このセッションに属するものだけ(IDの先頭か末尾でも可)",
        "those that belong to this session only (the beginning or end of its id is enough)",
    ),
    ("enza session list search", "名前か会話にこの言葉を含むものだけ", "those whose name or talk has this in it only"),
    ("enza session list limit", "最大の件数(既定 20、0 で全部)", "at most so many (20; 0 for all)"),
    (
        "enza session open",
        "アプリケーションのセッションを始めて、そのまま話します",
        "opens a session of any application, and goes on in it",
    ),
    ("enza session open application", "アプリケーションの名前", "the application"),
    (
        "enza session open opening",
        "用意された始め方の名前(既定は最初のもの)",
        "which of its ready-made ways to begin (the first)",
    ),
    ("enza session open command", "セッションを開くコマンド(JSON)", "the command that opens it, as JSON"),
    ("enza session open plain", "書き換えずに、一行ずつ表示します", "line by line; nothing is ever drawn over"),
    (
        "enza session talk",
        "セッションで話します。端末がなければ、標準入力の行を順に送ります。--json では、出来事と今できることが JSON になります",
        "talks in a session of any application; without a terminal, sends the lines of standard input. With --json, what happens and what may be done come as JSON",
    ),
    ("enza session talk id", "セッションのID(先頭か末尾でも可)", "the session's id, or the beginning or end of it"),
    ("enza session talk plain", "書き換えずに、一行ずつ表示します", "line by line; nothing is ever drawn over"),
    (
        "enza session show",
        "状態、進み具合、使用量、最後のイベントを表示します",
        "shows where a session stands, its progress, its usage and its last events",
    ),
    ("enza session show id", "セッションのID(先頭か末尾でも可)", "the session's id, or the beginning or end of it"),
    ("enza session events", "イベントを順に表示します", "prints the events, in order"),
    ("enza session events id", "セッションのID(先頭か末尾でも可)", "the session's id, or the beginning or end of it"),
    ("enza session events after", "この番号より後だけ", "only those after this number"),
    ("enza session events limit", "最大の件数", "at most so many"),
    (
        "enza session events raw",
        "秘密も伏せずに、そのまま出力します(既定では、{masked}のセッションの秘密を伏せます)",
        "with secrets as they are (they are masked in sessions of {masked})",
    ),
    (
        "enza session watch",
        "イベントが起きるたびに表示します。セッションが終わると終わります",
        "follows a session live, until it ends",
    ),
    ("enza session watch id", "セッションのID(先頭か末尾でも可)", "the session's id, or the beginning or end of it"),
    ("enza session watch after", "この番号より後だけ", "only events after this number"),
    (
        "enza session export",
        "セッション全体を1つの JSON にして出力します",
        "prints the whole session as one JSON document",
    ),
    ("enza session export id", "セッションのID(先頭か末尾でも可)", "the session's id, or the beginning or end of it"),
    (
        "enza session export raw",
        "秘密も伏せずに、そのまま出力します(既定では、{masked}のセッションの秘密を伏せます)",
        "with secrets as they are (they are masked in sessions of {masked})",
    ),
    (
        "enza session fork",
        "あるイベントまでを共有する、別のセッションを作ります",
        "makes another session that shares this one's events up to a number",
    ),
    ("enza session fork id", "セッションのID(先頭か末尾でも可)", "the session's id, or the beginning or end of it"),
    (
        "enza session fork at",
        "共有する最後のイベントの番号(既定は最後)。一つの決定の途中なら、その決定の終わりまで共有します",
        "the last event to share (the last there is); in the middle of a decision, its end",
    ),
    (
        "enza session replay",
        "記録から状態を作り直し、スナップショットとすべてのプロンプトを比べます",
        "folds the log anew, and compares the snapshot and every recorded prompt",
    ),
    ("enza session replay id", "セッションのID(先頭か末尾でも可)", "the session's id, or the beginning or end of it"),
    ("enza session delete", "セッションと、その記録すべてを削除します", "deletes a session and everything kept for it"),
    ("enza session delete id", "セッションのID(先頭か末尾でも可)", "the session's id, or the beginning or end of it"),
    ("enza session delete yes", "確認せずに削除します", "does not ask first"),
    (
        "enza prompt",
        "返事のもとになったプロンプトを、もう一度そのまま作って表示します",
        "renders the prompt behind a reply again, or those due after an event",
    ),
    ("enza prompt id", "セッションのID(先頭か末尾でも可)", "the session's id, or the beginning or end of it"),
    ("enza prompt seq", "イベントの番号", "the number of the event"),
    (
        "enza prompt raw",
        "秘密も伏せずに、そのまま出力します(既定では、{masked}のセッションの秘密を伏せます)",
        "with secrets as they are (they are masked in sessions of {masked})",
    ),
    (
        "enza moves",
        "アプリケーションの遷移表を Mermaid の図で出力します",
        "prints an application's table of moves as a Mermaid diagram",
    ),
    ("enza moves application", "アプリケーションの名前", "the application"),
    (
        "enza usage",
        "モデルの使用量と費用を表示します。--json では正確な整数です(費用は100万分の1米ドル)",
        "shows how much models were used and what it cost; exact with --json (cost in millionths of a US dollar)",
    ),
    (
        "enza usage by",
        "何別に合計するか: day(既定)、model、application、session",
        "what to sum by: day (default), model, application or session",
    ),
    ("enza usage days", "今日までの日数(UTC、既定 30)", "so many days up to today, by UTC (30)"),
    (
        "enza usage session",
        "このセッションだけ(IDの先頭か末尾でも可)",
        "of this session only (the beginning or end of its id is enough)",
    ),
    (
        "enza doctor",
        "フォルダー、データベース、言語、端末を調べ、直し方を示します",
        "examines folder, database, language and terminal, and says what to do",
    ),
    (
        "enza doctor deep",
        "データベース全体を、最初のイベントから最後まで確かめます(大きさに応じて時間がかかります)",
        "checks everything in the database, from the first event to the last; takes as long as reading all of it",
    ),
    (
        "enza doctor accept_log_loss",
        "途中で壊れた書き込みログを読める所で切り、写しを横に残して続けられるようにします",
        "cuts a broken write-ahead log off where it breaks, and keeps a copy beside it",
    ),
    (
        "enza doctor begin_anew",
        "データベースをいまのまま覚え直します。空かなくなっていれば、次に新しく作ります",
        "remembers the database as it is now; where it is empty or gone, a new one is made next",
    ),
    (
        "enza backup",
        "データベースのすべてを1つのファイルに写し、確かめます。サーバーが動いていても取れます",
        "copies everything in the database to one file, and checks it; a server may be running",
    ),
    ("enza backup to", "新しいファイル、またはフォルダー", "a new file, or a folder"),
    (
        "enza restore",
        "バックアップを確かめ、データベースに戻します。SQLite にも PostgreSQL にも戻せます",
        "checks a backup and puts it back, into SQLite or PostgreSQL",
    ),
    ("enza restore from", "enza backup が作ったファイル", "a file made by enza backup"),
    (
        "enza restore replace",
        "すでにあるデータベースを置き換えます(SQLite なら別の名前で残します)",
        "replaces a database that is there; a SQLite file is kept under another name",
    ),
    (
        "enza simulate",
        "障害を起こしながらエンジンを動かし、約束が守られるかを調べます。同じ種からは同じ結果になります",
        "runs the engine under faults of every kind and checks what is promised. A seed repeats exactly",
    ),
    ("enza simulate seeds", "種の数(既定 100)", "how many seeds (100)"),
    ("enza simulate seed", "この種だけ", "this seed alone"),
    ("enza simulate from", "最初の種(既定 1)", "the first seed (1)"),
    (
        "enza simulate minutes",
        "この時間(分)、これまでに試していない種を、すべての演じ方で順に試します",
        "for so many minutes, plays seeds that were never played before, in every way of playing by turns",
    ),
    (
        "enza simulate application",
        "このアプリケーションだけ: {applications}",
        "of this application only: {applications}",
    ),
    ("enza simulate profile", "この演じ方だけ: {profiles}", "this way of playing only: {profiles}"),
    (
        "enza drill",
        "停止試験の作業者です。台本どおりのセッションを、すべて終わるまで進めます(何度止めて始め直してもかまいません)",
        "a worker for crash tests: goes through scripted sessions until all have ended, however often it is killed and started again",
    ),
    ("enza drill sessions", "セッションの数", "how many sessions"),
    ("enza drill rounds", "それぞれ何回行うか(既定 1)", "how often each (1)"),
    (
        "enza drill journal",
        "受け付けられたコマンドを、このファイルにも書きます",
        "also appends acknowledged commands to this file",
    ),
];

const STATUS_JA: &str = "終了コード: 0 完了、1 失敗、2 使い方の誤り、3 規則による拒否、4 答える人がいない、130 中断";
const STATUS_EN: &str =
    "Exit status: 0 done, 1 failed, 2 wrong usage, 3 refused by a rule, 4 nobody there to answer, 130 interrupted";

/// Where the explanations of options begin; those of commands begin earlier.
const COLUMN: usize = 30;
/// Options that every command has come after its own.
const LAST: usize = 100;

/// Help in two columns needs some room.
const NARROWEST: usize = 60;

/// The tree of commands with its help in one language, for lines of this width.
pub fn with_help(command: Command, applications: &Applications, lang: Lang, width: usize) -> Command {
    let width = width.max(NARROWEST);
    let status = fold(lang.pick(STATUS_JA, STATUS_EN), width - 2).join("\n");
    let texts = HelpTexts { applications, lang, width };
    texts.add(command, "enza").after_help(status).term_width(width)
}

/// Everything that is explained, for the reader of one help.
struct HelpTexts<'a> {
    applications: &'a Applications,
    lang: Lang,
    width: usize,
}

impl HelpTexts<'_> {
    fn add(&self, command: Command, path: &str) -> Command {
        let (lang, width) = (self.lang, self.width);
        let usage = lang.pick("使い方", "Usage");
        let arguments: Vec<_> =
            command.get_arguments().map(|argument| (argument.get_id().clone(), argument.is_positional())).collect();
        let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
        let mut command = command
            .about(self.text(path, width - 16))
            .help_template(format!("{{about-with-newline}}\n{usage}: {{usage}}\n\n{{all-args}}{{after-help}}"))
            .subcommand_help_heading(lang.pick("コマンド", "Commands"));
        for (place, (id, is_positional)) in arguments.into_iter().enumerate() {
            let heading =
                if is_positional { lang.pick("引数", "Arguments") } else { lang.pick("オプション", "Options") };
            let help = self.text(&format!("{path} {id}"), width - COLUMN - 2);
            command = command.mut_arg(id, |argument| {
                let argument = argument.help(help).help_heading(heading);
                argument.display_order(if path == "enza" { LAST + place } else { place })
            });
        }
        for name in names {
            let below = format!("{path} {name}");
            command = command.mut_subcommand(name, |sub| self.add(sub, &below));
        }
        command
    }

    /// The text behind a key. Japanese has no spaces to break a line at, so we break it ourselves.
    fn text(&self, key: &str, room: usize) -> String {
        let found = table(self.applications).find(|(known, ..)| *known == key);
        match (self.lang, found) {
            (Lang::Ja, Some((_, ja, _))) => fold(&self.filled(ja), room).join("\n"),
            (Lang::En, Some((.., en))) => self.filled(en),
            (Lang::Ja | Lang::En, None) => String::new(),
        }
    }

    /// A text with what the applications are called.
    fn filled(&self, text: &str) -> String {
        let (all, lang) = (self.applications, self.lang);
        if !text.contains('{') {
            return text.to_owned();
        }
        text.replace("{masked}", &all.masked(lang))
            .replace("{for_admins}", &all.for_admins(lang))
            .replace("{applications}", &one_of(lang, &simulate::applications(all)))
            .replace("{profiles}", &one_of(lang, &simulate::profiles(all)))
    }
}

/// Words of which one is to be chosen.
fn one_of(lang: Lang, words: &[&str]) -> String {
    match (lang, words) {
        (Lang::En, [first @ .., last]) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        (Lang::Ja | Lang::En, _) => words.join(lang.pick("、", ", ")),
    }
}

/// Everything that is explained: our own orders, and those of applications.
fn table(applications: &Applications) -> impl Iterator<Item = &'static HelpLine> {
    TABLE.iter().chain(applications.help())
}

/// What of the tree of commands is not explained, and what is explained and not in it.
pub fn faults(applications: &Applications) -> Vec<String> {
    let mut keys = BTreeSet::new();
    walk(&arguments::command(applications), "enza", &mut keys);
    let explained: BTreeSet<String> = table(applications).map(|(key, ..)| (*key).to_owned()).collect();
    keys.symmetric_difference(&explained).cloned().collect()
}

fn walk(command: &Command, path: &str, keys: &mut BTreeSet<String>) {
    keys.insert(path.to_owned());
    keys.extend(command.get_arguments().map(|argument| format!("{path} {}", argument.get_id())));
    for sub in command.get_subcommands() {
        walk(sub, &format!("{path} {}", sub.get_name()), keys);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_argument_is_explained_and_nothing_else_is() {
        assert_eq!(faults(&Applications::default()), Vec::<String>::new());
    }

    #[test]
    fn the_tree_is_sound_in_both_languages() {
        let none = Applications::default();
        for lang in [Lang::Ja, Lang::En] {
            with_help(arguments::command(&none), &none, lang, 80).debug_assert();
        }
    }

    #[test]
    fn of_several_words_one_is_to_be_chosen() {
        assert_eq!(one_of(Lang::En, &["till"]), "till");
        assert_eq!(one_of(Lang::En, &["a", "b", "c"]), "a, b or c");
        assert_eq!(one_of(Lang::Ja, &["a", "b", "c"]), "a、b、c");
    }
}

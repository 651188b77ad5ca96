//! What `enza companion --help` says.

use enza_terminal::part::HelpLine;

/// A line for each command and each argument.
pub const HELP: &[HelpLine] = &[
    (
        "enza companion",
        "フォルダーの中のコードを一緒に扱う、慎重な相棒です。変更とコマンドは、差分を見せて承認を得てから行います。\n端末がなければ、-p か標準入力の言葉を一度だけ伝えます。",
        "A careful partner on a folder of code: shows each change and command first, and waits for your yes.\nWithout a terminal it says one thing, from -p or standard input.",
    ),
    ("enza companion folder", "作業するフォルダー(既定は今いるフォルダー)", "the folder of work (the current one)"),
    (
        "enza companion prompt",
        "一度だけ伝えて終わります(- なら標準入力から)。/accept などの指示も使えます。終了コード: 0 完了、1 失敗、3 拒否、4 人の答えが必要",
        "says this and ends (- reads standard input), or obeys an order such as /accept; exit status 0 done, 1 failed, 3 refused, 4 a person is needed",
    ),
    (
        "enza companion allow",
        "承認なしで許すもの。例: 'change src/**'、'run cargo test *'(何度でも)",
        "what needs no yes, such as 'change src/**' or 'run cargo test *' (may be repeated)",
    ),
    ("enza companion plan", "見て計画するだけで、何も変更しません", "looks and plans; changes nothing"),
    (
        "enza companion accept_edits",
        "リスクの低い変更は、たずねずに行います",
        "makes changes of low risk without asking",
    ),
    ("enza companion budget", "このセッションで使えるトークンの上限", "how many tokens this session may use in all"),
    (
        "enza companion unattended",
        "-p と一緒に: 誰もいない実行。確認が要ることは行わず、先へ進みます",
        "with -p: nobody is there or will be; what would be asked is denied and the work goes on",
    ),
    (
        "enza companion go_on",
        "このフォルダーの前回のセッションを続けます",
        "goes on with the last session in this folder",
    ),
    ("enza companion resume", "このセッションを続けます", "goes on with this session"),
    (
        "enza companion fork",
        "このセッションの、このターンの前から分岐します",
        "begins a session that shares everything before this turn",
    ),
    (
        "enza companion plain",
        "読み上げ向け: 記号や書き換えを使わず、言葉で伝えます",
        "for screen readers: words instead of signs, and no line is drawn over",
    ),
    (
        "enza companion stream",
        "--json と一緒に: 返答を、書かれたところから {\"kind\":\"delta\"} の行でも伝えます",
        "with --json: also passes a reply on as it is written, in lines with {\"kind\":\"delta\"}",
    ),
    ("enza companion record", "モデルとのやり取りを録音します", "records what the model replies"),
    ("enza companion replay", "録音したやり取りを再生します", "plays a recording instead of asking a model"),
    (
        "enza companion audit",
        "セッションで起きたことを1行ずつ表示します: いつ、誰が、何を、なぜ",
        "prints what happened in a session, a line each: when, who, what and why",
    ),
    (
        "enza companion servers",
        "設定されたサーバーを起動し、使えるツールを表示します",
        "starts the servers of the settings and shows the tools they offer",
    ),
    (
        "enza companion servers folder",
        "作業するフォルダー(既定は今いるフォルダー)",
        "the folder of work (the current one)",
    ),
    (
        "enza companion acp",
        "エディターと話します: Agent Client Protocol を標準入出力で話す相棒になります",
        "talks to an editor: speaks the Agent Client Protocol at standard input and output",
    ),
    (
        "enza companion audit id",
        "セッションの ID、またはその始まりか終わり",
        "the session's id, or the beginning or end of it",
    ),
];

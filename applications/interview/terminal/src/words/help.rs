//! What `enza form --help` and `enza interview --help` say.

use enza_terminal::part::HelpLine;

/// A line for each command and each argument.
pub const HELP: &[HelpLine] = &[
    (
        "enza form",
        "フォームのファイルを調べ、書き換え、見本を出力します",
        "checks and converts form files, and prints examples",
    ),
    (
        "enza form check",
        "フォームとして使えるかを調べ、誤りをすべて場所とともに示します",
        "tells whether files are forms that can be asked, with the place of every fault",
    ),
    (
        "enza form check files",
        "フォームのファイル(TOML、JSON、JSON Schema)。「-」は標準入力",
        "form files: TOML, JSON or a JSON Schema; - for standard input",
    ),
    (
        "enza form convert",
        "フォームを別の形式にして標準出力に書きます。残せなかったものは標準エラーに示します",
        "writes a form in another format to standard output, and what could not be kept to standard error",
    ),
    ("enza form convert file", "フォームのファイル。「-」は標準入力", "the form file; - for standard input"),
    ("enza form convert to", "書き出す形式: toml、json、schema(JSON Schema)", "toml, json or schema (JSON Schema)"),
    (
        "enza form convert ui",
        "JSON Forms の UI スキーマ。並び順、見出し、条件を当てはめます",
        "a UI schema of JSON Forms, for the order, labels and conditions",
    ),
    (
        "enza form example",
        "見本のフォームを TOML で出力します(--lang の言語)",
        "prints an example form as TOML, in the language of --lang",
    ),
    (
        "enza form example name",
        "visit-report(訪問報告)、incident-report(事故報告)、event-sign-up(参加申し込み)",
        "visit-report, incident-report or event-sign-up",
    ),
    ("enza interview", "フォームを会話で埋めます", "fills in a form by talking"),
    (
        "enza interview rehearse",
        "台本どおりの回答者に、選ばれたモデルとのインタビューを最後まで行わせ、正解と違った値、回数、トークン、時間を表にします。セッションは残り、enza session show で見られます",
        "Lets scripted respondents go through whole interviews with the model in use, and shows wrong values, turns, calls, tokens and seconds in a table. The sessions are kept, for enza session show.",
    ),
    (
        "enza interview rehearse respondents",
        "回答者の台本(*.toml)のフォルダー。なければ付属の10人",
        "a folder of respondents (*.toml); without one, the ten that come along",
    ),
    (
        "enza interview rehearse only",
        "この回答者だけ(くり返し指定できます)",
        "only this respondent (may be given more than once)",
    ),
    (
        "enza interview run",
        "インタビューを端末で行います。相手は選ばれたモデル(enza model list)です。\n途中で使えるコマンドは /help で表示します。/quit で中断し、--session で再開できます",
        "Holds an interview at the terminal. The model in use asks (enza model list).\n/help shows what can be typed instead of an answer; /quit leaves, --session goes on.",
    ),
    (
        "enza interview run form",
        "フォームのファイル(TOML、JSON、JSON Schema)。なければ付属の見本を使います",
        "the form: TOML, JSON or a JSON Schema; without one, the built-in sample",
    ),
    (
        "enza interview run language",
        "話す言語(ja、en-GB など。既定は --lang、なければ LANG から)",
        "the language to speak, such as en-GB or ja (--lang; else from LANG)",
    ),
    (
        "enza interview run country",
        "住んでいる国(JP など。日付や電話番号の読み方が決まります。既定は LANG から)",
        "where you live, such as GB: it decides how dates and numbers are read (else from LANG)",
    ),
    (
        "enza interview run consent",
        "フォームの求める同意に「はい」と答えます",
        "agrees to what the form asks consent for",
    ),
    (
        "enza interview run answers",
        "答えのファイル: 1行に1つ、または項目IDをキーとする JSON(くり返しの項目は guests.1.name)。「-」は標準入力",
        "a file with answers: one a line, or a JSON object by field id (guests.1.name for items of a group); - for standard input",
    ),
    (
        "enza interview run session",
        "途中のセッションを再開します(IDの先頭か末尾でも可)",
        "goes on with a session (the beginning or end of its id is enough)",
    ),
    (
        "enza interview run record",
        "モデルとのやりとりをファイルに記録します(キーは記録しません)",
        "records what is said with the model into a file (never a key)",
    ),
    (
        "enza interview run replay",
        "記録したファイルにモデルの代わりをさせます。問いが記録と違えば止まります",
        "lets a recorded file answer in the model's place, and stops where the questions differ",
    ),
    ("enza interview run yes", "確認には「はい」と答えます", "answers the gate with yes"),
];

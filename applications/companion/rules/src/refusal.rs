//! Why a command was not accepted.

use enza_kernel::application::Reason;
use enza_kernel::gate::GateRefusal;
use enza_kernel::limits::TextRefusal;
use enza_kernel::text::{Lang, Said};

/// Why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The session is open already.
    AlreadyOpen,
    /// The session is not open, or over.
    NotOpen,
    /// A text does not fit.
    Text(TextRefusal),
    /// Too many messages wait.
    QueueFull,
    /// Too many tasks are under way.
    TooManyTasks,
    NoSuchTask,
    /// There is no such gate, or it cannot be answered.
    Gate(GateRefusal),
    /// There is no gate of that name.
    NoSuchGate,
    NothingToAccept,
    /// The project's checks fail: there is no result to accept.
    ChecksFailed {
        checks: Vec<String>,
    },
    NothingToCommit,
    NothingUnderWay,
    /// There is no such turn to take back.
    NoSuchTurn,
    /// Work is under way; it must rest first.
    Busy,
    NothingFailed,
    /// There are no words that could forbid anything.
    ForbidsNothing,
    /// What is forbidden takes all the room there is for it.
    TooMuchForbidden,
    /// There is no such line in the list.
    NoSuchLine,
    /// A picked file or hunk is not in the gate.
    NoSuchHunk,
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::AlreadyOpen => "already-open",
            Self::NotOpen => "not-open",
            Self::Text(unfit) => unfit.code(),
            Self::QueueFull => "queue-full",
            Self::TooManyTasks => "too-many-tasks",
            Self::NoSuchTask => "no-such-task",
            Self::Gate(refusal) => refusal.code(),
            Self::NoSuchGate => "no-such-gate",
            Self::NothingToAccept => "nothing-to-accept",
            Self::ChecksFailed { .. } => "checks-failed",
            Self::NothingToCommit => "nothing-to-commit",
            Self::NothingUnderWay => "nothing-under-way",
            Self::NoSuchTurn => "no-such-turn",
            Self::Busy => "work-under-way",
            Self::NothingFailed => "nothing-failed",
            Self::ForbidsNothing => "forbids-nothing",
            Self::TooMuchForbidden => "too-much-forbidden",
            Self::NoSuchLine => "no-such-line",
            Self::NoSuchHunk => "no-such-hunk",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        let say = |ja: (&str, &str), en: (&str, &str)| {
            let (message, hint) = lang.pick(ja, en);
            Said::new(message, hint)
        };
        match self {
            Self::Text(unfit) => unfit.say(lang),
            Self::Gate(refusal) => refusal.say(lang),
            Self::AlreadyOpen => say(
                ("このセッションはすでに始まっています。", "そのまま話しかけてください。"),
                ("This session is open already.", "Just say what you want."),
            ),
            Self::NotOpen => say(
                ("このセッションは始まっていないか、終わっています。", "新しいセッションを始めてください。"),
                ("This session is not open.", "Begin a new one."),
            ),
            Self::QueueFull => say(
                ("順番を待つメッセージが多すぎます。", "作業が一区切りつくのを待つか、止めてから伝えてください。"),
                ("Too many messages are waiting.", "Wait until the work rests, or stop it first."),
            ),
            Self::TooManyTasks => say(
                ("同時に進められる作業の数を超えています。", "どれかが終わるのを待つか、止めてください。"),
                ("Too many tasks are under way.", "Wait for one to end, or stop one."),
            ),
            Self::NoSuchTask => say(
                ("その番号の作業はありません。", "作業の一覧で番号を確かめてください。"),
                ("There is no task with that number.", "Look at the list of tasks for its number."),
            ),
            Self::NoSuchGate => say(
                ("その確認はもうありません。", "画面を開き直して、今の確認に答えてください。"),
                ("That question is gone.", "Look again, and answer the one that is open."),
            ),
            Self::ChecksFailed { checks } => Said::new(
                lang.pick(
                    format!("変更後の確認が失敗しているため、受け入れられません: {}", checks.join("、")),
                    format!("The checks fail, so there is no result to accept: {}", checks.join(", ")),
                ),
                lang.pick(
                    "直し方を伝えるか、変更を元に戻すか、作業を取りやめてください。自分で直したときは、続けるよう伝えると確認をやり直します。",
                    "Say how to mend it, take the changes back, or give up the task. If you have mended it yourself, say so: the checks \
                     are run again.",
                ),
            ),
            Self::NothingToAccept => say(
                ("受け入れる計画も結果もありません。", "計画ができたとき、または作業の見直しが済んだときに使います。"),
                (
                    "There is neither a plan nor a result to accept.",
                    "This is for a plan that waits, or for work that has been reviewed.",
                ),
            ),
            Self::NothingToCommit => say(
                ("コミットする変更はありません。", "このセッションで変更したファイルだけをコミットできます。"),
                ("There is nothing to commit.", "Only files that this session changed can be committed."),
            ),
            Self::NothingUnderWay => say(
                ("進行中の作業はありません。", "やりたいことを伝えてください。"),
                ("Nothing is under way.", "Say what you want done."),
            ),
            Self::NoSuchTurn => say(
                ("そのターンは戻せません。", "ターンの一覧で、戻せるものを確かめてください。"),
                ("That turn cannot be taken back.", "Look at the list of turns for those that can."),
            ),
            Self::Busy => say(
                ("作業が進行中です。", "止めるか、終わるのを待ってください。"),
                ("Work is under way.", "Stop it, or wait until it rests."),
            ),
            Self::NothingFailed => say(
                ("やり直すものはありません。", "そのまま話しかけてください。"),
                ("There is nothing to try again.", "Just say what you want."),
            ),
            Self::ForbidsNothing => say(
                (
                    "何を変えてはいけないのかがわかりません。",
                    "「src/auth には触らない」のように、パスや名前を書いてください。",
                ),
                ("It does not say what must not be changed.", "Name it: \"don't touch src/auth\"."),
            ),
            Self::TooMuchForbidden => say(
                (
                    "禁じたことが多すぎて、これ以上は覚えておけません。",
                    "不要になったものを解除してから、もう一度伝えてください。",
                ),
                ("No more can be kept as forbidden.", "Lift what no longer matters, and say it again."),
            ),
            Self::NoSuchLine => say(
                ("その番号の行はありません。", "一覧で番号を確かめてください。"),
                ("There is no line with that number.", "Look at the list for its number."),
            ),
            Self::NoSuchHunk => say(
                ("選んだ変更は、この確認にはありません。", "確認に示された番号から選んでください。"),
                ("What was picked is not in this question.", "Pick from the numbers it shows."),
            ),
        }
    }
}

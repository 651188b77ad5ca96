//! Why an interview says no, and what to do next, in both languages.

use enza_kernel::application::Reason;
use enza_kernel::budget::Exceeded;
use enza_kernel::gate::GateRefusal;
use enza_kernel::limits::TextRefusal;
use enza_kernel::moves::NotMoved;
use enza_kernel::text::{Lang, Said};

use super::form::FormFault;
use super::phrase::{listed, quoted};
use super::values::ValueFault;

/// Why a command was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The interview has not begun.
    NotOpened,
    /// It has begun already.
    AlreadyOpened,
    /// The form cannot be asked.
    Form(FormFault),
    /// Only a person can ask for this.
    NotAPerson,
    /// Only the respondent can.
    NotYours {
        who: String,
    },
    Text(TextRefusal),
    /// No question is open.
    NoQuestion,
    /// The agents are at work; the respondent's turn comes later.
    NotYourTurn,
    /// An agent has failed and must be told to try again first.
    Stuck,
    /// A required field cannot be left empty.
    Required {
        /// The field's label.
        label: String,
    },
    /// The form has no such field.
    UnknownField {
        field_id: String,
    },
    /// The text is no value of the field's kind.
    Unread {
        field_id: String,
        label: String,
        unread: ValueFault,
    },
    /// Nobody can say of a file that it came in but whoever keeps it.
    FileNotTaken,
    /// The reviewer has not used up its rounds.
    NotYet,
    /// The form asks for consent, and there is none.
    ConsentMissing,
    /// A language or a country that nobody knows.
    UnknownPlace {
        text: String,
    },
    /// Nothing waits for a confirmation.
    NotConfirming,
    /// Required fields are not done.
    FieldsMissing {
        labels: Vec<String>,
    },
    NoSuchGate {
        gate: String,
    },
    /// The gate does not accept the answer.
    Gate(GateRefusal),
    /// Nothing has failed.
    NothingToRetry,
    /// The next call does not fit the budget.
    Budget(Exceeded),
    /// The budget can only be raised.
    BudgetNotHigher {
        /// What it is now; none for no limit.
        limit: Option<u64>,
    },
    /// What is submitted cannot be changed.
    AlreadySubmitted,
    /// The interview was given up.
    Abandoned,
    /// The field cannot go there.
    Move(NotMoved),
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NotOpened => "interview-not-opened",
            Self::AlreadyOpened => "interview-already-opened",
            Self::Form(fault) => fault.code(),
            Self::NotAPerson => "needs-a-person",
            Self::NotYours { .. } => "interview-not-yours",
            Self::Text(unfit) => unfit.code(),
            Self::NoQuestion => "no-question-open",
            Self::NotYourTurn => "not-your-turn",
            Self::Stuck => "agent-failed",
            Self::Required { .. } => "field-required",
            Self::UnknownField { .. } => "field-unknown",
            Self::Unread { .. } => "answer-unread",
            Self::FileNotTaken => "file-not-taken",
            Self::NotYet => "not-yet",
            Self::ConsentMissing => "consent-missing",
            Self::UnknownPlace { .. } => "place-unknown",
            Self::NotConfirming => "not-confirming",
            Self::FieldsMissing { .. } => "fields-missing",
            Self::NoSuchGate { .. } => "gate-unknown",
            Self::Gate(refusal) => refusal.code(),
            Self::NothingToRetry => "nothing-to-retry",
            Self::Budget(exceeded) => exceeded.code(),
            Self::BudgetNotHigher { .. } => "budget-not-higher",
            Self::AlreadySubmitted => "already-submitted",
            Self::Abandoned => "interview-abandoned",
            Self::Move(stay) => stay.code(),
        }
    }

    fn say(&self, lang: Lang) -> Said {
        let said = |ja: (&str, &str), en: (&str, &str)| {
            let (message, hint) = lang.pick(ja, en);
            Said::new(message, hint)
        };
        match self {
            Self::Form(fault) => fault.say(lang),
            Self::Text(unfit) => unfit.say(lang),
            Self::Gate(refusal) => refusal.say(lang),
            Self::Budget(exceeded) => exceeded.say(lang),
            Self::Move(stay) => stay.say(lang),
            Self::NotOpened => said(
                ("このインタビューはまだ始まっていません。", "フォームを選んで始めてください。"),
                ("This interview has not begun.", "Open it with a form."),
            ),
            Self::AlreadyOpened => said(
                ("このインタビューはもう始まっています。", "そのまま続けるか、別のインタビューを始めてください。"),
                ("This interview has already begun.", "Go on with it, or start another."),
            ),
            Self::NotAPerson => said(
                ("これができるのは人だけです。", "回答者の操作を待ってください。"),
                ("Only a person can do this.", "Wait for the respondent."),
            ),
            Self::NotYours { who } => Said::new(
                lang.pick(
                    format!("{who}さんはこのインタビューの回答者ではありません。"),
                    format!("{who} is not the respondent of this interview."),
                ),
                lang.pick(
                    "回答者に頼むか、自分のインタビューを始めてください。",
                    "Ask the respondent, or start your own.",
                ),
            ),
            Self::NoQuestion => said(
                ("いま答える質問はありません。", "確認の画面で、送信するか答えを直してください。"),
                ("There is no question to answer now.", "Submit on the confirmation, or change an answer there."),
            ),
            Self::NotYourTurn => said(
                (
                    "いまは回答を受け付けられません。次の質問を用意しています。",
                    "質問が出てから、もう一度送ってください。",
                ),
                ("It is not your turn: the next question is being prepared.", "Send it again once you are asked."),
            ),
            Self::Stuck => said(
                ("アシスタントが止まっています。これまでの回答は残っています。", "「もう一度試す」を選んでください。"),
                ("The assistant has stopped. Your answers are kept.", "Choose \"try again\"."),
            ),
            Self::Required { label } => Said::new(
                {
                    let name = quoted(lang, label);
                    lang.pick(format!("{name}は必須の項目なので飛ばせません。"), format!("{name} is required."))
                },
                lang.pick("わかる範囲で答えてください。", "Answer as far as you can."),
            ),
            Self::UnknownField { field_id } => Said::new(
                lang.pick(
                    format!("「{field_id}」という項目はありません。"),
                    format!("The form has no field \"{field_id}\"."),
                ),
                lang.pick("フォームの項目から選んでください。", "Choose one of the form's fields."),
            ),
            Self::Unread { label, unread, .. } => Said::new(
                {
                    let name = quoted(lang, label);
                    lang.pick(format!("{name}の答えとして読めません。"), format!("That is no answer to {name}."))
                },
                unread.say(lang),
            ),
            Self::FileNotTaken => said(
                (
                    "ファイルは、回答のページから送られたものだけを受け付けます。",
                    "回答のページでファイルを添付してください。",
                ),
                ("Only a file that was sent on the page of the interview is taken.", "Attach the file there."),
            ),
            Self::NotYet => said(
                ("まだこのまま残すことはできません。", "質問に答えるか、この項目を飛ばしてください。"),
                ("It cannot be kept as it is yet.", "Answer the question, or skip this one."),
            ),
            Self::ConsentMissing => said(
                ("このフォームには同意が必要です。", "同意の文を読み、同意してから始めてください。"),
                ("This form asks for your consent.", "Read what it says, agree, and begin again."),
            ),
            Self::UnknownPlace { text } => Said::new(
                lang.pick(
                    format!("「{text}」という言語や国はわかりません。"),
                    format!("No language or country is called \"{text}\"."),
                ),
                lang.pick(
                    "言語は ja や en-US、国は JP のように書いてください。",
                    "Write languages as en-US or ja, countries as JP.",
                ),
            ),
            Self::NotConfirming => said(
                ("いまは確認の画面ではありません。", "残りの質問に答えると、確認の画面に進みます。"),
                ("Nothing waits for a confirmation.", "Answer the remaining questions to get there."),
            ),
            Self::FieldsMissing { labels } => Said::new(
                lang.pick(
                    format!("必須の項目がまだ済んでいません: {}。", listed(lang, labels.iter().map(String::as_str))),
                    format!("Required fields are not done: {}.", listed(lang, labels.iter().map(String::as_str))),
                ),
                lang.pick("その項目に答えてから送信してください。", "Answer them, then submit."),
            ),
            Self::NoSuchGate { .. } => said(
                ("その確認はもう出ていません。", "画面を更新して、今の確認に答えてください。"),
                ("That confirmation is no longer open.", "Reload, and answer the one that is open."),
            ),
            Self::NothingToRetry => {
                said(("やり直すものはありません。", "そのまま続けてください。"), ("Nothing has failed.", "Just go on."))
            }
            Self::BudgetNotHigher { limit } => Said::new(
                lang.pick("予算は増やすことしかできません。", "The budget can only be raised."),
                match limit {
                    Some(limit) => {
                        lang.pick(format!("{limit}より大きい数にしてください。"), format!("Give more than {limit}."))
                    }
                    None => lang.pick("今は上限がありません。", "There is no limit now.").to_owned(),
                },
            ),
            Self::AlreadySubmitted => said(
                ("送信済みの内容は変えられません。", "直したいときは、新しいインタビューで送り直してください。"),
                ("What is submitted cannot be changed.", "To correct it, submit again in a new interview."),
            ),
            Self::Abandoned => said(
                ("このインタビューは取りやめになりました。", "新しいインタビューを始めてください。"),
                ("This interview was given up.", "Start a new one."),
            ),
        }
    }
}

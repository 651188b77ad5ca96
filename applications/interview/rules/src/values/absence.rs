//! Why there is no value: skipped, declined, unknown and not applicable are four different things.
//!
//! An absence is read only where the whole message says so. Whoever says more may have answered, and that is for the
//! reviewer. "No" and なし are answers.

use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::locale::fold;
use super::politeness::{strip_after, strip_before, words};
use crate::words::words as sentences;

/// Why a field has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// The respondent went on without an answer.
    #[default]
    Skipped,
    /// The respondent does not want to say.
    Declined,
    /// The respondent does not know.
    Unknown,
    /// The question does not apply.
    NotApplicable,
}

impl Absence {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Skipped, Self::Declined, Self::Unknown, Self::NotApplicable];

    /// The word in records and exports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Declined => "declined",
            Self::Unknown => "unknown",
            Self::NotApplicable => "not_applicable",
        }
    }

    fn phrases(self) -> &'static str {
        match self {
            Self::Skipped => SKIPPED,
            Self::Declined => DECLINED,
            Self::Unknown => UNKNOWN,
            Self::NotApplicable => NOT_APPLICABLE,
        }
    }

    /// How it is shown in the place of a value.
    pub fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::Skipped => sentences(lang).say("absence.skipped"),
            Self::Declined => sentences(lang).say("absence.declined"),
            Self::Unknown => sentences(lang).say("absence.unknown"),
            Self::NotApplicable => sentences(lang).say("absence.not_applicable"),
        }
    }
}

/// The absence that the whole message says, if it says one.
pub fn read_absence(text: &str) -> Option<Absence> {
    // The longest phrase with every politeness around it is far shorter.
    if text.chars().count() > 80 {
        return None;
    }
    let text = plain(text);
    let mut rest = text.as_str();
    loop {
        if let Some(absence) = phrase(rest) {
            return Some(absence);
        }
        let before = words(BEFORE).filter_map(|word| strip_before(rest, word));
        let stripped = before.chain(words(AFTER).filter_map(|word| strip_after(rest, word)));
        // The longest first, so that nothing of it is left over.
        rest = stripped.min_by_key(|rest| rest.len())?;
    }
}

/// Folded, without punctuation. A slash stays: it is a part of "n/a".
fn plain(text: &str) -> String {
    let spaced: String = fold(text)
        .chars()
        .filter(|letter| *letter != '\'')
        .map(|letter| if letter.is_alphanumeric() || "/ー".contains(letter) { letter } else { ' ' })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn phrase(plain: &str) -> Option<Absence> {
    Absence::ALL.into_iter().find(|absence| words(absence.phrases()).any(|phrase| phrase == plain))
}

const BEFORE: &str = "it|this|that|sorry|im sorry|im afraid|um|uh|hmm|well|oh|please|just|lets|i would like to|id like to|i want to|ill|i will|\
    can we|can i|may i|could we|could i|honestly|i|すみませんが|すみません|申し訳ありませんが|申し訳ありません|\
    ちょっと|その|この質問は";
const AFTER: &str = "please|thanks|thank you|sorry|it|this|that|one|this one|this question|the question|question|for now|\
    でお願いします|お願いします|してください|て下さい|です|ます|ね|よ|します|したいです|させてください|\
    と思います|で";

const SKIPPED: &str = "skip|skipped|pass|next|next question|next one|move on|go on|skipping|スキップ|パス|飛ばして|飛ばしてください|\
    飛ばして下さい|飛ばします|飛ばす|とばして|とばしてください|次へ|次|次の質問|次に進んで|次に進んでください|\
    次に進み|省略|スキップして|パスして";
const DECLINED: &str = "rather not say|id rather not say|would rather not say|rather not|id rather not|would rather not|\
    id rather not answer|prefer not to say|prefer not to answer|prefer not to|id prefer not to say|\
    id prefer not to answer|would prefer not to say|no comment|decline|decline to answer|i decline|\
    dont want to say|dont want to answer|do not want to say|do not want to answer|wont say|not telling|\
    none of your business|thats private|private|refuse|refuse to answer|答えたくありません|答えたくない|\
    答えたくないです|言いたくありません|言いたくない|言いたくないです|回答しません|回答しない|回答拒否|\
    回答したくありません|回答したくない|回答を控えます|回答は控えます|回答を控えさせてください|\
    控えさせていただきます|お答えできません|答えません|ノーコメント|秘密|内緒|教えたくありません|教えたくない|\
    言えません";
const UNKNOWN: &str = "dont know|do not know|dont really know|idk|dunno|no idea|have no idea|ive no idea|no clue|havent a clue|\
    not sure|im not sure|im unsure|unsure|unknown|cant say|cant remember|dont remember|do not remember|\
    dont recall|do not recall|forgot|who knows|not known|わかりません|分かりません|判りません|わからない|\
    分からない|わかんない|分かんない|わからないです|分からないです|知りません|知らない|知らないです|存じません|\
    不明|覚えていません|覚えてない|覚えていない|忘れました|忘れた|よくわかりません|よく分かりません|\
    よくわからない|よく分からない|わかりかねます";
const NOT_APPLICABLE: &str = "n/a|na|n a|not applicable|its not applicable|does not apply|doesnt apply|it does not apply|it doesnt apply|\
    this does not apply|this doesnt apply|does not apply to me|doesnt apply to me|not relevant|該当なし|\
    該当無し|該当しません|該当しない|該当しないです|該当いたしません|当てはまりません|当てはまらない|\
    あてはまりません|対象外|関係ありません";

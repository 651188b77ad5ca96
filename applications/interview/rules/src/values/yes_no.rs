//! Yes and no, in the words people use for them: はい、そうです, "yep", a thumb.
//!
//! Only whole phrases count, so that "no problem" is not a no. Kept as `yes` and `no`. Where a text says both, or more
//! than that, it is for the reviewer to say what is meant.

use enza_kernel::text::Lang;

use super::fault::ValueFault;
use super::politeness::{bare, words};
use crate::words::words as sentences;

/// Reads a yes or a no. Where both are said, neither is.
pub(super) fn read(text: &str) -> Result<String, ValueFault> {
    let text = bare(text).ok_or(ValueFault::NotYesOrNo)?;
    let whole = meaning(&text);
    // "Yes, I do." and はい、そうです。 say it twice.
    let mut parts = text.split(['.', ',', '!', '、', '。']).map(str::trim).filter(|part| !part.is_empty());
    let same = parts
        .next()
        .and_then(meaning)
        .filter(|first| parts.all(|part| is_polite(part) || meaning(part) == Some(*first)));
    let value = whole.or(same).ok_or(ValueFault::NotYesOrNo)?;
    Ok(if value { "yes" } else { "no" }.to_owned())
}

/// "Yes" or はい.
pub(super) fn show(value: &str, lang: Lang) -> Option<String> {
    match value {
        "yes" => Some(sentences(lang).say("yes-no.yes").to_owned()),
        "no" => Some(sentences(lang).say("yes-no.no").to_owned()),
        _ => None,
    }
}

const YES: &str = "yes|y|yeah|yea|yep|yup|ya|aye|sure|of course|certainly|definitely|absolutely|right|correct|that's right|\
    that's correct|true|ok|okay|indeed|affirmative|i do|i did|i have|i am|i will|it is|it does|there is|\
    there are|yes i do|yes i am|yes i have|yes it is|yes sure|はい|ハイ|ええ|うん|そう|そうです|その通り|\
    その通りです|そのとおり|もちろん|もちろんです|あります|有ります|ある|有り|あり|います|必要です|必要|\
    希望します|します|できます|大丈夫です|大丈夫|了解|了解です|お願いします|oui|ja|si|sim|да|네|是|예";
const NO: &str = "no|n|nope|nah|not at all|never|no way|false|wrong|incorrect|negative|not|not really|i don't|i do not|\
    i didn't|i did not|i haven't|i have not|i'm not|i am not|i won't|it isn't|it's not|it does not|it doesn't|\
    there isn't|there aren't|no i don't|no i do not|no i haven't|no i'm not|no it isn't|none|no thanks|\
    no thank you|いいえ|イイエ|いえ|いや|ううん|違う|違います|ちがいます|そうではありません|ありません|ない|\
    ないです|無し|なし|無い|いません|いりません|不要|不要です|しません|できません|希望しません|non|nein|нет|\
    아니요";

/// Whether a phrase says yes; none where it says neither.
fn meaning(phrase: &str) -> Option<bool> {
    // A thumb has a colour, which says nothing.
    let plain: String = phrase.chars().filter(|letter| !('\u{1F3FB}'..='\u{1F3FF}').contains(letter)).collect();
    match plain.as_str() {
        "👍" | "👌" | "✅" | "✓" | "✔" | "○" | "◯" | "⭕" | "🙆" => Some(true),
        "👎" | "❌" | "×" | "✗" | "✕" | "🙅" => Some(false),
        word if words(YES).any(|yes| yes == word) => Some(true),
        word if words(NO).any(|no| no == word) => Some(false),
        _ => None,
    }
}

fn is_polite(phrase: &str) -> bool {
    ["please", "thanks", "thank you", "お願いします", "ありがとうございます", "です"].contains(&phrase)
}

//! What the respondent of the tour says.

use enza_kernel::text::Lang;

/// The script.
pub fn answers(lang: Lang) -> [&'static str; 4] {
    lang.pick(
        ["音", "3階の空調が昨日の朝から大きな音を立てています", "本館3階、会議室Bの窓側", "/skip"],
        [
            "hum",
            "The air conditioning has been rattling since yesterday morning",
            "Main building, third floor, window side of room B",
            "/skip",
        ],
    )
}

//! Lengths as a person counts them.

use std::collections::BTreeSet;

use enza_kernel::application::Reason as _;
use enza_kernel::limits::{ALL, Limit, NAME, TextRefusal};
use enza_kernel::text::{Lang, Said};
use proptest::prelude::*;

/// One cluster of 25 bytes: a family of four.
const FAMILY: &str = "👨‍👩‍👧‍👦";

#[test]
fn every_limit_takes_what_just_fits_and_refuses_one_character_more() {
    for limit in ALL {
        let full = "字".repeat(limit.graphemes);
        assert_eq!(limit.check(&format!("\u{3000} {full}\n")), Ok(full.clone()), "{}", limit.name);
        assert_eq!(
            limit.check(&format!("{full}字")),
            Err(TextRefusal::TooLong { limit, graphemes: limit.graphemes + 1 })
        );
        let widest = "𠮷".repeat(limit.graphemes);
        assert_eq!(
            limit.check(&widest),
            Ok(widest.clone()),
            "{}: ordinary text never meets the byte ceiling",
            limit.name
        );
    }
}

#[test]
fn every_limit_has_a_name_of_its_own() {
    assert_eq!(ALL.iter().map(|limit| limit.name).collect::<BTreeSet<_>>().len(), ALL.len());
}

#[test]
fn a_family_is_one_character() {
    let two = Limit { name: "emoji", graphemes: 2, bytes: 1_000 };
    assert_eq!(two.check(&FAMILY.repeat(2)), Ok(FAMILY.repeat(2)));
    assert_eq!(two.check(&FAMILY.repeat(3)), Err(TextRefusal::TooLong { limit: two, graphemes: 3 }));
}

#[test]
fn a_character_with_a_thousand_marks_meets_the_byte_ceiling() {
    let zalgo = format!("a{}", "\u{301}".repeat(1_000));
    assert_eq!(NAME.check(&zalgo), Err(TextRefusal::TooLarge { limit: NAME, bytes: 2_001 }));
}

#[test]
fn a_text_in_which_nothing_can_be_seen_is_empty() {
    for text in ["", " \n\u{3000}", "\u{200B}\u{FEFF}"] {
        assert_eq!(NAME.check(text), Err(TextRefusal::Empty { limit: NAME }), "{text:?}");
    }
    assert_eq!(NAME.check_optional("  "), Ok(String::new()));
}

#[test]
fn a_refusal_gives_both_numbers_and_the_difference() {
    let refusal = TextRefusal::TooLong { limit: NAME, graphemes: 64 };
    assert_eq!(refusal.code(), "text-too-long");
    assert_eq!(refusal.say(Lang::En), Said::new("The name has 64 characters; 60 are allowed.", "Shorten it by 4."));
    assert_eq!(
        refusal.say(Lang::Ja),
        Said::new("60文字まで入力できますが、64文字あります。", "4文字短くしてください。")
    );
    assert_eq!(TextRefusal::Empty { limit: NAME }.code(), "text-empty");
}

proptest! {
    #[test]
    fn what_was_accepted_is_accepted_again_unchanged(text in any::<String>()) {
        if let Ok(accepted) = NAME.check(&text) {
            prop_assert_eq!(NAME.check(&accepted), Ok(accepted.clone()));
            prop_assert!(accepted.len() <= NAME.bytes && text.contains(&accepted));
        }
    }
}

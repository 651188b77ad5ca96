//! Languages by name.

use enza_kernel::text::{Lang, UnknownLang};

#[test]
fn a_language_is_known_by_the_word_it_prints() {
    for lang in [Lang::Ja, Lang::En] {
        assert_eq!(lang.to_string().parse(), Ok(lang));
    }
    assert_eq!("fr".parse::<Lang>(), Err(UnknownLang { word: "fr".into() }));
}

//! What the commands about forms say.

use super::words;
use enza_interview::Form;
use enza_kernel::text::{Lang, Said};

/// A form can be asked.
pub fn sound(lang: Lang, form: &Form) -> String {
    let (title, fields) = (&form.title, form.fields.len());
    let key = if fields == 1 { "forms.sound_one" } else { "forms.sound" };
    words(lang).fill(key, &[("title", title), ("fields", &fields)])
}

/// Some of the forms cannot.
pub fn unsound(lang: Lang, count: usize) -> Said {
    let key = if count == 1 { "forms.unsound_one" } else { "forms.unsound" };
    Said::new(words(lang).fill(key, &[("count", &count)]), words(lang).say("forms.unsound_hint"))
}

//! What the commands about forms say.

use enza_interview::Form;
use enza_kernel::text::{Lang, Said};

/// A form can be asked.
pub fn sound(lang: Lang, form: &Form) -> String {
    let (title, fields) = (&form.title, form.fields.len());
    lang.pick(
        format!("「{title}」、項目{fields}個。使えます。"),
        match fields {
            1 => format!("\"{title}\", one field. It can be asked."),
            _ => format!("\"{title}\", {fields} fields. It can be asked."),
        },
    )
}

/// Some of the forms cannot.
pub fn unsound(lang: Lang, count: usize) -> Said {
    Said::new(
        lang.pick(
            format!("使えないフォームが{count}個あります。"),
            match count {
                1 => "One form cannot be asked.".to_owned(),
                _ => format!("{count} forms cannot be asked."),
            },
        ),
        lang.pick(
            "上に示した誤りを直してください。書き方は docs/guides/forms.ja.md にあります。",
            "Correct the faults above. docs/guides/forms.md says how forms are written.",
        ),
    )
}

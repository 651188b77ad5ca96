//! Prints a whole debate by rule, to be read: `cargo run -p enza-deliberation-cast --example debate -- ja double_diamond 5`.
//! The figure is the topic's place in the library.

#![allow(clippy::disallowed_macros, clippy::print_stdout, dead_code)]

#[path = "../tests/behaviour/circle.rs"]
mod circle;

use enza_deliberation_cast as cast;
use enza_kernel::limits::length;
use enza_kernel::text::Lang;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let lang: Lang = words.first().and_then(|word| word.parse().ok()).unwrap_or(Lang::En);
    let mode = words.get(1).and_then(|key| cast::mode(key)).unwrap_or(&cast::modes()[0]);
    let topic: usize = words.get(2).and_then(|word| word.parse().ok()).unwrap_or(5);
    let mut circle = circle::Circle::of(lang, mode, 4, topic, "example");
    circle.seats[1].strategy = Some(lang.pick("質問して相手の話を聞く。", "Listen and ask."));
    println!("# {}\n{}\n", circle.topic.title, circle.topic.description);
    for seat in &circle.seats {
        println!("{}: {}\n", seat.name, seat.persona.pretty());
    }
    let said = circle.played();
    for one in &said {
        println!("[{} {}] {} ({})\n  {}", one.number, one.turn, one.speaker, length(&one.text), one.text);
    }
    println!("\n{}", cast::turn_summary(lang, 2, &said[..8], None));
    println!("\n{}", cast::summary(lang, &circle.topic.title, &said));
    let verdict = cast::verdict(lang, &circle.topic.title, &said);
    for axis in &verdict.axes {
        println!("{} {} {} / {}", axis.score, axis.axis.label(lang), axis.reason, axis.example);
    }
    println!("{}\n{}\n{:?}", verdict.summary, verdict.consensus, verdict.highlights);
    println!("{:#?}", cast::consensus_and_dissent(lang, &circle.topic.title, &said));
    println!("{:#?}", cast::next_topic(lang, &circle.topic.title, &said));
    let candidates = cast::closing_candidates(lang, &circle.topic.title, &said);
    println!("{candidates:#?}");
    for seat in &circle.seats {
        println!("{:?}", cast::ranking(&seat.persona, &[], &candidates, "s"));
    }
    let feedback = lang.pick("もっと数字を出して、具体的に話して", "More numbers please, be concrete");
    println!("{}", cast::strategy(lang, feedback, &said[..1]));
    println!("{}", cast::growth(lang, &circle.seats[0].persona, &[feedback]));
    println!("{:?}", cast::reflection(lang, &circle.topic.title, &said[..1], &["Kent", "ケン"], "s"));
}

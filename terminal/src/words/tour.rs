//! What the tour says.

use std::path::Path;

use crate::screen::{Screen, fold, pad};

use super::words;

/// The first screen.
pub fn welcome(screen: &Screen) -> String {
    let title = screen.paint.strong("Enza 円座");
    let what = words(screen.lang).say("tour.welcome");
    let paragraphs =
        [words(screen.lang).say("tour.welcome_a_session_is"), words(screen.lang).say("tour.welcome_here_is_a")];
    let paragraphs = paragraphs.map(|text| fold(text, screen.width() - 4).join("\n"));
    format!("{title}  {what}\n\n{}\n", paragraphs.join("\n\n"))
}

/// The line above the events.
pub fn log_head(screen: &Screen, events: usize, file: &Path) -> String {
    let file = file.display();
    let (sent, head) = (
        words(screen.lang).fill("tour.log_head_submitted", &[("file", &file)]),
        words(screen.lang).fill("tour.log_head_the_session_is", &[("events", &events)]),
    );
    format!("\n{sent}\n\n{}", screen.paint.strong(&head))
}

/// What to do next.
pub fn what_now(screen: &Screen, session: &str, reply: u64, (command, what): (&str, &'static str)) -> String {
    let head = screen.paint.strong(words(screen.lang).say("tour.what_now"));
    let lines = [
        (format!("enza session show {session}"), words(screen.lang).say("tour.what_now_where_it_stands")),
        (format!("enza session events {session}"), words(screen.lang).say("tour.what_now_every_event")),
        (format!("enza prompt {session} {reply}"), words(screen.lang).say("tour.what_now_the_prompt_behind")),
        (format!("enza session replay {session}"), words(screen.lang).say("tour.what_now_fold_it_anew")),
        (command.to_owned(), what),
        ("enza --help".to_owned(), words(screen.lang).say("tour.what_now_every_command")),
    ];
    let column = lines.iter().map(|(command, _)| command.len()).max().unwrap_or(0) + 2;
    let lines = lines.map(|(command, what)| format!("  {}{}", pad(&command, column), screen.paint.faint(what)));
    format!("\n{head}\n{}", lines.join("\n"))
}

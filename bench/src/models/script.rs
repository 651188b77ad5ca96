//! What is said in the conversation that both sides hold: a guide at a museum, twenty questions.
//!
//! The prompt has the usual three parts: some hundred tokens that never change, the thread, and a few words that change
//! with every call. Replies are short and chosen without chance, so that both sides hear the same.

use enza_kernel::conversation::Sampling;
use serde_json::{Value, json};

/// The most tokens of a reply.
pub const MAX_OUTPUT: u32 = 32;
/// The likeliest word every time.
pub const SAMPLING: Sampling = Sampling { temperature: Some(0.0), top_p: None, seed: None };
/// What the weights are called in requests.
pub const MODEL: &str = "small";
/// The section that changes with every call.
pub const FRESH: &str = "now";

/// The sections that never change, by name.
pub const STABLE: [(&str, &str); 3] = [
    (
        "role",
        "You are the guide of a small museum of the sea in a harbour town. Visitors ask you about the rooms, the ships, \
         the animals and the town. You answer in one or two short sentences, in plain words, and you stay with what is \
         in the house.",
    ),
    (
        "house",
        "The museum has four rooms. The first room shows the harbour as it was two hundred years ago: a model of the \
         quay, the ropewalk and the fish market, and a chart drawn by the first harbour master. The second room shows \
         ships: a herring boat that was sailed until the war, the figurehead of a barque that was lost on the reef, and \
         tools of shipwrights that may be touched. The third room is about what lives in the sea: a tank with crabs and \
         rays, the skeleton of a small whale that came ashore in winter, and drawers with shells. The fourth room is the \
         lamp room of the old lighthouse, with a lens as high as a man; eighty-one steps lead up to it, and there is no \
         lift.",
    ),
    (
        "rules",
        "The house is open from ten to five, and closed on Mondays. Children under twelve pay nothing. Dogs wait at the \
         door, where there is water for them. Pictures may be taken without a flash. The café by the quay belongs to the \
         house and has soup until three. If someone asks for something that is not in the house, say so and name what \
         comes nearest. If someone is in danger or unwell, send them to the desk at the entrance at once. Never make up \
         a name, a price or a year.",
    ),
];

/// What the visitor says, a line a turn.
pub const LINES: [&str; 20] = [
    "Good morning! What can I see here in an hour?",
    "My daughter likes ships. Which room should we go to first?",
    "Is the herring boat a real one?",
    "May she touch the tools of the shipwrights?",
    "What happened to the barque with the figurehead?",
    "And where are the animals?",
    "Are the rays dangerous?",
    "How did the whale get into the museum?",
    "Can we open the drawers with the shells?",
    "We would like to eat something. Is there a place?",
    "Until when do they have soup?",
    "Is it far to the lighthouse?",
    "My mother cannot climb many steps. Is there a lift?",
    "What is special about the lens?",
    "May I take a picture of it?",
    "Who drew the chart in the first room?",
    "What was made in the ropewalk?",
    "Our dog is still outside. Is that all right?",
    "Are you open tomorrow? It is a Monday.",
    "Thank you very much. What should we not miss on our way out?",
];

/// What changes with every call: the words of the section at a turn, counted from 1.
pub fn fresh(turn: usize) -> String {
    format!("The visitor asks for the {turn}. time. There are {} other visitors in the house.", turn * 7 % 12)
}

/// The whole body of a request by hand: what one would write who knows llama.cpp and its cache.
pub fn body(thread: &[Value], turn: usize) -> Value {
    let system = STABLE.map(|(_, text)| text).join("\n\n");
    let mut messages = vec![json!({ "role": "system", "content": system })];
    messages.extend_from_slice(thread);
    let question = format!("{}\n\n# {FRESH}\n{}", LINES[turn - 1], fresh(turn));
    messages.push(json!({ "role": "user", "content": question }));
    json!({
        "model": MODEL, "messages": messages, "stream": true, "stream_options": { "include_usage": true },
        "max_tokens": MAX_OUTPUT, "temperature": 0.0, "cache_prompt": true,
    })
}

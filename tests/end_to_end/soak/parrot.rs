//! The model of a soak: a parrot that says again every word it is shown, and keeps some of them in mind. What must not be
//! heard in a channel is heard there as soon as a prompt holds it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::record::{AnsweredPrompt, mark_of, word_of, words_in};
use super::simulated_time::SimulatedTime;
use crate::discord::fake_discord::Millis;
use crate::discord::kith_process::whole_server;

/// What every answer counts, as the server of the kit writes it.
pub const TOKENS_A_CALL: u64 = 1_020;
/// The most words of the chat that it says again.
const WORDS: usize = 24;

#[derive(Clone)]
pub struct Parrot {
    state: Arc<Mutex<ParrotState>>,
    time: SimulatedTime,
}

#[derive(Default)]
struct ParrotState {
    prompts: Vec<AnsweredPrompt>,
    /// When each answer was given, those to side tasks too.
    calls: Vec<Millis>,
    /// The status it answers with; 0 for nothing for ever.
    failure: Option<u16>,
}

impl Parrot {
    pub fn new(time: SimulatedTime) -> Self {
        Self {
            state: Arc::default(),
            time,
        }
    }

    pub async fn serve(&self) -> String {
        let parrot = self.clone();
        whole_server(move |body| parrot.answer(body)).await
    }

    pub fn fails(&self, failure: Option<u16>) {
        self.state.lock().unwrap().failure = failure;
    }

    pub fn prompts(&self) -> Vec<AnsweredPrompt> {
        self.state.lock().unwrap().prompts.clone()
    }

    pub fn calls(&self) -> Vec<Millis> {
        self.state.lock().unwrap().calls.clone()
    }

    fn answer(&self, body: &Value) -> Result<String, u16> {
        let mut state = self.state.lock().unwrap();
        if let Some(status) = state.failure {
            return Err(status);
        }
        let at = self.time.now();
        state.calls.push(at);
        let messages = body["messages"].as_array().into_iter().flatten();
        let texts: Vec<&str> = messages.filter_map(|it| it["content"].as_str()).collect();
        let prompt = texts.join("\n");
        let Some((_, chat)) = prompt.split_once("# Chat\n") else {
            return Ok(side_task(&prompt));
        };
        let chat = chat.split("\n\n").next().unwrap_or_default();
        let answer = u32::try_from(state.prompts.len()).unwrap();
        let words = words_in(&prompt);
        let said = turn(answer, &words, chat);
        state.prompts.push(AnsweredPrompt { answer, at, words });
        Ok(said)
    }
}

/// Two messages with the newest words of the chat, and all that stand elsewhere in the prompt.
fn turn(answer: u32, words: &BTreeSet<u32>, chat: &str) -> String {
    let in_chat = words_in(chat);
    let newest = in_chat.iter().rev().take(WORDS);
    let said: Vec<String> = newest
        .chain(words.difference(&in_chat).take(WORDS))
        .map(|word| word_of(*word))
        .collect();
    let said = said.join(" ");
    let keeps = if answer.is_multiple_of(7) {
        format!("<core_memory_append label=\"people\">they told me of {said}</core_memory_append>")
    } else {
        String::new()
    };
    let reply = match newest_line(chat).filter(|_| answer.is_multiple_of(3)) {
        Some(line) => format!(" reply_to=\"{line}\""),
        None => String::new(),
    };
    let [first, second] = [1, 2].map(|part| mark_of(answer, part));
    format!(
        "<turn>{keeps}<send_message{reply}>{first} {said}</send_message><send_message>{second} and so on</send_message></turn>"
    )
}

/// The number of the newest line that is not the companion's own: `13>12 Ben: …`.
fn newest_line(chat: &str) -> Option<&str> {
    let heads = chat.lines().rev().filter_map(|line| line.split_once(": "));
    let mut heads = heads
        .map(|(head, _)| head)
        .filter(|head| !head.ends_with(" Juno"));
    heads.find_map(|head| {
        let number = head.split([' ', '>']).next()?;
        number.parse::<u32>().is_ok().then_some(number)
    })
}

/// What it writes where memories are made or talks are summed up.
fn side_task(prompt: &str) -> String {
    let said: Vec<String> = words_in(prompt)
        .into_iter()
        .rev()
        .take(WORDS)
        .map(word_of)
        .collect();
    let said = said.join(" ");
    if prompt.contains("EPISODE") {
        format!("EPISODE | 1 | they talked of {said}\nNOTE | 1 | {said}")
    } else {
        format!("they talked of {said}")
    }
}

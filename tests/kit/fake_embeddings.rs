//! An embedding model for tests, behind a scripted server: words of one group are the same to it, other words have nothing to do
//! with each other, and a text is the sum of its words. It speaks OpenAI's and Ollama's protocol.

use serde_json::{Value, json};

use super::fake_model::{FakeModel, Reply};

/// Where OpenAI's protocol has it.
pub const OPENAI_EMBEDDINGS: &str = "POST /v1/embeddings";
pub const OLLAMA_EMBEDDINGS: &str = "POST /api/embed";

/// How many numbers a vector of it has.
const SIZE: usize = 96;
/// Words that mean the same to it.
const GROUPS: [&[&str]; 5] = [
    &["noodles", "ramen", "soup", "dinner", "eat"],
    &["cello", "violin", "instrument", "orchestra"],
    &["bicycle", "bike", "cycling", "wheels"],
    &["flat", "apartment", "rent", "moving"],
    &["拉面", "面条"],
];
/// Words that mean nothing to it.
const EMPTY: [&str; 12] = [
    "a", "the", "is", "i", "to", "we", "my", "at", "on", "where", "could", "what",
];

pub fn embed(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; SIZE];
    let lower = text.to_lowercase();
    let mut words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !EMPTY.contains(word))
        .collect();
    if words.is_empty() {
        words.push("nothing");
    }
    for word in words {
        let group = GROUPS.iter().find(|group| {
            group
                .iter()
                .any(|same| *same == word || !same.is_ascii() && word.contains(same))
        });
        add_word(&mut vector, group.map_or(word, |group| group[0]));
    }
    vector
}

/// Adds numbers that are another list for every word.
fn add_word(vector: &mut [f32], word: &str) {
    let mut state = word.bytes().fold(17_u32, |state, byte| {
        state.wrapping_mul(131).wrapping_add(byte.into())
    });
    for number in vector {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *number += (state >> 8) as f32 / (1 << 24) as f32 - 0.5;
    }
}

/// The texts that a request asks vectors of.
pub fn texts(body: &Value) -> Vec<String> {
    match &body["input"] {
        Value::Array(all) => all
            .iter()
            .map(|text| text.as_str().unwrap_or_default().to_owned())
            .collect(),
        one => vec![one.as_str().unwrap_or_default().to_owned()],
    }
}

pub fn openai_vectors() -> Reply {
    Reply::answered_by(answer_as_openai)
}

/// The vectors of a request's texts, the last text first, for nothing says that they come in order.
pub fn answer_as_openai(body: &Value) -> Value {
    let texts = texts(body);
    let tokens: usize = texts
        .iter()
        .map(|text| text.split_whitespace().count())
        .sum();
    let data = texts.iter().enumerate().rev().map(
        |(index, text)| json!({ "object": "embedding", "index": index, "embedding": embed(text) }),
    );
    json!({
        "object": "list", "model": body["model"], "data": data.collect::<Vec<_>>(),
        "usage": { "prompt_tokens": tokens, "total_tokens": tokens },
    })
}

pub fn ollama_vectors() -> Reply {
    Reply::answered_by(|body| {
        let texts = texts(body);
        let tokens: usize = texts
            .iter()
            .map(|text| text.split_whitespace().count())
            .sum();
        let vectors: Vec<_> = texts.iter().map(|text| embed(text)).collect();
        json!({ "model": body["model"], "embeddings": vectors, "prompt_eval_count": tokens })
    })
}

impl FakeModel {
    /// Every text that it was asked to make a vector of, oldest first.
    pub fn embedded_texts(&self) -> Vec<String> {
        [OPENAI_EMBEDDINGS, OLLAMA_EMBEDDINGS]
            .iter()
            .flat_map(|line| self.bodies_at(line))
            .flat_map(|body| texts(&body))
            .collect()
    }
}

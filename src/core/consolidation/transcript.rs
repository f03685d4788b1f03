//! A talk as a model is told it: a line each with a number, and whom the names mean.

use std::collections::BTreeMap;

use super::talk_end::TalkMessage;
use crate::chat::{MessageId, UserId};
use crate::context::{DisplayNames, TokenEstimator, escape, skeleton};

/// The longest piece of one message that is told, in bytes.
const LONGEST_LINE: usize = 300;

#[derive(Clone, Debug)]
pub struct TalkTranscript<'a> {
    /// `3>1 Ben: I can drive`, a line each.
    pub text: String,
    /// The messages by their numbers, counted from 1.
    lines: Vec<&'a TalkMessage>,
    names: DisplayNames,
    /// The people who speak, under what their names look like.
    people: BTreeMap<String, Speaker>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Speaker {
    pub id: UserId,
    /// Under which name they stand in the transcript.
    pub name: String,
}

impl<'a> TalkTranscript<'a> {
    /// The newest lines that fit. Names are given out anew, so that the same talk is always told in the same way.
    pub fn render(talk: &'a [TalkMessage], tokens: u32, estimator: &TokenEstimator) -> Self {
        let mut names = DisplayNames::default();
        let is_told = |said: &&TalkMessage| {
            let is_demo = !said.is_by_person && names.is_demo_line(said.author, &said.text);
            !is_demo && !said.text.trim().is_empty()
        };
        let mut lines: Vec<&TalkMessage> = talk.iter().filter(is_told).collect();
        let mut room = tokens;
        let fits = |said: &&&TalkMessage| {
            let end = said.text.floor_char_boundary(LONGEST_LINE);
            let size = estimator.estimate_tokens(&said.text[..end])
                + estimator.estimate_tokens(&said.name)
                + 4;
            let left = room.checked_sub(size);
            room = left.unwrap_or(0);
            left.is_some()
        };
        let count = lines.iter().rev().take_while(fits).count();
        lines.drain(..lines.len() - count);
        let mut people = BTreeMap::new();
        let mut text = String::new();
        let numbers: BTreeMap<MessageId, usize> =
            lines.iter().map(|said| said.id).zip(1..).collect();
        for (said, number) in lines.iter().zip(1..) {
            let name = names.resolve_quoted_name(said.author, &said.name);
            let answered = said.reply_to.and_then(|id| numbers.get(&id));
            let reply = answered.map_or(String::new(), |answered| format!(">{answered}"));
            text.push_str(&format!("{number}{reply} {name}: "));
            let end = said.text.floor_char_boundary(LONGEST_LINE);
            escape::escape_line(&mut text, &said.text[..end], &|_| None);
            text.push_str(if end < said.text.len() { "…\n" } else { "\n" });
            if said.is_by_person {
                let id = said.author;
                people
                    .entry(skeleton(&name))
                    .or_insert(Speaker { id, name });
            }
        }
        Self {
            text,
            lines,
            names,
            people,
        }
    }

    pub(super) fn find_line(&self, number: usize) -> Option<&'a TalkMessage> {
        self.lines.get(number.checked_sub(1)?).copied()
    }

    pub(super) fn find_speaker(&self, name: &str) -> Option<&Speaker> {
        self.people
            .get(&skeleton(name.trim().trim_start_matches('@')))
    }

    pub(super) fn speakers(&self) -> impl Iterator<Item = &Speaker> {
        self.people.values()
    }

    /// A text with people's own names in the place of numbered ones.
    pub(super) fn restore_names(&self, text: &str) -> String {
        self.names.restore_real_names(text)
    }
}

//! No text where it may not be heard, and nothing left of who was forgotten (Law 11).

use std::collections::BTreeMap;

use super::{SECOND, answer_of};
use crate::discord::fake_discord::{Id, Millis};
use crate::soak::record::{SoakRecord, marks_in, words_in};

/// How long a prompt may be under way that was begun before a message was deleted, in real time: as long as a model that
/// hangs is waited for, and asked again.
const RENDERED: Millis = 8 * SECOND;
/// A prompt that was being written when somebody was forgotten.
const UNDER_WAY: Millis = 30 * SECOND;

/// Posts that hold words of a channel that not everybody here can read.
pub fn find_leaked_posts(record: &SoakRecord) -> Vec<String> {
    let messages = record.messages_by_number();
    let mut wrong = Vec::new();
    for post in &record.posts {
        for number in words_in(&post.text) {
            let source = messages.get(&number).map(|message| message.channel);
            if source.is_none_or(|source| !record.may_be_heard(source, post.channel)) {
                wrong.push(format!(
                    "post {} in {} holds the words of message {number}, which was said in {source:?}",
                    post.id, post.channel
                ));
            }
        }
    }
    wrong
}

/// Prompts that hold such words, whether or not the model said them.
pub fn find_leaked_prompts(record: &SoakRecord) -> Vec<String> {
    let (messages, targets) = (record.messages_by_number(), find_targets(record));
    let mut wrong = Vec::new();
    for prompt in &record.prompts {
        let Some(target) = targets.get(&prompt.answer) else {
            continue;
        };
        for number in &prompt.words {
            let source = messages.get(number).map(|message| message.channel);
            if source.is_none_or(|source| !record.may_be_heard(source, *target)) {
                wrong.push(format!(
                    "the prompt of answer {} for {target} holds the words of message {number}, which was said in \
                     {source:?}",
                    prompt.answer
                ));
            }
        }
    }
    wrong
}

/// Prompts that hold the words of a message which the companion knew to be deleted.
pub fn find_deleted_in_prompts(record: &SoakRecord) -> Vec<String> {
    let (messages, targets) = (record.messages_by_number(), find_targets(record));
    let deleted_at = |number: &u32| {
        let message = messages.get(number)?;
        let known = record.tombstones.get(&(message.channel, message.id))?;
        // By a clock that may be wrong.
        message.deleted.max(Some(*known))
    };
    let mut wrong = Vec::new();
    for prompt in &record.prompts {
        for number in &prompt.words {
            let gone =
                deleted_at(number).filter(|gone| record.time.between(*gone, prompt.at) > RENDERED);
            if let Some(gone) = gone {
                wrong.push(format!(
                    "the prompt of answer {} at {} for {:?} holds the words of message {number} of {}, which was deleted \
                     at {gone}",
                    prompt.answer,
                    prompt.at,
                    targets.get(&prompt.answer),
                    messages[number].channel
                ));
            }
        }
    }
    wrong
}

/// Where each answer was meant to be heard.
fn find_targets(record: &SoakRecord) -> BTreeMap<u32, Id> {
    let reports = record.turns.iter().flat_map(|turn| {
        let marks = turn.rounds.iter().flat_map(|round| marks_in(&round.raw));
        marks.map(|(answer, _)| (answer, turn.channel.0))
    });
    let posts = record
        .posts
        .iter()
        .filter_map(|post| Some((answer_of(post)?, post.channel)));
    reports.chain(posts).collect()
}

/// Entries of the log channel that quote somebody: nobody switched that on.
pub fn find_quoting_log_entries(record: &SoakRecord) -> Vec<String> {
    let entries = record.log_entries.iter();
    entries
        .filter(|text| !words_in(text).is_empty())
        .map(|text| format!("the log channel quotes people: {text:?}"))
        .collect()
}

/// What is still kept, or was still shown to the model, of people who were forgotten.
pub fn find_traces(record: &SoakRecord) -> Vec<String> {
    let messages = record.messages_by_number();
    let mut wrong = Vec::new();
    for person in &record.forgotten {
        let traces = person.traces.iter();
        wrong.extend(traces.map(|trace| format!("of {}, who was forgotten, {trace}", person.user)));
        let later = record
            .prompts
            .iter()
            .filter(|prompt| prompt.at > person.at + UNDER_WAY);
        for prompt in later {
            let mut shown = prompt
                .words
                .iter()
                .filter_map(|number| messages.get(number));
            if let Some(message) =
                shown.find(|it| it.author == person.user && it.at <= person.until)
            {
                wrong.push(format!(
                    "the prompt of answer {} holds the words of message {} by {}, who was forgotten",
                    prompt.answer, message.number, person.user
                ));
            }
        }
    }
    wrong
}

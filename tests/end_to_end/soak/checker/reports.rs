//! Every turn is reported, and who speaks to the companion is answered or it is on record why not (Law 1).

use std::collections::{BTreeMap, BTreeSet};

use kith_core::report::{TurnOutcome, TurnReport};

use super::{SECOND, answer_of};
use crate::discord::fake_discord::{Id, Millis};
use crate::soak::record::{SoakRecord, marks_in, words_in};

/// How long a turn may go on after one of its messages, until it is reported, in real time.
const TURN: Millis = 10 * SECOND;
/// How long ago a message must have been said to be answered by now.
const BEING_ANSWERED: Millis = 10 * SECOND;

/// Posts that no report tells of: neither by what the model wrote, nor by what was delivered. Of the words nothing is left
/// where the turn told of somebody who was forgotten.
pub fn find_unreported(record: &SoakRecord) -> Vec<String> {
    let rounds = || record.turns.iter().flat_map(|turn| &turn.rounds);
    let written: BTreeSet<u32> = rounds()
        .flat_map(|round| marks_in(&round.raw))
        .map(|(answer, _)| answer)
        .collect();
    let delivered: BTreeSet<Id> = rounds()
        .flat_map(|round| &round.calls)
        .filter_map(|call| call.message)
        .map(|message| message.0)
        .collect();
    let prompts = record.prompts_by_answer();
    let mut wrong = Vec::new();
    for post in &record.posts {
        let prompt = answer_of(post).and_then(|answer| prompts.get(&answer));
        let Some(prompt) = prompt else {
            wrong.push(format!("post {} was said, and no model wrote it", post.id));
            continue;
        };
        let is_reported = written.contains(&prompt.answer) || delivered.contains(&post.id);
        if !is_reported && !is_taken_by_a_kill(record, prompt.at, post.at) {
            wrong.push(format!(
                "post {} (answer {}) was said, and no report tells of it",
                post.id, prompt.answer
            ));
        }
    }
    wrong
}

/// Whether a kill came while the turn ran that asked and posted at these moments.
fn is_taken_by_a_kill(record: &SoakRecord, asked_at: Millis, posted_at: Millis) -> bool {
    let is_within = |kill: Millis| kill >= asked_at && record.time.between(posted_at, kill) < TURN;
    record.kills.iter().any(|kill| is_within(*kill))
}

/// Messages to the companion that were neither answered nor marked nor refused on record.
pub fn find_passed_over(record: &SoakRecord) -> Vec<String> {
    let answered: BTreeSet<(Id, u32)> = record
        .posts
        .iter()
        .flat_map(|post| {
            words_in(&post.text)
                .into_iter()
                .map(|word| (post.channel, word))
        })
        .collect();
    let taken_up = find_taken_up(record);
    let owed_in_vain: BTreeSet<Id> = record
        .turns
        .iter()
        .filter(|turn| !has_answered(turn))
        .flat_map(|turn| &turn.wake.addressed)
        .map(|message| message.0)
        .collect();
    record
        .said
        .iter()
        .filter(|message| message.is_addressed && message.deleted.is_none())
        .filter(|message| message.at + BEING_ANSWERED < record.ended)
        .filter(|message| !record.is_forgotten(message) && !message.is_marked)
        .filter(|message| !answered.contains(&(message.channel, message.number)))
        .filter(|message| !taken_up.contains(&message.id))
        .filter(|message| {
            !record.refused.contains(&message.id) && !owed_in_vain.contains(&message.id)
        })
        .map(|message| {
            let mut turns = record.turns.iter();
            let turn = turns.find(|turn| turn.wake.addressed.iter().any(|it| it.0 == message.id));
            format!(
                "message {} ({}) in {} was passed over at {}: {:?}",
                message.number,
                message.id,
                message.channel,
                message.at,
                turn.map(describe_turn)
            )
        })
        .collect()
}

/// Messages that a turn answered together with many others: it was owed for them, and the model was shown them. The parrot
/// repeats the newest only. Which answers were a turn's is told by what the model wrote, and where that was erased for
/// somebody who was forgotten, by what was delivered.
fn find_taken_up(record: &SoakRecord) -> BTreeSet<Id> {
    let (prompts, numbers) = (record.prompts_by_answer(), record.numbers_by_id());
    let posted: BTreeMap<Id, u32> = record
        .posts
        .iter()
        .filter_map(|post| Some((post.id, answer_of(post)?)))
        .collect();
    let mut taken_up = BTreeSet::new();
    for turn in record.turns.iter().filter(|turn| has_answered(turn)) {
        let written = turn.rounds.iter().flat_map(|round| marks_in(&round.raw));
        let calls = turn.rounds.iter().flat_map(|round| &round.calls);
        let delivered = calls.filter_map(|call| posted.get(&call.message?.0).copied());
        let shown: BTreeSet<u32> = written
            .map(|(answer, _)| answer)
            .chain(delivered)
            .filter_map(|answer| prompts.get(&answer))
            .flat_map(|prompt| prompt.words.iter().copied())
            .collect();
        let is_shown = |id: &&Id| {
            numbers
                .get(*id)
                .is_some_and(|number| shown.contains(number))
        };
        let owed = turn.wake.addressed.iter().map(|message| &message.0);
        taken_up.extend(owed.filter(is_shown));
    }
    taken_up
}

/// What became of a turn: when, how it ended, and what it did.
fn describe_turn(turn: &TurnReport) -> String {
    let calls = turn.rounds.iter().flat_map(|round| &round.calls);
    let done: Vec<String> = calls
        .map(|call| format!("{} at {}: {:?}", call.call.name, call.at, call.result))
        .collect();
    let raw: Vec<&str> = turn.rounds.iter().map(|round| round.raw.as_str()).collect();
    format!(
        "{} to {}, {:?}, {done:?}, wrote {raw:?}, notes {:?}",
        turn.started, turn.ended, turn.outcome, turn.notes
    )
}

/// Whether a turn ended as it should; what its report says of a failure is an account as well.
fn has_answered(turn: &TurnReport) -> bool {
    let mut calls = turn.rounds.iter().flat_map(|round| &round.calls);
    let is_undelivered =
        calls.any(|call| call.result.as_ref().is_some_and(|result| result.is_error));
    turn.outcome == TurnOutcome::Acted && !is_undelivered
}

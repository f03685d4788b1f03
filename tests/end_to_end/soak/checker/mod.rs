//! Whether the laws held in a soak. Pure: a record of what happened goes in, sentences about what is wrong come out.

mod delivery;
mod planted_faults;
mod privacy;
mod reports;
mod restraint;

use std::collections::BTreeMap;

use kith_core::report::{RoundReport, TurnReport};

use super::record::{AnsweredPrompt, CompanionPost, SaidMessage, SoakRecord, marks_in};
use crate::discord::fake_discord::{Id, Millis};

const SECOND: Millis = 1_000;
const MINUTE: Millis = 60 * SECOND;

pub fn find_violations(record: &SoakRecord) -> Vec<String> {
    let laws: [fn(&SoakRecord) -> Vec<String>; 16] = [
        delivery::find_lost,
        delivery::find_invented,
        delivery::find_unchanged,
        delivery::find_repeated,
        delivery::find_left_open,
        delivery::find_replies_to_deleted,
        privacy::find_leaked_posts,
        privacy::find_leaked_prompts,
        privacy::find_deleted_in_prompts,
        privacy::find_quoting_log_entries,
        privacy::find_traces,
        restraint::find_speech_in_pauses,
        restraint::find_unasked_in_quiet_hours,
        restraint::find_overspending,
        reports::find_unreported,
        reports::find_passed_over,
    ];
    laws.iter().flat_map(|law| law(record)).collect()
}

impl SoakRecord {
    fn messages_by_number(&self) -> BTreeMap<u32, &SaidMessage> {
        self.said
            .iter()
            .map(|message| (message.number, message))
            .collect()
    }

    fn numbers_by_id(&self) -> BTreeMap<Id, u32> {
        self.said
            .iter()
            .map(|message| (message.id, message.number))
            .collect()
    }

    fn prompts_by_answer(&self) -> BTreeMap<u32, &AnsweredPrompt> {
        self.prompts
            .iter()
            .map(|prompt| (prompt.answer, prompt))
            .collect()
    }

    /// The turn that a post is part of, by what the model wrote or by what was delivered.
    fn find_turn(&self, post: &CompanionPost) -> Option<&TurnReport> {
        let answer = answer_of(post);
        let is_of = |round: &RoundReport| {
            let mut delivered = round.calls.iter().filter_map(|call| call.message);
            let written = marks_in(&round.raw);
            let mut written = written.iter().map(|(answer, _)| Some(*answer));
            delivered.any(|message| message.0 == post.id) || written.any(|it| it == answer)
        };
        self.turns.iter().find(|turn| turn.rounds.iter().any(is_of))
    }

    fn is_clock_wrong(&self, at: Millis) -> bool {
        self.wrong_clock.iter().any(|span| span.contains(at))
    }

    /// Whether it was forgotten together with who wrote it, or never to be heard.
    fn is_forgotten(&self, message: &SaidMessage) -> bool {
        let mut gone = self.forgotten.iter();
        gone.any(|person| person.user == message.author && message.at <= person.until)
    }

    /// Whether everybody who reads in `target` can read what was written in `source`.
    fn may_be_heard(&self, source: Id, target: Id) -> bool {
        let readers = |channel| self.readers.get(&channel);
        source == target
            || !self.direct.contains(&source)
                && readers(target)
                    .zip(readers(source))
                    .is_some_and(|(target, source)| target.is_subset(source))
    }
}

fn answer_of(post: &CompanionPost) -> Option<u32> {
    marks_in(&post.text).first().map(|(answer, _)| *answer)
}

//! It keeps silent where it was told to, says nothing unasked in quiet hours, and spends no more than it may.

use std::collections::{BTreeMap, BTreeSet};

use super::{MINUTE, SECOND, answer_of};
use crate::discord::fake_discord::{Id, Millis};
use crate::soak::record::{SoakRecord, TimeSpan};

/// How long a turn may go on that began before a pause.
const TURN: Millis = MINUTE;
/// How long after a message an answer may come in a channel: the message is fresh for ten minutes, and the answer may wait
/// for Discord for ten more. A direct message is answered however late.
const LATEST_ANSWER: Millis = 20 * MINUTE;

/// How long a model call may take.
const CALL: Millis = 10 * SECOND;
const DAY: Millis = 24 * 60 * MINUTE;

/// Posts whose prompt was written while the channel was paused.
pub fn find_speech_in_pauses(record: &SoakRecord) -> Vec<String> {
    let prompts = record.prompts_by_answer();
    let mut wrong = Vec::new();
    for post in &record.posts {
        let asked_at = answer_of(post)
            .and_then(|answer| prompts.get(&answer))
            .map_or(post.at, |prompt| prompt.at);
        let mut pauses = record
            .pauses
            .iter()
            .filter(|(channel, _)| *channel == post.channel);
        let is_paused = pauses.any(|(_, pause)| without_beginning(*pause, TURN).contains(asked_at));
        if is_paused && !record.is_clock_wrong(asked_at) {
            wrong.push(format!(
                "post {} was said in {} while it was paused",
                post.id, post.channel
            ));
        }
    }
    wrong
}

/// Posts in quiet hours with nobody having spoken to the companion.
pub fn find_unasked_in_quiet_hours(record: &SoakRecord) -> Vec<String> {
    let is_quiet = |at: Millis| {
        let mut hours = record.quiet_hours.iter();
        hours.any(|hours| without_beginning(*hours, LATEST_ANSWER).contains(at))
    };
    let addressed: BTreeSet<(Id, Millis)> = record
        .said
        .iter()
        .filter(|message| message.is_addressed)
        .map(|message| (message.channel, message.at))
        .collect();
    record
        .posts
        .iter()
        .filter(|post| is_quiet(post.at) && !record.is_clock_wrong(post.at))
        .filter(|post| !record.direct.contains(&post.channel))
        .filter(|post| {
            let recent = (post.channel, post.at - LATEST_ANSWER)..=(post.channel, post.at);
            addressed.range(recent).next().is_none()
        })
        .map(|post| {
            let turn = record.find_turn(post);
            format!(
                "post {} was said in {} in quiet hours, and nobody had asked: {:?}",
                post.id,
                post.channel,
                turn.map(|turn| (turn.started, post.at, &turn.wake))
            )
        })
        .collect()
}

fn without_beginning(span: TimeSpan, length: Millis) -> TimeSpan {
    TimeSpan {
        from: span.from + length,
        ..span
    }
}

/// Days on which the model counted more tokens than the budget allowed at that moment.
pub fn find_overspending(record: &SoakRecord) -> Vec<String> {
    let mut wrong = BTreeMap::new();
    let (mut today, mut sum) = (Millis::MIN, 0);
    for (at, tokens) in &record.spent {
        let day = at - at.rem_euclid(DAY);
        if day != today {
            (today, sum) = (day, 0);
        }
        sum += tokens;
        let kills = record
            .kills
            .iter()
            .filter(|kill| (day..=*at).contains(*kill));
        let most = record.find_budget(*at) + kills.count() as u64 * record.lost_with_a_kill;
        if sum > most {
            wrong.insert(day, (sum, most));
        }
    }
    wrong
        .into_iter()
        .map(|(day, (sum, most))| {
            format!(
                "{sum} tokens were spent on the day that began at {day}, and {most} were allowed"
            )
        })
        .collect()
}

impl SoakRecord {
    /// What might be spent a day at a moment. What was begun before a change may end after it.
    fn find_budget(&self, at: Millis) -> u64 {
        let ends = self.budgets.iter().skip(1).map(|(since, _)| since + CALL);
        let spans = self.budgets.iter().zip(ends.chain([Millis::MAX]));
        spans
            .filter(|((since, _), until)| (*since..*until).contains(&at))
            .map(|((_, tokens), _)| *tokens)
            .max()
            .unwrap_or(0)
    }
}

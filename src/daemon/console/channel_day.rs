//! A channel's day: what was heard, how willing that made it, what it did, and how often it spoke unasked.

use super::step::ConsoleReply;
use super::turns::summarize_turn;
use crate::daemon::reply::{reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::channel::ChannelSnapshot;
use kith_core::chat::{AuthorKind, ChannelId, Millis};
use kith_core::report::TurnReport;
use kith_room::{ChannelDay, ConsoleAnswer, TalkRate};
use kith_store::{DayMessage, DayRecord, NamedTurn};
use kith_system::clock;

/// How many messages a plot shows: more than it has dots for.
const MOST_MESSAGES: usize = 3_000;

impl Daemon {
    pub(super) fn answer_channel_day(
        &self,
        channel: ChannelId,
        span: (Millis, Millis),
        answer: ConsoleReply,
    ) {
        let store = self.store.clone();
        let known = self.find_channel(channel);
        let snapshot = self.core.channel_snapshot(clock::now(), channel);
        reply_later(answer, async move {
            let name = match known {
                Some(known) => known.name.to_string(),
                None => store
                    .find_channel_name(channel)
                    .await
                    .map_err(to_request_refusal)?,
            };
            let record = store.load_channel_day(channel, span, MOST_MESSAGES).await;
            let record = record.map_err(to_request_refusal)?;
            let day = build_day(record, &name, snapshot);
            Ok(ConsoleAnswer::Day(Box::new(day)))
        });
    }
}

fn build_day(record: DayRecord, name: &str, snapshot: Option<ChannelSnapshot>) -> ChannelDay {
    // Of a day too full to be shown whole, turns of the part on show count.
    let first = match record.left_out {
        0 => None,
        _ => record.messages.first().map(|message| message.at),
    };
    let is_shown = |report: &&TurnReport| first.is_none_or(|first| report.started >= first);
    let rate = TalkRate {
        wanted_share: snapshot.as_ref().map(|snapshot| snapshot.wanted_share),
        median_share: snapshot.map(|snapshot| snapshot.median_share),
        messages: record.messages.iter().filter(|it| is_joinable(it)).count(),
        reached: record
            .turns
            .iter()
            .filter(is_shown)
            .filter(|it| has_spoken_unasked(it))
            .count(),
    };
    let mut day = ChannelDay {
        name: name.to_owned(),
        left_out: record.left_out,
        rate,
        ..ChannelDay::default()
    };
    for message in record.messages {
        let share = |value: Option<f64>| value.map(|value| value as f32);
        day.at.push(message.at);
        day.score.push(share(message.score));
        day.threshold.push(share(message.threshold));
        day.own.push(message.author == AuthorKind::Companion);
        day.addressed.push(message.is_addressed);
    }
    let turns = record.turns.into_iter().map(|report| NamedTurn {
        report,
        channel_name: name.to_owned(),
    });
    day.turns = turns.map(summarize_turn).collect();
    day
}

/// Whether a rate counts a message: somebody wrote it, and not to the companion.
fn is_joinable(message: &DayMessage) -> bool {
    message.author == AuthorKind::Person && message.score.is_some() && !message.is_addressed
}

fn has_spoken_unasked(report: &TurnReport) -> bool {
    report.wake.is_by_score_alone() && report.has_sent_message()
}

//! What waits to be posted in one log channel, bounded: when more comes than can be shown, the oldest is left out and
//! counted. Pure: it knows no time and no network.

use std::collections::VecDeque;

use serde_json::Value;

use super::super::embed_limits::{LONGEST_TITLE, MOST_IN_ALL, embed_size, truncate_text};
use kith_core::chat::{ChannelId, TurnId};

const MOST_WAITING: usize = 200;
const MOST_EMBEDS: usize = 10;
/// The most rows of buttons Discord takes in a message; a turn has one.
const MOST_TURNS: usize = 5;
/// Room for the number that tells several turns in a message apart.
const NUMBER: usize = 2;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LogEntry {
    pub embed: Value,
    pub turn: Option<TurnButtons>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnButtons {
    pub turn: TurnId,
    pub channel: ChannelId,
    /// Whether it said something that can be taken back.
    pub spoke: bool,
    /// The call of it that still runs, where the entry tells of one.
    pub running_call: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LogBatch {
    /// Oldest first.
    pub entries: Vec<LogEntry>,
    pub left_out: usize,
}

#[derive(Debug, Default)]
pub(super) struct LogQueue {
    waiting: VecDeque<LogEntry>,
    left_out: usize,
    /// The turns on their way to Discord just now.
    posting: Vec<TurnId>,
    /// Those of them that are to be forgotten.
    outdated: Vec<TurnId>,
}

impl LogQueue {
    pub fn push(&mut self, entry: LogEntry) {
        self.waiting.push_back(entry);
        self.drop_surplus();
    }

    /// Takes what fits into the next message; none if nothing waits.
    pub fn next_batch(&mut self) -> Option<LogBatch> {
        let (mut entries, mut in_all, mut turns) = (Vec::new(), 0, 0);
        while let Some(entry) = self.waiting.front() {
            in_all += embed_size(&entry.embed) + NUMBER;
            turns += usize::from(entry.turn.is_some());
            // The first fits whatever its size: an embed is never larger than a message.
            let fits = in_all <= MOST_IN_ALL && turns <= MOST_TURNS && entries.len() < MOST_EMBEDS;
            if !(fits || entries.is_empty()) {
                break;
            }
            entries.extend(self.waiting.pop_front());
        }
        if entries.is_empty() {
            return None;
        }
        let batch = LogBatch {
            entries,
            left_out: std::mem::take(&mut self.left_out),
        };
        self.posting = batch.turns();
        Some(batch)
    }

    /// The batch that was taken last is posted. Answers whether it must be deleted at once: something in it is to be
    /// forgotten.
    pub fn finish_batch(&mut self) -> bool {
        self.posting.clear();
        !std::mem::take(&mut self.outdated).is_empty()
    }

    /// Puts back the batch that was taken last, for it could not be posted.
    pub fn put_back(&mut self, batch: LogBatch) {
        self.left_out += batch.left_out;
        batch
            .entries
            .into_iter()
            .rev()
            .for_each(|entry| self.waiting.push_front(entry));
        self.posting.clear();
        let outdated = std::mem::take(&mut self.outdated);
        self.forget_turns(&outdated);
        self.drop_surplus();
    }

    pub fn forget_turns(&mut self, turns: &[TurnId]) {
        self.waiting
            .retain(|entry| entry.turn.is_none_or(|told| !turns.contains(&told.turn)));
        self.outdated.extend(
            self.posting
                .iter()
                .copied()
                .filter(|turn| turns.contains(turn)),
        );
    }

    fn drop_surplus(&mut self) {
        let surplus = self.waiting.len().saturating_sub(MOST_WAITING);
        self.waiting.drain(..surplus);
        self.left_out += surplus;
    }
}

impl LogBatch {
    pub fn turns(&self) -> Vec<TurnId> {
        self.entries
            .iter()
            .filter_map(|entry| entry.turn)
            .map(|told| told.turn)
            .collect()
    }

    /// Puts a number before the titles of turns, where there are several: the rows of buttons have the same.
    pub fn number_titles(&mut self) {
        if self.turns().len() < 2 {
            return;
        }
        let turns = self.entries.iter_mut().filter(|entry| entry.turn.is_some());
        for (entry, number) in turns.zip(NUMBERS) {
            let title = entry.embed["title"].as_str().unwrap_or_default();
            entry.embed["title"] =
                truncate_text(&format!("{number} {title}"), LONGEST_TITLE).into();
        }
    }
}

/// How several turns in a message are told apart.
pub(super) const NUMBERS: [char; MOST_TURNS] = ['①', '②', '③', '④', '⑤'];

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn entry(number: u64, length: usize, is_turn: bool) -> LogEntry {
        let turn = is_turn.then_some(TurnButtons {
            turn: TurnId(number),
            channel: ChannelId(1),
            spoke: true,
            running_call: None,
        });
        LogEntry {
            embed: json!({ "title": "t", "description": "x".repeat(length) }),
            turn,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn everything_comes_out_once_in_order_and_fits(entries in vec((0..4_000_usize, any::<bool>()), 0..300)) {
            let mut queue = LogQueue::default();
            let all: Vec<LogEntry> =
                (0..).zip(&entries).map(|(number, (length, is_turn))| entry(number, *length, *is_turn)).collect();
            all.iter().cloned().for_each(|entry| queue.push(entry));
            let (mut out, mut left_out) = (Vec::new(), 0);
            while let Some(mut batch) = queue.next_batch() {
                batch.number_titles();
                prop_assert!(batch.entries.len() <= MOST_EMBEDS && batch.turns().len() <= MOST_TURNS);
                prop_assert!(batch.entries.iter().map(|entry| embed_size(&entry.embed)).sum::<usize>() <= MOST_IN_ALL);
                left_out += batch.left_out;
                out.extend(batch.entries.into_iter().map(|entry| entry.turn));
            }
            prop_assert_eq!(left_out, all.len().saturating_sub(MOST_WAITING));
            let expected: Vec<Option<TurnButtons>> = all[left_out..].iter().map(|entry| entry.turn).collect();
            prop_assert_eq!(out, expected);
        }
    }

    #[test]
    fn what_could_not_be_posted_comes_first_again_without_what_was_forgotten_meanwhile() {
        let mut queue = LogQueue::default();
        queue.push(entry(1, 10, true));
        queue.push(entry(2, 10, true));
        let batch = queue.next_batch().unwrap();
        queue.push(entry(3, 10, true));
        queue.forget_turns(&[TurnId(2)]);
        queue.put_back(batch);
        assert_eq!(queue.next_batch().unwrap().turns(), [TurnId(1), TurnId(3)]);
        assert!(!queue.finish_batch());
    }

    #[test]
    fn what_is_forgotten_while_it_is_posted_must_be_deleted() {
        let mut queue = LogQueue::default();
        queue.push(entry(1, 10, true));
        queue.next_batch().unwrap();
        queue.forget_turns(&[TurnId(1)]);
        assert!(queue.finish_batch());
        queue.forget_turns(&[TurnId(1)]);
        assert!(!queue.finish_batch(), "it is posted and known by now");
    }
}

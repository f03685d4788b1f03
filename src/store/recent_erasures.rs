//! What was erased lately, kept in memory: a turn that was shown it may be saved after it is gone.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::erased_text::{ErasedText, GoneNotes, TurnErasure, TurnSignature};
use kith_core::chat::{ChannelId, MINUTE, Millis};
use kith_core::outgoing::STALE;
use kith_core::quotes::{QuoteFilter, TextSignature};
use kith_core::report::TurnReport;
use kith_system::clock::monotonic;

/// For so long after an erasure something may still be said or saved by who was shown it before: a turn may take ten
/// minutes, and what it says may wait in the outbox.
pub(super) const ON_ITS_WAY: Millis = 10 * MINUTE + STALE;
/// How long it may take until a turn that is over is saved.
const SAVED_WITHIN: Millis = MINUTE;
const ERASED_KEPT: usize = 256;

#[derive(Default)]
pub(super) struct RecentErasures(VecDeque<RecentErasure>);

struct RecentErasure {
    at: Millis,
    /// When it was erased, by a clock that nobody sets: the time of day may be wrong, and another than the platform's.
    added: Instant,
    channel: ChannelId,
    text: String,
    remaining_text: String,
    traces: QuoteFilter,
    notes: GoneNotes,
}

impl RecentErasure {
    fn erased_text(&self) -> Option<ErasedText> {
        ErasedText::new(self.channel, &self.text, &self.remaining_text)
    }

    fn repeated(&self) -> RepeatedText<'_> {
        RepeatedText {
            channel: self.channel,
            text: &self.text,
            remaining_text: &self.remaining_text,
        }
    }
}

/// An erased text that something else may repeat.
pub(super) struct RepeatedText<'e> {
    pub channel: ChannelId,
    pub text: &'e str,
    /// What its message says now.
    pub remaining_text: &'e str,
}

/// Each edit is an erasure, so in a large server there are always some: what a text cannot repeat is passed over before
/// the database is asked who else says it.
fn list_in_text<'e>(
    erasures: impl Iterator<Item = &'e RecentErasure>,
    text: &str,
) -> impl Iterator<Item = RepeatedText<'e>> {
    let text = TextSignature::new(text.len().clamp(64, 2_048), [text]);
    erasures
        .filter(move |erased| erased.traces.may_be_in(&text))
        .map(RecentErasure::repeated)
}

impl RecentErasures {
    /// A text that was erased just now, with the notes that went with it; `remaining_text` is what its message says since.
    pub fn add(
        &mut self,
        at: Millis,
        channel: ChannelId,
        text: &str,
        remaining_text: &str,
        notes: GoneNotes,
    ) {
        self.0.push_back(RecentErasure {
            at,
            added: monotonic(),
            channel,
            text: text.into(),
            remaining_text: remaining_text.into(),
            traces: QuoteFilter::new(text),
            notes,
        });
        if self.0.len() > ERASED_KEPT {
            self.0.pop_front();
        }
    }

    pub fn find_in_channel(&self, channel: ChannelId) -> impl Iterator<Item = ErasedText> {
        let here = self
            .0
            .iter()
            .filter(move |erased| erased.channel == channel);
        here.filter_map(RecentErasure::erased_text)
    }

    /// Whether a short text repeats what was erased in a channel.
    pub fn is_repeated_in(&self, channel: ChannelId, text: &str) -> bool {
        let mut here = self.find_in_channel(channel);
        here.any(|gone| gone.is_repeated_in(text))
    }

    /// What may still be repeated, and may be in this text.
    pub fn find_in_text(&self, text: &str) -> impl Iterator<Item = RepeatedText<'_>> {
        list_in_text(self.find_within(ON_ITS_WAY), text)
    }

    /// What was erased since then, wherever that was, and may be repeated in this text.
    pub fn find_in_text_since(
        &self,
        text: &str,
        since: Millis,
    ) -> impl Iterator<Item = RepeatedText<'_>> {
        list_in_text(self.list_since(since), text)
    }

    pub fn find_since(&self, since: Millis) -> impl Iterator<Item = ErasedText> {
        self.list_since(since)
            .filter_map(RecentErasure::erased_text)
    }

    /// What was erased, wherever that was, while this turn ran, which is over now, and may stand in it; where its times cannot
    /// be right, what may still be repeated.
    pub fn find_during_turn<'s, 't>(
        &'s self,
        report: &'t TurnReport,
        signature: &'t TurnSignature,
    ) -> impl Iterator<Item = TurnErasure<'s>> {
        let lasted = report.ended - report.started;
        let age = match lasted {
            0..ON_ITS_WAY => (lasted + SAVED_WITHIN).min(ON_ITS_WAY),
            _ => ON_ITS_WAY,
        };
        let may_show = move |erased: &&RecentErasure| {
            signature.may_show(&erased.traces, erased.channel == report.channel)
                || erased.notes.may_be_in(signature)
        };
        self.find_within(age)
            .filter(may_show)
            .map(|erased| TurnErasure {
                channel: erased.channel,
                text: erased.erased_text(),
                notes: &erased.notes,
            })
    }

    fn list_since(&self, since: Millis) -> impl Iterator<Item = &RecentErasure> {
        self.0.iter().filter(move |erased| erased.at >= since)
    }

    fn find_within(&self, age: Millis) -> impl Iterator<Item = &RecentErasure> {
        let age = Duration::from_millis(age.unsigned_abs());
        let recent = move |erased: &&RecentErasure| erased.added.elapsed() <= age;
        self.0.iter().filter(recent)
    }

    pub fn find_all(&self) -> impl Iterator<Item = ErasedText> {
        self.0.iter().filter_map(RecentErasure::erased_text)
    }

    /// Whether anything was erased in a channel since then; also where so much was that nobody knows any more.
    pub fn has_any_since(&self, channel: ChannelId, since: Millis) -> bool {
        let overflowed =
            self.0.len() >= ERASED_KEPT && self.0.front().is_some_and(|oldest| oldest.at >= since);
        overflowed
            || self
                .0
                .iter()
                .any(|erased| erased.channel == channel && erased.at >= since)
    }
}

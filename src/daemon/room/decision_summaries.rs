//! A decision in words for the page: what it does and why, with the names of who is in the room.

use super::platform::RoomPlatform;
use crate::daemon::state::Daemon;
use kith_core::chat::{AuthorKind, ChannelId, MessageId};
use kith_core::persona::Language;
use kith_core::report::{MessageDecision, ThresholdShift};
use kith_core::willingness::{DecisionNames, describe_main_reason, describe_shift, list_reasons};
use kith_room::{DecisionSummary, DecisionVerdict, LocalizedText, SummaryReason, localize};

const MOST_REASONS: usize = 5;

/// The names a summary needs, found while the channel's state is at hand.
#[derive(Clone, Debug, Default)]
pub(super) struct SummaryNames {
    author: Option<String>,
    other: Option<String>,
}

impl Daemon<RoomPlatform> {
    /// The same of the newest line of a person.
    pub(super) fn find_newest_names(&self, channel: ChannelId) -> SummaryNames {
        let newest = self.core.channel_state(channel).and_then(|state| {
            let mut lines = state.timeline().messages().rev();
            lines.find(|line| line.message.author.kind == AuthorKind::Person)
        });
        newest
            .map(|line| self.find_summary_names(channel, line.message.id))
            .unwrap_or_default()
    }

    /// Who wrote a message, and to whom: the one it is openly meant for, else who wrote before.
    pub(super) fn find_summary_names(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> SummaryNames {
        let Some(state) = self.core.channel_state(channel) else {
            return SummaryNames::default();
        };
        let Some(line) = state.timeline().find(message) else {
            return SummaryNames::default();
        };
        let author = &line.message.author;
        let addressees = state.find_other_addressees(&line.message).into_iter();
        let mut addressees = addressees.filter_map(|id| self.platform.members.person(id));
        let addressee = addressees.next().map(|person| person.name.to_string());
        let before = || {
            let mut earlier = state.timeline().messages().rev();
            let earlier = earlier.find(|other| {
                other.message.id < message
                    && other.message.author.id != author.id
                    && other.message.author.kind == AuthorKind::Person
            })?;
            Some(earlier.message.author.name.to_string())
        };
        SummaryNames {
            author: Some(author.name.to_string()),
            other: addressee.or_else(before),
        }
    }
}

pub(super) fn summarize(decision: &MessageDecision, names: &SummaryNames) -> DecisionSummary {
    let verdict = match (decision.speak, decision.address, decision.refusal) {
        _ if !decision.is_weighed() => DecisionVerdict::NotWeighed,
        (true, Some(_), None) => DecisionVerdict::Answers,
        (true, None, None) => DecisionVerdict::Speaks,
        (false, _, None) if decision.waits_until.is_some() => DecisionVerdict::Waits,
        _ => DecisionVerdict::KeepsSilent,
    };
    let names = DecisionNames {
        author: names.author.as_deref(),
        other: names.other.as_deref(),
    };
    let reasons = list_summary_reasons(decision);
    // A score of now has decayed since the terms were summed up; what that takes is among the others.
    let all = (decision.score / (1.0 - decision.score)).ln() - decision.bias;
    let listed: f32 = reasons.iter().map(|reason| reason.adds).sum();
    // Who calls it is answered whatever the threshold.
    let shift = match decision.address {
        Some(_) => ThresholdShift::default(),
        None => decision.shift,
    };
    DecisionSummary {
        verdict,
        reason: localize(|language| {
            describe_main_reason(decision, names, language).unwrap_or_default()
        }),
        reasons,
        rest: if all.is_finite() { all - listed } else { 0.0 },
        movers: localize(|language| describe_shift(shift, language).unwrap_or_default()),
    }
}

/// The weightiest reasons. Two kinds of signals may be told by the same words, and are then one.
fn list_summary_reasons(decision: &MessageDecision) -> Vec<SummaryReason> {
    let in_language = |language: Language| list_reasons(decision, usize::MAX, language);
    let texts: Vec<(&str, Vec<(String, f32)>)> = Language::ALL
        .into_iter()
        .map(|language| (language.code(), in_language(language)))
        .collect();
    let Some((_, first)) = texts.first() else {
        return Vec::new();
    };
    let mut reasons: Vec<SummaryReason> = Vec::new();
    for (at, (_, adds)) in first.iter().enumerate() {
        let text: LocalizedText = texts
            .iter()
            .filter_map(|(code, list)| Some((*code, list.get(at)?.0.clone())))
            .collect();
        let same = |known: &&mut SummaryReason| {
            known
                .text
                .iter()
                .any(|(code, words)| text.get(code) == Some(words))
        };
        match reasons.iter_mut().find(same) {
            Some(known) => known.adds += adds,
            None => reasons.push(SummaryReason { text, adds: *adds }),
        }
    }
    reasons.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
    reasons.truncate(MOST_REASONS);
    reasons
}

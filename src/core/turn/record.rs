//! What lasts for the whole turn, whatever phase it is in.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::dictated_call::ShownWords;
use super::limits::TurnCounts;
use super::model_question::{ModelQuestion, RoundKind};
use super::obligations::Obligations;
use super::offered_tools::offered;
use super::retries::RetryAllowances;
use super::round::Round;
use super::speech::TurnSpeech;
use super::turn_context::TurnContext;
use super::turn_history::TurnHistory;
use super::turn_wait::PendingStep;
use super::typing::TypingState;
use super::working_memory::WorkingMemory;
use crate::call::{ToolResult, ToolSpec};
use crate::chat::{ChannelId, Millis, TurnId};
use crate::effect::Effect;
use crate::intent::ScheduledIntent;
use crate::persona::Language;
use crate::policy::ChannelPolicy;
use crate::protocol::AnswerParser;
use crate::quotes::{ErasedMessage, QuoteRedactor};
use crate::report::TurnTrigger;
use kith_language::refusals;

/// How many messages that are gone are kept for the answer to a prompt.
const MOST_ERASED: usize = 256;

/// Which turn it is, and by which settings it runs: those of the moment it started.
#[derive(Debug)]
pub(super) struct TurnIdentity {
    pub(super) id: TurnId,
    pub(super) channel: ChannelId,
    pub(super) policy: Arc<ChannelPolicy>,
    pub(super) started: Millis,
}

#[derive(Debug)]
pub(super) struct TurnRecord {
    pub(super) identity: TurnIdentity,
    /// The arrival number of the newest message the model was shown.
    pub(super) cursor: u64,
    pub(super) obligations: Obligations,
    pub(super) history: TurnHistory,
    pub(super) memory: WorkingMemory,
    pub(super) speech: TurnSpeech,
    pub(super) typing: TypingState,
    pub(super) retries: RetryAllowances,
    pub(super) counts: TurnCounts,
    /// The tools that are on offer since a call of this turn named them.
    pub(super) discovered_tools: BTreeSet<String>,
    /// What it means to come back to, not taken over by its channel yet.
    pub(super) new_intentions: Vec<ScheduledIntent>,
    /// What was deleted or edited since the current prompt was rendered: what comes of that prompt may repeat it.
    erased: Vec<ErasedMessage>,
}

impl TurnRecord {
    pub(super) fn new(
        id: TurnId,
        policy: Arc<ChannelPolicy>,
        trigger: TurnTrigger,
        context: &TurnContext<'_>,
    ) -> Self {
        Self {
            identity: TurnIdentity {
                id,
                channel: context.channel.id,
                policy,
                started: context.now,
            },
            cursor: context.timeline.cursor(),
            obligations: Obligations::new(trigger, context),
            history: TurnHistory::new(context.now),
            memory: WorkingMemory::default(),
            speech: TurnSpeech::new(),
            typing: TypingState::new(context.now),
            retries: RetryAllowances::new(),
            counts: TurnCounts::default(),
            discovered_tools: BTreeSet::new(),
            new_intentions: Vec::new(),
            erased: Vec::new(),
        }
    }

    /// Begins another round with a question.
    pub(super) fn ask_model(
        &mut self,
        kind: RoundKind,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> ModelQuestion {
        self.memory
            .begin_prompt(kind, self.history.current().is_retried());
        self.history.begin_round(kind, now);
        self.put_question(kind, now, effects)
    }

    /// Asks for a model call in the current round.
    pub(super) fn put_question(
        &mut self,
        kind: RoundKind,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> ModelQuestion {
        self.typing.begin_thinking(self.obligations.is_owed(), now);
        self.renew_typing(true, now, effects);
        effects.push(Effect::AskModel {
            turn: self.identity.id,
            channel: self.identity.channel,
            ask: self.history.current().ask,
        });
        ModelQuestion::new(kind)
    }

    pub(super) fn begin_round(&self, question: ModelQuestion, shown: ShownWords) -> Round {
        let parser = self.new_parser(question.kind, &shown.names);
        Round::new(question, shown, parser)
    }

    pub(super) fn new_parser(&self, kind: RoundKind, others_names: &[String]) -> AnswerParser {
        let policy = &self.identity.policy;
        let tools = self.offered(kind);
        AnswerParser::with_names(policy.protocol, tools, &policy.names, others_names)
    }

    pub(super) fn renew_typing(
        &mut self,
        is_writing: bool,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        if self.typing.renew_notice(is_writing, now) {
            effects.push(Effect::ShowTyping {
                channel: self.identity.channel,
            });
        }
    }

    pub(super) fn offered(&self, kind: RoundKind) -> Arc<[ToolSpec]> {
        offered(&self.identity.policy, kind, &self.discovered_tools)
    }

    pub(super) fn record_erasure(&mut self, gone: &ErasedMessage) {
        if self.erased.len() >= MOST_ERASED {
            self.remove_quotes();
            self.erased.remove(0);
        }
        self.erased.push(gone.clone());
    }

    /// Takes what is gone out of the turn. Not when it goes: an answer or tool that still runs may repeat it later.
    pub(super) fn remove_quotes(&mut self) {
        for quotes in self.erased.iter().filter_map(QuoteRedactor::new) {
            self.memory.remove_quotes(&quotes);
            self.speech.remove_quotes(&quotes);
        }
    }

    /// A prompt is rendered that shows nothing of what is gone.
    pub(super) fn begin_clean_prompt(&mut self) {
        self.remove_quotes();
        self.erased.clear();
    }

    /// Whether somebody waits for an answer, or for the reminder they asked for.
    pub(super) fn is_answer_due(&self) -> bool {
        let reminds = self.obligations.is_reminder() && !self.speech.has_acted();
        self.obligations.is_owed() || reminds
    }

    /// Gives up a round: its calls are not waited for, and what is not said yet is told in the next prompt.
    pub(super) fn abandon_round(&mut self, round: &mut Round) {
        self.abandon_calls(round);
        self.speech.unsent.extend(round.drop_steps());
        if round.hold_reason.is_some() {
            self.retries.other_words.spend();
        }
    }

    /// Calls that are not waited for any more. The next prompt tells of them, for what they did until then stands.
    fn abandon_calls(&mut self, round: &mut Round) {
        let Some(PendingStep::Results {
            running, mut done, ..
        }) = round
            .wait
            .take_if(|wait| matches!(wait, PendingStep::Results { .. }))
        else {
            return;
        };
        let stopped = refusals::stopped().in_language(self.language());
        for one in running {
            if let Some(cut) = self.history.current_mut().calls.get_mut(one.report) {
                cut.result = Some(ToolResult::error(&stopped));
                done.push(one.report);
            }
        }
        self.memory.remember_calls(done, self.history.current());
    }

    pub(super) fn language(&self) -> Language {
        self.identity.policy.persona.language
    }
}

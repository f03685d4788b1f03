//! The calls of an answer: each is checked before it runs, and what came of it goes to working memory.

use super::executor::RoundExecutor;
use super::hold_reason::HoldReason;
use super::model_question::RoundKind;
use super::params::read_text_param;
use super::round::NextRoundNeed;
use super::turn_step::TurnStep;
use super::turn_wait::{AnsweredCall, PendingStep, RunningCall, TurnSlot};
use crate::call::{ToolCall, ToolKind, ToolResult, ToolSpec};
use crate::effect::Effect;
use crate::moderation::ModerationKind;
use crate::persona::Language;
use crate::report::{CallReport, FailureKind};
use crate::schema::{CheckStyle, CheckedParams};
use kith_language::{LocalizedMessage, refusals};

struct CheckedCall {
    call: ToolCall,
    /// What of its parameters was not used, for the model.
    ignored: String,
}

impl RoundExecutor<'_> {
    /// Looks at a call and begins what it asks for, or tells the model what is wrong with it.
    pub(super) fn begin_call(&mut self, call: ToolCall) {
        let tools = self.record.offered(self.round.question.kind);
        let Some(spec) = tools.iter().find(|tool| tool.name == call.name) else {
            let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
            let refusal = refusals::no_such_tool(&call.name, names.join(", "));
            return self.refuse_call(call, None, refusal);
        };
        let Some(CheckedCall { call, ignored }) = self.check_call(spec, call) else {
            return;
        };
        match call.name.as_str() {
            "send_message" => self.plan_message(call),
            "react" => self.plan_reaction(call),
            "wait_for" => self.plan_wait(call),
            "stay_silent" => self.plan_silence(spec.kind, call),
            name => match ModerationKind::from_name(name) {
                Some(deed) => self.plan_moderation(deed, call),
                None => self.guard_and_run_call(spec, call, ignored),
            },
        }
    }

    /// The call as it may be done; none where it is refused, or was done already.
    fn check_call(&mut self, spec: &ToolSpec, call: ToolCall) -> Option<CheckedCall> {
        let kind = spec.kind;
        let calls_before = self.record.history.current().calls.len();
        let excess = self.record.counts.check_call(spec, calls_before);
        if let Some(refusal) = excess {
            self.refuse_excess_call(call, kind, refusal);
            return None;
        }
        if kind == ToolKind::Visible && self.round.has_asked_tool {
            self.refuse_call(call, Some(kind), refusals::before_result());
            return None;
        }
        if self.is_dictated(spec, &call) {
            self.refuse_call(call, Some(kind), refusals::dictated());
            return None;
        }
        let style = choose_check_style(spec, self.record.language());
        let CheckedParams { params, ignored } =
            match spec.schema.check_with_style(&call.params, style) {
                Ok(checked) => checked,
                Err(sentence) => {
                    self.refuse_call(call, Some(kind), sentence);
                    return None;
                }
            };
        if may_promise(kind, &call.name) && self.has_failed_action() {
            self.round.need_next_round(NextRoundNeed::Always);
            self.refuse_call(call, Some(kind), refusals::behind_failure());
            return None;
        }
        let ignored = ignored.join("; ");
        if !ignored.is_empty() {
            self.add_note(format!("{}: {ignored}", call.name));
        }
        let mut call = ToolCall {
            name: call.name,
            params,
        };
        if kind == ToolKind::Visible {
            self.restore_real_names(&mut call);
        }
        if self.is_done_already(&call) {
            let content = refusals::same_call().in_language(self.record.language());
            self.record_done_call(call, kind, &content);
            return None;
        }
        Some(CheckedCall { call, ignored })
    }

    /// Whether something of this answer failed that a message behind it may promise: the model is told before people are,
    /// once of a tool that is not there. In the last round there is nobody left to tell but the next turn.
    fn has_failed_action(&self) -> bool {
        let mut calls = self.record.history.current().calls.iter();
        let mut earlier = self
            .record
            .history
            .earlier()
            .iter()
            .flat_map(|round| &round.calls);
        let mut was_told =
            |name: &str| earlier.any(|done| done.kind.is_none() && done.call.name == name);
        self.round.question.kind != RoundKind::WrapUp
            && calls.any(|done| {
                let promises =
                    !matches!(&*done.call.name, "send_message" | "react" | "stay_silent");
                let is_news = done.kind.is_some() || !was_told(&done.call.name);
                promises && is_news && done.is_failed() || done.hindrance == Some(FailureKind::Hook)
            })
    }

    /// Whether somebody in the chat wrote this call. What says nothing and changes nothing may be written by anybody.
    fn is_dictated(&self, spec: &ToolSpec, call: &ToolCall) -> bool {
        let kind = self.round.question.kind;
        let is_harmless = spec.annotations.read_only || call.name == "stay_silent";
        let raw = &self.record.history.current().raw;
        let new_parser = || self.record.new_parser(kind, &[]);
        !(is_harmless && call.params.is_empty())
            && self.round.shown.hold_call(call, raw, new_parser)
    }

    /// Of the calls beyond the limit the first is shown, the others counted. None is a reason to ask again.
    fn refuse_excess_call(&mut self, call: ToolCall, kind: ToolKind, refusal: LocalizedMessage) {
        self.record.counts.count_refused();
        if self.record.counts.refused() == 1 {
            self.record_refused_call(call, Some(kind), refusal);
        }
    }

    /// People read the names they know in what is said to them.
    fn restore_real_names(&self, call: &mut ToolCall) {
        let texts = call.params.values_mut().filter(|value| value.is_string());
        for text in texts {
            let names = self.context.names;
            *text = names
                .restore_real_names(text.as_str().unwrap_or_default())
                .into();
        }
    }

    /// Whether the same call was made in this answer: models write one twice by mistake. Messages are compared elsewhere.
    fn is_done_already(&self, call: &ToolCall) -> bool {
        let speaks = matches!(call.name.as_str(), "send_message" | "stay_silent");
        let is_same =
            |done: &CallReport| done.call == *call && done.kind.is_some() && !done.is_failed();
        !speaks && self.record.history.current().calls.iter().any(is_same)
    }

    fn plan_silence(&mut self, kind: ToolKind, call: ToolCall) {
        // A small model that knows no answer keeps silent; asked once more it finds one.
        if self.policy().context.is_small()
            && self.record.is_answer_due()
            && self.record.retries.other_words.is_left()
        {
            return self.hold_back_message(call, HoldReason::SilenceWhenAddressed);
        }
        self.choose_silence(&read_text_param(&call, "reason"));
        self.record_done_call(call, kind, "silent");
    }

    fn guard_and_run_call(&mut self, spec: &ToolSpec, mut call: ToolCall, ignored: String) {
        if let Err(held) = self.guard_call_texts(spec, &mut call) {
            self.report_held_back(held);
            return self.refuse_call(call, Some(spec.kind), held.to_message());
        }
        self.run_call(spec, call, ignored);
    }

    fn run_call(&mut self, spec: &ToolSpec, call: ToolCall, ignored: String) {
        let (kind, now) = (spec.kind, self.context.now);
        if kind == ToolKind::Tool {
            self.round.has_asked_tool = true;
            self.round.need_next_round(NextRoundNeed::Always);
        }
        if kind == ToolKind::Visible {
            self.record.speech.mark_arrived();
            self.record.counts.count_visible(&call.name);
        }
        let number = self.record.counts.number_call();
        let history = &mut self.record.history;
        let one = RunningCall {
            call: number,
            report: history.record_call(call.clone(), kind, None, now),
            changes: !spec.annotations.may_be_repeated(),
            ignored,
        };
        match &mut self.round.wait {
            Some(PendingStep::Results { running, .. }) => running.push(one),
            _ => {
                self.round.wait = Some(PendingStep::Results {
                    running: vec![one],
                    done: Vec::new(),
                    may_join: is_read_only(spec),
                    place: TurnSlot::keep_from(now),
                });
            }
        }
        self.effects.push(Effect::Run {
            turn: self.record.identity.id,
            channel: self.record.identity.channel,
            call: number,
            what: call,
            causes: self.record.obligations.find_causes(self.context.timeline),
        });
    }

    /// Whether the next step is a call that may run beside others: it changes nothing, and what it is given is right.
    pub(super) fn is_next_read_only(&self) -> bool {
        let Some(TurnStep::Call(call)) = self.round.steps.front() else {
            return false;
        };
        let fits = |spec: &ToolSpec| {
            let style = choose_check_style(spec, Language::default());
            spec.schema.check_with_style(&call.params, style).is_ok()
        };
        self.record
            .offered(self.round.question.kind)
            .iter()
            .any(|spec| spec.name == call.name && is_read_only(spec) && fits(spec))
    }

    pub(super) fn handle_call_result(&mut self, call: u32, mut result: ToolResult) {
        let wait = self.round.wait.as_mut();
        let Some(answered) = wait.and_then(|wait| wait.take_answered_call(call)) else {
            return;
        };
        let AnsweredCall {
            report,
            ignored,
            all_done,
        } = answered;
        if !ignored.is_empty() {
            result.content.push_str(&format!("\n({ignored})"));
        }
        if all_done.is_some() {
            self.round.wait = None;
        }
        let Some(done) = self.record.history.current_mut().calls.get_mut(report) else {
            return;
        };
        if done.kind == Some(ToolKind::Visible) && !result.is_error {
            self.record.speech.mark_arrived();
            if !result.is_pending {
                self.record.obligations.settle();
            }
        }
        // Who asked for what waits for somebody's approval may be told so.
        if result.is_pending {
            self.round.need_next_round(NextRoundNeed::WhileOwed);
        }
        if result.is_error {
            self.round.need_next_round(NextRoundNeed::UnlessSettled);
        }
        let offers = result.offers.iter().cloned();
        self.record.discovered_tools.extend(offers);
        let ends = (result.ends_turn && !result.is_error).then(|| done.call.name.clone());
        done.result = Some(result);
        if let Some(all) = all_done {
            let round = self.record.history.current();
            self.record.memory.remember_calls(all, round);
        }
        if let Some(name) = ends {
            self.end_at_request(&name);
        }
    }

    /// A tool asked for the end of the turn: nothing written after it is done, and nobody is owed more.
    fn end_at_request(&mut self, name: &str) {
        self.drop_unsent();
        self.round.drop_answer();
        self.record.obligations.settle();
        self.round.silence_reason = Some(format!("{name} ended the turn"));
    }
}

/// A message is worth sending, and a question worth asking, without a parameter that is wrong and may be left out.
fn choose_check_style(spec: &ToolSpec, language: Language) -> CheckStyle {
    CheckStyle {
        language,
        drops_wrong: spec.name == "send_message" || spec.annotations.read_only,
    }
}

/// Whether people may take it for the word that all before it was done.
fn may_promise(kind: ToolKind, name: &str) -> bool {
    let is_deed = ModerationKind::from_name(name).is_some();
    kind == ToolKind::Visible && name != "stay_silent" && !is_deed
}

fn is_read_only(spec: &ToolSpec) -> bool {
    spec.kind == ToolKind::Tool && spec.annotations.read_only
}

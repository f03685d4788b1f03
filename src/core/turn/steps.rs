//! Executing what the model asked for: in order, one step at a time, each call checked before it runs.

use serde_json::Value;

use super::dictated::is_dictated;
use super::emoji;
use super::failure_texts::FailureTexts;
use super::guards::{GuardedText, HoldReason};
use super::waiting::{RunningCall, TurnWait};
use super::{Turn, TurnContext};
use crate::bilingual::bilingual;
use crate::call::{ToolCall, ToolKind, ToolResult, ToolSpec};
use crate::chat::{MessageId, Millis, SECOND};
use crate::context::{WorkingItem, fill_pattern};
use crate::effect::Effect;
use crate::moderation::ModerationKind;
use crate::pacing::estimate_typing_time;
use crate::persona::Language;
use crate::report::{CallReport, DeliveryFailure, FailureKind};
use crate::schema::{CheckStyle, CheckedParams};
use crate::timeline::Timeline;

/// The typing notice is renewed this often; platforms show it for ten seconds.
const TYPING_RENEWED: Millis = 8 * SECOND;
/// How many calls that only read run at the same time.
const MOST_TOGETHER: usize = 8;

/// Something still to be done, in the order it was written.
#[derive(Clone, Debug)]
pub(super) enum TurnStep {
    /// A call as the model wrote it, not looked at yet.
    Call(ToolCall),
    /// One message of a send_message call.
    Say {
        text: String,
        reply_to: Option<MessageId>,
        report: usize,
    },
    /// A reaction.
    React {
        message: MessageId,
        emoji: String,
        report: usize,
    },
}

impl TurnStep {
    pub(super) fn is_message(&self) -> bool {
        match self {
            Self::Say { .. } => true,
            Self::Call(call) => call.name == "send_message",
            Self::React { .. } => false,
        }
    }
}

impl Turn {
    pub(super) fn enqueue_calls(&mut self, calls: Vec<ToolCall>) {
        self.queue.extend(calls.into_iter().map(TurnStep::Call));
    }

    pub(super) fn handle_call_result(&mut self, call: u32, mut result: ToolResult) {
        let (report, all_done) = match &mut self.waiting {
            Some(TurnWait::Results { running, done, .. }) => {
                let Some(at) = running.iter().position(|one| one.call == call) else {
                    return;
                };
                let RunningCall {
                    report, ignored, ..
                } = running.swap_remove(at);
                if !ignored.is_empty() {
                    result.content.push_str(&format!("\n({ignored})"));
                }
                done.push(report);
                (report, running.is_empty().then(|| std::mem::take(done)))
            }
            Some(TurnWait::Moderation {
                call: wanted,
                report,
            }) if *wanted == call => (*report, Some(vec![*report])),
            _ => return,
        };
        if all_done.is_some() {
            self.waiting = None;
        }
        let is_visible = self
            .round_report()
            .calls
            .get(report)
            .is_some_and(|done| done.kind == Some(ToolKind::Visible));
        if is_visible && !result.is_error {
            (self.acted, self.delivered) = (true, true);
        }
        if is_visible && !result.is_error && !result.is_pending {
            self.unanswered.clear();
        }
        // Who asked for what waits for somebody's approval may be told so.
        self.awaits_approval |= result.is_pending;
        self.failed |= result.is_error;
        self.discovered_tools.extend(result.offers.iter().cloned());
        let Some(done) = self.round_report().calls.get_mut(report) else {
            return;
        };
        let ends = (result.ends_turn && !result.is_error).then(|| done.call.name.clone());
        done.result = Some(result);
        if let Some(all) = all_done {
            self.remember_calls(all);
        }
        if let Some(name) = ends {
            self.end_at_request(&name);
        }
    }

    /// What came of calls goes to working memory, in the order they were written.
    pub(super) fn remember_calls(&mut self, mut done: Vec<usize>) {
        done.sort_unstable();
        let calls = &self.round_report().calls;
        let known = done.into_iter().filter_map(|report| {
            let CallReport { call, result, .. } = calls.get(report)?;
            Some(WorkingItem::Called {
                call: call.clone(),
                result: result.clone()?,
            })
        });
        let known: Vec<WorkingItem> = known.collect();
        self.working.extend(known);
    }

    /// A tool asked for the end of the turn: nothing written after it is done, and nobody is owed more.
    fn end_at_request(&mut self, name: &str) {
        self.drop_unsent();
        self.ended = true;
        self.parser = None;
        (self.wants_result, self.failed) = (false, false);
        self.unanswered.clear();
        self.silence_reason = Some(format!("{name} ended the turn"));
    }

    /// A part is out, with the message it became where that is known, or it is not.
    pub(super) fn handle_delivery(
        &mut self,
        part: u32,
        result: Result<Option<MessageId>, DeliveryFailure>,
        now: Millis,
    ) {
        let Some(TurnWait::Delivery {
            part: wanted,
            report,
            ..
        }) = self.waiting
        else {
            return;
        };
        if wanted != part {
            return;
        }
        self.waiting = None;
        self.typing_free_since = now;
        let outcome = match &result {
            Ok(message) => {
                self.delivered = true;
                if message.is_none() {
                    self.notes.push("the delivery is not confirmed yet".into());
                }
                self.typing_gone |= self.text_in_delivery.is_some();
                ToolResult::ok("delivered")
            }
            Err(undelivered) => {
                let DeliveryFailure {
                    why,
                    kind: hindrance,
                } = undelivered;
                self.notes.push(format!("not delivered: {why}"));
                let language = self.policy.persona.language;
                let why = undelivered.describe(language);
                if let Some(said) = self.text_in_delivery.take() {
                    let note = bilingual!(
                        "\"{said}\" could not be delivered: {why}",
                        "“{said}”没能送达：{why}"
                    );
                    self.next_prompt_notes.push(note.into_text(language));
                    // Without its beginning nobody understands the rest; only another text may pass a filter.
                    if *hindrance != FailureKind::Filter {
                        self.drop_unsent();
                    }
                }
                ToolResult::error(why)
            }
        };
        if let Some(done) = self.round_report().calls.get_mut(report) {
            done.hindrance = result.as_ref().err().map(|undelivered| undelivered.kind);
            done.message = done.message.or(result.ok().flatten());
            done.result = Some(outcome);
        }
    }

    /// Does steps until one has to be waited for, then decides about the end of the round.
    pub(super) fn run_steps(&mut self, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        self.yield_place_if_slow(context.now);
        loop {
            match &self.waiting {
                Some(TurnWait::Pause { until }) if *until <= context.now => self.waiting = None,
                Some(TurnWait::Results {
                    may_join: true,
                    running,
                    ..
                }) if running.len() < MOST_TOGETHER && self.is_next_read_only() => {}
                Some(_) => break,
                None => {}
            }
            match self.queue.pop_front() {
                Some(TurnStep::Call(call)) => self.begin_call(call, context, effects),
                Some(TurnStep::Say {
                    text,
                    reply_to,
                    report,
                }) => {
                    let due =
                        self.typing_free_since + estimate_typing_time(&text, &self.policy.pacing);
                    if due > context.now {
                        self.queue.push_front(TurnStep::Say {
                            text,
                            reply_to,
                            report,
                        });
                        self.waiting = Some(TurnWait::Pause { until: due });
                        if self.typing_gone {
                            self.next_typing = Some(context.now);
                        }
                        self.next_typing.get_or_insert(context.now);
                    } else {
                        self.send_message(text, reply_to, report, context, effects);
                    }
                }
                Some(TurnStep::React {
                    message,
                    emoji,
                    report,
                }) => {
                    self.send_reaction(message, emoji, report, (context.now, effects));
                }
                None if self.ended => {
                    self.conclude_round(context, effects);
                    break;
                }
                None => break,
            }
        }
        self.renew_typing(context.now, effects);
    }

    pub(super) fn renew_typing(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let writing = self.outcome.is_none()
            && (!self.ended
                || matches!(
                    self.waiting,
                    Some(TurnWait::Pause { .. } | TurnWait::Results { .. })
                ));
        match self.next_typing {
            Some(_) if !writing => self.next_typing = None,
            Some(due) if due <= now => {
                effects.push(Effect::ShowTyping {
                    channel: self.channel,
                });
                self.typing_gone = false;
                self.next_typing = Some(now + TYPING_RENEWED);
            }
            _ => {}
        }
    }

    fn begin_call(&mut self, call: ToolCall, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        let tools = self.offered();
        let language = self.policy.persona.language;
        let failure_texts = FailureTexts::from_language(language);
        let Some(spec) = tools.iter().find(|tool| tool.name == call.name) else {
            let names = tools
                .iter()
                .map(|tool| tool.name.as_str())
                .collect::<Vec<_>>()
                .join(", ");
            let sentence = fill_pattern(failure_texts.no_such_tool, &[&call.name, &names]);
            return self.refuse_call(call, None, sentence, context.now);
        };
        let kind = spec.kind;
        if let Some(sentence) = self.check_call_limit(spec) {
            return self.refuse_excess_call(call, kind, sentence, context.now);
        }
        if kind == ToolKind::Visible && self.tool_written {
            return self.refuse_call(
                call,
                Some(kind),
                failure_texts.before_result.to_owned(),
                context.now,
            );
        }
        let CheckedParams { params, ignored } = match spec
            .schema
            .check_with_style(&call.params, choose_check_style(spec, language))
        {
            Ok(checked) => checked,
            Err(sentence) => return self.refuse_call(call, Some(kind), sentence, context.now),
        };
        let ignored = ignored.join("; ");
        if !ignored.is_empty() {
            self.notes.push(format!("{}: {ignored}", call.name));
        }
        let mut call = ToolCall {
            name: call.name,
            params,
        };
        if kind == ToolKind::Visible {
            let texts = call.params.values_mut().filter(|value| value.is_string());
            texts.for_each(|text| {
                *text = context
                    .names
                    .restore_real_names(text.as_str().unwrap_or_default())
                    .into()
            });
        }
        if is_dictated(&call, kind, context.timeline) {
            return self.refuse_call(
                call,
                Some(kind),
                failure_texts.dictated.to_owned(),
                context.now,
            );
        }
        if self.is_done_already(&call) {
            self.record_call(
                call,
                Some(kind),
                Some(ToolResult::ok(failure_texts.same_call)),
                context.now,
            );
            return;
        }
        match call.name.as_str() {
            "send_message" => self.plan_message(call, context, effects),
            "react" => self.plan_reaction(call, context),
            "wait_for" => self.plan_wait(call, context, effects),
            // A small model that knows no answer keeps silent; asked once more it finds one.
            "stay_silent"
                if self.policy.context.is_small()
                    && self.is_answer_due()
                    && !self.was_asked_again =>
            {
                self.hold_back_message(call, HoldReason::SilenceWhenAddressed, context, effects);
            }
            "stay_silent" => {
                self.choose_silence(&read_text_param(&call, "reason"));
                self.record_call(
                    call,
                    Some(kind),
                    Some(ToolResult::ok("silent")),
                    context.now,
                );
            }
            name if let Some(deed) = ModerationKind::from_name(name) => {
                self.plan_moderation(deed, call, context, effects)
            }
            _ => {
                if let Err(held) = self.guard_call_texts(spec, &mut call, context) {
                    effects.push(Effect::ReportHeldBack {
                        channel: self.channel,
                        why: held.reason(),
                    });
                    return self.refuse_call(
                        call,
                        Some(kind),
                        held.failure_text(language).to_owned(),
                        context.now,
                    );
                }
                self.run_call(spec, call, ignored, context, effects);
            }
        }
    }

    /// Whether the same call was made in this answer: models write one twice by mistake. Messages are compared elsewhere.
    fn is_done_already(&mut self, call: &ToolCall) -> bool {
        let speaks = matches!(call.name.as_str(), "send_message" | "stay_silent");
        let is_same = |done: &CallReport| {
            done.call == *call
                && done.kind.is_some()
                && done.result.as_ref().is_none_or(|result| !result.is_error)
        };
        !speaks && self.round_report().calls.iter().any(is_same)
    }

    fn run_call(
        &mut self,
        spec: &ToolSpec,
        call: ToolCall,
        ignored: String,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let kind = spec.kind;
        if kind == ToolKind::Tool {
            self.tool_written = true;
            self.wants_result = true;
        }
        if kind == ToolKind::Visible {
            (self.acted, self.delivered) = (true, true);
            self.count_visible(&call.name);
        }
        self.next_call += 1;
        let report = self.record_call(call.clone(), Some(kind), None, context.now);
        let changes = !spec.annotations.may_be_repeated();
        let one = RunningCall {
            call: self.next_call,
            report,
            changes,
            ignored,
        };
        match &mut self.waiting {
            Some(TurnWait::Results { running, .. }) => running.push(one),
            _ => {
                let (may_join, since) = (is_read_only(spec), context.now);
                self.waiting = Some(TurnWait::Results {
                    running: vec![one],
                    done: Vec::new(),
                    may_join,
                    since,
                });
            }
        }
        effects.push(Effect::Run {
            turn: self.id,
            channel: self.channel,
            call: self.next_call,
            what: call,
            causes: self.find_causes(context.timeline),
        });
    }

    /// Whether the next step is a call that may run beside others: it changes nothing, and what it is given is right.
    fn is_next_read_only(&self) -> bool {
        let Some(TurnStep::Call(call)) = self.queue.front() else {
            return false;
        };
        let tools = self.offered();
        let fits = |spec: &ToolSpec| {
            spec.schema
                .check_with_style(&call.params, choose_check_style(spec, Language::default()))
                .is_ok()
        };
        tools
            .iter()
            .any(|spec| spec.name == call.name && is_read_only(spec) && fits(spec))
    }

    /// Tells the model what was wrong with its call. That is worth another round while somebody is owed an answer, and
    /// whenever it asked for something it wants to know.
    pub(super) fn refuse_call(
        &mut self,
        call: ToolCall,
        kind: Option<ToolKind>,
        sentence: String,
        now: Millis,
    ) {
        match kind {
            Some(ToolKind::Tool) => self.wants_result = true,
            _ => self.failed = true,
        }
        self.record_refused_call(call, kind, sentence, now);
    }

    /// The same without asking for another round.
    pub(super) fn record_refused_call(
        &mut self,
        call: ToolCall,
        kind: Option<ToolKind>,
        sentence: String,
        now: Millis,
    ) {
        let result = ToolResult::error(sentence);
        self.record_call(call.clone(), kind, Some(result.clone()), now);
        self.working.push(WorkingItem::Called { call, result });
    }

    fn plan_message(
        &mut self,
        call: ToolCall,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let text = read_text_param(&call, "text");
        let parts = match self.guard_message(&text, context) {
            GuardedText::Say(parts) => self.limit_messages(parts),
            GuardedText::Silence => {
                self.choose_silence(&text);
                self.record_call(
                    call,
                    Some(ToolKind::Visible),
                    Some(ToolResult::ok("silent")),
                    context.now,
                );
                return;
            }
            GuardedText::Hold(held) => return self.hold_back_message(call, held, context, effects),
        };
        let reply_to = self.find_target(&call, "reply_to", context.timeline);
        let report = self.record_call(call, Some(ToolKind::Visible), None, context.now);
        for (index, text) in parts.into_iter().enumerate().rev() {
            let reply_to = if index == 0 { reply_to } else { None };
            self.queue.push_front(TurnStep::Say {
                text,
                reply_to,
                report,
            });
        }
    }

    fn plan_reaction(&mut self, call: ToolCall, context: &TurnContext<'_>) {
        let texts = FailureTexts::from_language(self.policy.persona.language);
        let emoji = emoji::find_emoji(&read_text_param(&call, "emoji"));
        match (emoji, self.find_target(&call, "to", context.timeline)) {
            (None, _) => self.refuse_call(
                call,
                Some(ToolKind::Visible),
                texts.no_emoji.into(),
                context.now,
            ),
            (_, None) => self.refuse_call(
                call,
                Some(ToolKind::Visible),
                texts.no_such_line.into(),
                context.now,
            ),
            (Some(emoji), Some(message)) => {
                self.count_visible("react");
                let report = self.record_call(call, Some(ToolKind::Visible), None, context.now);
                self.queue.push_front(TurnStep::React {
                    message,
                    emoji,
                    report,
                });
            }
        }
    }

    /// The message behind a short id in a parameter.
    pub(super) fn find_message_id(
        call: &ToolCall,
        name: &str,
        timeline: &Timeline,
    ) -> Option<MessageId> {
        let value = call.params.get(name)?;
        let short = value
            .as_u64()
            .or_else(|| value.as_str()?.trim_start_matches('#').trim().parse().ok());
        short
            .and_then(|short| timeline.find_by_short_id(u16::try_from(short).ok()?))
            .map(|said| said.message.id)
    }

    /// The same. An unknown one is noted, for a message is worth sending without its reply mark.
    fn find_target(
        &mut self,
        call: &ToolCall,
        name: &str,
        timeline: &Timeline,
    ) -> Option<MessageId> {
        let value = call.params.get(name)?;
        let found = Self::find_message_id(call, name, timeline);
        if found.is_none() && !value.is_null() {
            self.notes.push(format!(
                "{} names line {value}, which is not there",
                call.name
            ));
        }
        found
    }

    fn send_message(
        &mut self,
        text: String,
        reply_to: Option<MessageId>,
        report: usize,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        self.acted = true;
        self.unanswered.clear();
        self.replied_to.extend(reply_to);
        self.next_part += 1;
        self.text_in_delivery = Some(text.clone());
        self.sent_texts.push(text.clone());
        self.working.push(WorkingItem::Said(text.clone()));
        self.waiting = Some(TurnWait::Delivery {
            part: self.next_part,
            report,
            since: context.now,
        });
        effects.push(Effect::Send {
            turn: self.id,
            channel: self.channel,
            part: self.next_part,
            text,
            reply_to,
            cursor: self.compute_answered_cursor(context.timeline),
        });
    }

    /// Up to which arrival number everything is answered once the message is out that goes out now. Where it answers one
    /// person and another who spoke later has theirs still to come, only up to there: if the process dies in between, the
    /// next one answers the other.
    fn compute_answered_cursor(&self, timeline: &Timeline) -> u64 {
        let arrival = |id: MessageId| {
            let is_addressed = self.wake.addressed.contains(&id);
            timeline
                .find(id)
                .filter(|_| is_addressed)
                .map(|said| said.message.arrival)
        };
        let Some(answered) = self.replied_to.last().and_then(|id| arrival(*id)) else {
            return self.cursor;
        };
        let to_come = self.queue.iter().filter_map(|step| match step {
            TurnStep::Say { reply_to, .. } => reply_to.and_then(arrival),
            TurnStep::Call(call) => {
                Self::find_message_id(call, "reply_to", timeline).and_then(arrival)
            }
            TurnStep::React { .. } => None,
        });
        to_come
            .filter(|later| *later > answered)
            .map(|later| later - 1)
            .min()
            .unwrap_or(self.cursor)
            .min(self.cursor)
    }

    fn send_reaction(
        &mut self,
        message: MessageId,
        emoji: String,
        report: usize,
        (now, effects): (Millis, &mut Vec<Effect>),
    ) {
        self.acted = true;
        self.unanswered.clear();
        self.next_part += 1;
        self.text_in_delivery = None;
        self.waiting = Some(TurnWait::Delivery {
            part: self.next_part,
            report,
            since: now,
        });
        effects.push(Effect::React {
            turn: Some(self.id),
            channel: self.channel,
            part: self.next_part,
            message,
            emoji,
            cursor: self.cursor,
        });
    }
}

/// A message is worth sending, and a question worth asking, without a parameter that is wrong and may be left out.
fn choose_check_style(spec: &ToolSpec, language: Language) -> CheckStyle {
    CheckStyle {
        language,
        drops_wrong: spec.name == "send_message" || spec.annotations.read_only,
    }
}

fn is_read_only(spec: &ToolSpec) -> bool {
    spec.kind == ToolKind::Tool && spec.annotations.read_only
}

pub(super) fn read_text_param(call: &ToolCall, name: &str) -> String {
    match call.params.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}

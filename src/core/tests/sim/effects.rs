//! Executes what the core asks for: it is written down, and answered as a platform and tools would.

use std::fmt::Write as _;

use kith_core::chat::{Author, AuthorKind, ChannelId, MessageId, TurnId};
use kith_core::effect::Effect;
use kith_core::event::TurnEvent;
use kith_core::report::{DeliveryFailure, FailureKind, TokenUsage};

use super::{ME, START, Sim};

impl Sim {
    pub(super) fn execute(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::AskModel { turn, channel, ask } => self.ask(turn, channel, ask),
                Effect::Run { .. }
                | Effect::Moderate { .. }
                | Effect::Send { .. }
                | Effect::React { .. } => self.act(effect),
                Effect::SaveIntent { .. }
                | Effect::SaveFiredIntent { .. }
                | Effect::EndIntent { .. } => self.keep_intent(effect),
                Effect::NextModel { .. } => {
                    self.spares -= 1;
                    self.note(format_args!("next model"));
                }
                Effect::StopAnswer { turn, ask } => {
                    self.note(format_args!("hang up"));
                    let end = Ok(TokenUsage::default());
                    self.turn(turn, TurnEvent::AnswerEnded { ask, end });
                }
                Effect::ReportMessageDecision(_)
                | Effect::ReportDecision(_)
                | Effect::ReportHeldBack { .. }
                | Effect::ShowTyping { .. }
                | Effect::CancelTurn { .. }
                | Effect::Finish(_) => self.write_down(effect),
            }
        }
    }

    /// What needs no answer.
    fn write_down(&mut self, effect: Effect) {
        match effect {
            Effect::ReportMessageDecision(decision) => self.decisions.push(*decision),
            Effect::ReportDecision(beat) => {
                let outcome = format!("{:?}", beat.outcome).to_lowercase();
                self.note(format_args!("beat #{}: {outcome}", beat.channel));
            }
            Effect::ShowTyping { channel } => self.note(format_args!("typing #{channel}")),
            Effect::CancelTurn { .. } => self.note(format_args!("cut")),
            Effect::Finish(report) => {
                self.note(format_args!(
                    "end #{}: {:?}",
                    report.channel, report.outcome
                ));
                self.reports.push(*report);
            }
            _ => {}
        }
    }

    /// What is done in the world.
    fn act(&mut self, effect: Effect) {
        match effect {
            Effect::Run {
                turn, call, what, ..
            } => {
                self.note(format_args!("run {}", what.name));
                self.running.insert(what.name.clone(), (turn, call));
                if !self.slow.contains(&what.name.as_str()) {
                    self.comes(&what.name);
                }
            }
            Effect::Moderate {
                turn,
                call,
                action: act,
                causes,
            } => {
                self.note(format_args!(
                    "{} {} for {causes:?}",
                    act.deed.name(),
                    act.name
                ));
                if let Some(result) = self.judged.clone() {
                    self.turn(turn, TurnEvent::CallDone { call, result });
                }
            }
            Effect::Send {
                turn,
                channel,
                part,
                text,
                reply_to,
                ..
            } => {
                let reply = reply_to.map(|id| format!(" (to {id})")).unwrap_or_default();
                self.note(format_args!("say #{channel}{reply}: {text}"));
                self.deliver(turn, channel, part, (&text, reply_to));
            }
            Effect::React {
                turn,
                part,
                message,
                emoji,
                ..
            } => {
                self.note(format_args!("react {emoji} on {message}"));
                if let Some(turn) = turn {
                    self.confirm(turn, part, Ok(message));
                }
            }
            _ => {}
        }
    }

    fn deliver(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
        part: u32,
        (text, reply_to): (&str, Option<MessageId>),
    ) {
        if let Some(why) = self.refusals.pop() {
            let refusal = DeliveryFailure {
                kind: FailureKind::Hook,
                why: why.into(),
            };
            return self.confirm(turn, part, Err(refusal));
        }
        if let Some(why) = self.undeliverable {
            return self.confirm(turn, part, Err(why.into()));
        }
        if self.unconfirmed {
            return self.turn(turn, TurnEvent::DeliveryUnconfirmed { part });
        }
        let me = Author {
            id: ME,
            name: "Juno".into(),
            kind: AuthorKind::Companion,
        };
        let id = self.hear(channel.0, me, text, reply_to);
        self.confirm(turn, part, Ok(id));
    }

    fn confirm(&mut self, turn: TurnId, part: u32, result: Result<MessageId, DeliveryFailure>) {
        self.turn(turn, TurnEvent::Delivered { part, result });
    }

    fn keep_intent(&mut self, effect: Effect) {
        match effect {
            Effect::SaveIntent { channel, intention } => {
                self.intentions.insert((channel, intention.id), *intention);
            }
            Effect::SaveFiredIntent { channel, id, fired } => {
                if let Some(kept) = self.intentions.get_mut(&(channel, id)) {
                    kept.came = Some(fired);
                }
            }
            Effect::EndIntent { channel, id, end } => {
                self.note(format_args!("over: {end:?}"));
                self.intentions.remove(&(channel, id));
            }
            _ => {}
        }
    }

    pub(super) fn note(&mut self, line: std::fmt::Arguments<'_>) {
        let seconds = (self.now - START) as f64 / 1_000.0;
        let _ = writeln!(self.log, "{seconds:>5.1} {line}");
    }
}

//! The scripted model: it is asked, and answers piece by piece.

use kith_core::RenderInputs;
use kith_core::chat::{ChannelId, TurnId};
use kith_core::event::TurnEvent;
use kith_core::protocol::ToolDelta;
use kith_core::report::{ModelFailure, TokenUsage};

use super::Sim;

/// What the scripted model does when it is asked.
pub enum Answer {
    /// Writes this in pieces of a few bytes, then ends.
    Says(&'static str),
    /// Writes this, and calls these tools with these arguments, as a provider hands them over.
    Calls(&'static str, &'static [(&'static str, &'static str)]),
    /// Fails.
    Fails(&'static str),
    /// Writes this, and its answer is cut off there at its length limit.
    Cut(&'static str),
    /// Writes this and fails.
    Breaks(&'static str, &'static str),
    /// Writes this and is not done yet; `Sim::model_ends` ends it.
    Starts(&'static str),
}

impl Sim {
    pub(super) fn ask(&mut self, turn: TurnId, channel: ChannelId, ask: u32) {
        let inputs = RenderInputs {
            intentions: self.stored_intentions(channel),
            lines_on_their_way: self.lines_on_their_way.clone(),
            ..self.inputs.clone()
        };
        let Some(round) = self.core.build_round_prompt(self.now, turn, inputs) else {
            return;
        };
        self.note(format_args!("ask #{channel} {:?}", round.kind));
        if self.always.is_none() {
            self.asked.push((channel, format!("{:?}", round.sections)));
        }
        if self.spares > 0 {
            self.turn(
                turn,
                TurnEvent::PromptRendered {
                    prompt_tokens: 0,
                    has_fallback: true,
                },
            );
        }
        let Some(answer) = self.answers.pop_front().or(self.always.map(Answer::Says)) else {
            return self.fail((turn, ask), "the script is over");
        };
        match answer {
            Answer::Fails(why) => self.fail((turn, ask), why),
            Answer::Calls(text, calls) => {
                self.write((turn, ask), text);
                for (index, (name, arguments)) in (0..).zip(calls) {
                    let named = ToolDelta {
                        index,
                        name: Some((*name).to_owned()),
                        ..ToolDelta::default()
                    };
                    self.turn(turn, TurnEvent::ToolDelta { ask, delta: named });
                    let delta = ToolDelta {
                        index,
                        arguments: (*arguments).to_owned(),
                        ..ToolDelta::default()
                    };
                    self.turn(turn, TurnEvent::ToolDelta { ask, delta });
                }
                self.end((turn, ask), false);
            }
            Answer::Breaks(text, why) => {
                self.write((turn, ask), text);
                self.fail((turn, ask), why);
            }
            Answer::Cut(text) => {
                self.write((turn, ask), text);
                self.end((turn, ask), true);
            }
            Answer::Starts(text) => {
                self.open = Some((turn, ask));
                self.write((turn, ask), text);
            }
            Answer::Says(text) => {
                let mut rest = text;
                while !rest.is_empty() {
                    let cut = (7..=rest.len())
                        .find(|at| rest.is_char_boundary(*at))
                        .unwrap_or(rest.len());
                    let (piece, tail) = rest.split_at(cut);
                    rest = tail;
                    self.write((turn, ask), piece);
                }
                self.end((turn, ask), false);
            }
        }
    }

    fn write(&mut self, (turn, ask): (TurnId, u32), text: &str) {
        let text = text.to_owned();
        self.turn(turn, TurnEvent::Delta { ask, text });
    }

    fn end(&mut self, (turn, ask): (TurnId, u32), truncated: bool) {
        let end = Ok(TokenUsage {
            truncated,
            ..TokenUsage::default()
        });
        self.turn(turn, TurnEvent::AnswerEnded { ask, end });
    }

    fn fail(&mut self, (turn, ask): (TurnId, u32), why: &str) {
        let end = Err(ModelFailure::new(why));
        self.turn(turn, TurnEvent::AnswerEnded { ask, end });
    }

    /// Goes on with the answer an [`Answer::Starts`] began.
    pub fn model_writes(&mut self, text: &str) {
        if let Some(open) = self.open {
            self.write(open, text);
        }
    }

    /// The same with a piece of a call that the provider hands over; its first has the tool's name.
    pub fn model_calls(&mut self, index: u32, name: Option<&str>, arguments: &str) {
        if let Some((turn, ask)) = self.open {
            let delta = ToolDelta {
                index,
                id: None,
                name: name.map(str::to_owned),
                arguments: arguments.to_owned(),
            };
            self.turn(turn, TurnEvent::ToolDelta { ask, delta });
        }
    }

    /// Ends the answer an [`Answer::Starts`] began.
    pub fn model_ends(&mut self, rest: &str) {
        if let Some(open) = self.open.take() {
            self.write(open, rest);
            self.end(open, false);
        }
    }
}

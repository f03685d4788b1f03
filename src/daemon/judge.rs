//! Asking a model whether a friend would speak now, before a turn that the score alone left in doubt: `judge` of `[roles]`.
//! Where nobody answers in time, or the budget is spent, the score decides as if there were no judge.

use super::loop_message::LoopMessage;
use super::prompt_event::{PictureWait, PromptEvent};
use super::state::Daemon;
use kith_agent::judge::ask_judge;
use kith_core::compaction::render_talk;
use kith_core::context::RecalledMessage;
use kith_core::event::{Event, TurnEvent};
use kith_core::persona::Language;
use kith_language::daemon;
use kith_model::{CostAttribution, Model, ModelChain, ModelFunction};

/// How much of the chat is shown, in estimated tokens and in lines: with the instruction at most 350 tokens.
const TALK_TOKENS: u32 = 130;
const LINES: usize = 8;

struct Question {
    model: Model,
    instruction: String,
    talk: String,
}

impl Daemon {
    /// A round is about to begin: a model is asked first whether to speak, where that is in doubt.
    pub(super) fn ask_judge(&mut self, waiting: PictureWait) {
        let Some(Question {
            model,
            instruction,
            talk,
        }) = self.build_judge_question(&waiting)
        else {
            return self.describe_pictures_or_ask(waiting);
        };
        let (turn, channel, loop_sender) =
            (waiting.turn, waiting.channel, self.loop_sender.clone());
        let attribution = CostAttribution {
            function: ModelFunction::Judge,
            ..self.attribute_turn_cost(turn, channel)
        };
        let caller = self
            .model_calls
            .caller(attribution, Some(turn), self.core.estimator);
        let task = tokio::spawn(async move {
            let name = model.name().to_owned();
            let speaks = ask_judge(caller, model, instruction, talk).await;
            let _ = loop_sender
                .send(LoopMessage::Prompt(Box::new(PromptEvent::JudgeAnswered {
                    name,
                    speaks,
                    waiting,
                })))
                .await;
        });
        self.ensure_running_turn(turn, channel)
            .tasks
            .push(task.abort_handle());
    }

    /// Nothing where it is not in doubt or nobody can be asked.
    fn build_judge_question(&self, waiting: &PictureWait) -> Option<Question> {
        let PictureWait {
            turn, channel, ask, ..
        } = *waiting;
        let channel_state = self
            .core
            .channel_state(channel)
            .filter(|_| self.is_asking(turn, channel, ask))?;
        let wake = channel_state.turn.as_ref().map(|turn| turn.wake())?;
        if ask > 1 || !wake.is_doubtful {
            return None;
        }
        let instruction = self.prompts.render_judge(channel_state.policy()).ok()?;
        let said = channel_state
            .timeline()
            .messages()
            .rev()
            .take(LINES)
            .map(|said| RecalledMessage {
                at: said.message.at,
                author: said.message.author.id,
                name: said.message.author.name.clone(),
                text: said.message.text.clone(),
            });
        let mut lines: Vec<RecalledMessage> = said.collect();
        lines.reverse();
        let estimator = &self.core.estimator;
        let (talk, _) = render_talk(
            lines.iter(),
            TALK_TOKENS,
            channel_state.window.names.clone(),
            estimator,
        );
        let talk = self.redactor.redact(&talk).into_owned();
        let prompt_tokens =
            estimator.estimate_tokens(&instruction) + estimator.estimate_tokens(&talk);
        let judges = self.model_calls.selection().judge_models.clone();
        let mut judges = ModelChain::from_models(judges)?;
        judges.pick(prompt_tokens).ok()?;
        Some(Question {
            model: judges.model().clone(),
            instruction,
            talk,
        })
    }

    /// The judge answered, or did not: the turn goes on, or ends in silence.
    pub(super) fn handle_judge_verdict(
        &mut self,
        name: &str,
        speaks: Result<bool, String>,
        waiting: PictureWait,
    ) {
        let PictureWait {
            turn, channel, ask, ..
        } = waiting;
        if !self.is_asking(turn, channel, ask) {
            return;
        }
        let Some(wake) = self
            .core
            .channel_state(channel)
            .and_then(|channel_state| Some(channel_state.turn.as_ref()?.wake()))
        else {
            return;
        };
        let language = self.language_in(channel);
        let by_score = wake.score >= wake.threshold;
        let (goes_on, note) = match speaks {
            Ok(speaks) => (speaks, describe_verdict(language, name, speaks)),
            Err(why) => (by_score, describe_missing_verdict(language, &why, by_score)),
        };
        if goes_on {
            self.add_turn_note(turn, note);
            return self.describe_pictures_or_ask(waiting);
        }
        self.handle_event(Event::Turn {
            turn,
            event: TurnEvent::JudgeDeclined { why: note },
        });
    }
}

fn describe_verdict(language: Language, name: &str, speaks: bool) -> String {
    let text = match speaks {
        true => daemon::judge_speaks(name),
        false => daemon::judge_keeps_silent(name),
    };
    text.in_language(language)
}

fn describe_missing_verdict(language: Language, why: &str, by_score: bool) -> String {
    let text = match by_score {
        true => daemon::no_judge_speaks(why),
        false => daemon::no_judge_keeps_silent(why),
    };
    text.in_language(language)
}

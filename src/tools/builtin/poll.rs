//! `create_poll`: a question with answers to choose from.

use kith_language::{LocalizedMessage, tool_descriptions, tools};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::own_messages::to_tool_result;
use crate::{HostCommand, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::outgoing::{MessageEnclosure, Poll};

const DEFAULT_HOURS: u32 = 24;
/// Sending can have to wait for a slow mode.
pub(super) const TIME_OUT: Duration = Duration::from_secs(70);

#[derive(Deserialize, JsonSchema)]
struct CreatePoll {
    question: String,
    answers: Vec<String>,
    hours: Option<u32>,
    several: Option<bool>,
}

pub(super) fn tool() -> Tool {
    Tool::new(
        "create_poll",
        ToolKind::Visible,
        tool_descriptions::create_poll(),
        run,
    )
    .describe_parameter("answers", tool_descriptions::create_poll_answers())
    .describe_parameter("several", tool_descriptions::create_poll_several())
    .primary("question")
    .spoken_parameters(&["question", "answers"])
    .optional()
    .time_out(TIME_OUT)
}

async fn run(params: CreatePoll, context: ToolContext) -> ToolResult {
    match build_poll(params) {
        Ok(poll) => {
            let post = HostCommand::Post(MessageEnclosure::Poll(poll));
            to_tool_result(context.run_command(post).await, &context)
        }
        Err(why) => context.build_error(why),
    }
}

fn build_poll(params: CreatePoll) -> Result<Poll, LocalizedMessage> {
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let question = line(&params.question);
    let mut answers: Vec<String> = Vec::new();
    for answer in params
        .answers
        .iter()
        .map(|answer| line(answer))
        .filter(|answer| !answer.is_empty())
    {
        if !answers.contains(&answer) {
            answers.push(answer);
        }
    }
    let hours = params.hours.unwrap_or(DEFAULT_HOURS);
    let (longest, most) = (Poll::ANSWER_CHARACTERS, Poll::MOST_ANSWERS);
    if question.is_empty() || question.chars().count() > Poll::QUESTION_CHARACTERS {
        Err(tools::question_limits(Poll::QUESTION_CHARACTERS))
    } else if !(2..=most).contains(&answers.len()) {
        Err(tools::answers_limits(most))
    } else if let Some(answer) = answers
        .iter()
        .find(|answer| answer.chars().count() > longest)
    {
        Err(tools::answer_too_long(answer, longest))
    } else if !(1..=Poll::MOST_HOURS).contains(&hours) {
        Err(tools::hours_limits(Poll::MOST_HOURS))
    } else {
        Ok(Poll {
            question,
            answers,
            hours,
            several: params.several.unwrap_or(false),
        })
    }
}

//! One question to a model beside the turns: what it answered and what that took, however it ended.

use std::time::Duration;

use tokio::time::timeout;

use kith_model::{CallUsage, Model, ModelEvent, ModelRequest, strip_thoughts};

/// What came of a question.
#[derive(Debug)]
pub struct QuestionOutcome {
    /// The text, or why there is none.
    pub text: Result<String, String>,
    /// What it took.
    pub usage: CallUsage,
}

/// Asks `request`, and waits no longer than `wait`.
pub async fn question(model: &Model, request: ModelRequest, wait: Duration) -> QuestionOutcome {
    let (mut text, mut has_output) = (String::new(), false);
    let end = timeout(wait, async {
        let mut answer = model.ask(request);
        while let Some(event) = answer.recv().await {
            match event {
                ModelEvent::Delta(piece) => {
                    has_output = true;
                    text.push_str(&piece);
                }
                ModelEvent::Reasoning(_) => has_output = true,
                ModelEvent::ToolDelta(_)
                | ModelEvent::Note(_)
                | ModelEvent::Retry
                | ModelEvent::ContextShrank(_) => {}
                ModelEvent::End(end) => return Some(end),
            }
        }
        None
    });
    match end.await.ok().flatten() {
        Some(Ok(usage)) => QuestionOutcome {
            text: Ok(strip_thoughts(&text).trim().to_owned()),
            usage: CallUsage::Usage(usage),
        },
        Some(Err(failure)) => {
            let none = if has_output {
                CallUsage::Unknown
            } else {
                CallUsage::Nothing
            };
            QuestionOutcome {
                text: Err(failure.message),
                usage: failure.spent.map_or(none, CallUsage::Usage),
            }
        }
        None => {
            let why = format!(
                "{} did not answer within {} s.",
                model.name(),
                wait.as_secs()
            );
            QuestionOutcome {
                text: Err(why),
                usage: CallUsage::Unknown,
            }
        }
    }
}

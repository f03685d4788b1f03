//! The prompts and raw answers of a turn, as a file: everything the model read and wrote. They hold what people said,
//! so only those get them who may read the channel, and among them only those who look after it.

use kith_language::commands;
use std::fmt::Write;

use super::CommandAnswer;
use super::rights::{CommandContext, CommandOutcome};
use kith_core::chat::TurnId;
use kith_store::StoredTurn;

pub(super) async fn answer(context: &CommandContext<'_>, turn: TurnId) -> CommandOutcome {
    if !context.can_read() {
        return match context.is_direct() {
            true => context.refuse(commands::raw_of_direct_message()),
            false => context.refuse(commands::raw_of_hidden_channel()),
        };
    }
    let stored = context.find_turn(turn).await?;
    let text = match stored.prompts.is_empty() {
        true => context.say(commands::raw_without_prompt()),
        false => context.say(commands::raw_with_prompt()),
    };
    let file = CommandAnswer::File {
        text: text.to_owned(),
        name: format!("kith-turn-{turn}.txt"),
        bytes: render_turn(&stored).into_bytes(),
    };
    Ok((file, Vec::new()))
}

fn render_turn(stored: &StoredTurn) -> String {
    let mut out = String::new();
    for round in &stored.report.rounds {
        let prompt = stored.prompts.iter().find(|prompt| prompt.ask == round.ask);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "##### call {} #####", round.ask);
        if let Some(prompt) = prompt {
            let _ = writeln!(out, "\n=== {}: system ===\n{}", prompt.model, prompt.system);
            let _ = writeln!(out, "\n=== {}: user ===\n{}", prompt.model, prompt.user);
        }
        let _ = writeln!(out, "\n=== answer ===\n{}", round.raw);
        if let Some(failure) = &round.failure {
            let _ = writeln!(
                out,
                "\n=== the call failed ===\n{}",
                describe_failure(failure.budget)
            );
        }
        out.push('\n');
    }
    out
}

/// Not the failure's own words: they name the model's server, which is the host's business.
fn describe_failure(budget: bool) -> &'static str {
    if budget {
        "the budget is spent"
    } else {
        "no answer, or a broken one"
    }
}

//! The prompts and raw answers of a turn, as a file: everything the model read and wrote. They hold what people said,
//! so only those get them who may read the channel, and among them only those who look after it.

use std::fmt::Write;

use super::CommandAnswer;
use super::rights::{CommandContext, CommandOutcome};
use kith_core::chat::TurnId;
use kith_store::StoredTurn;

pub(super) async fn answer(context: &CommandContext<'_>, turn: TurnId) -> CommandOutcome {
    context.check_can_steer()?;
    if !context.can_read() {
        return match context.is_direct() {
            true => context.refuse(
                "What was said in a direct message stays there: ask Why? in it, and press the button below the answer.",
                "私信的内容不会离开私信：请在那里查询“为什么”，再按回答下面的按钮。",
            ),
            false => context.refuse(
                "Not everybody can see that channel: ask Why? in it, and press the button below the answer.",
                "那个频道不是所有人都能看到：请在那里查询“为什么”，再按回答下面的按钮。",
            ),
        };
    }
    let stored = context.find_turn(turn).await?;
    let text = match stored.prompts.is_empty() {
        true => context.say(
            "The raw answers; the prompts are not kept any more.",
            "原始输出；提示词已不再保存。",
        ),
        false => context.say(
            "The prompts and raw answers of this turn.",
            "这个回合的提示词和原始输出。",
        ),
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

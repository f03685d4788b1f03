//! Take it back: what the companion said is deleted on the platform. Never anybody else's message. The store forgets it
//! when the platform tells that it is gone.

use super::DaemonChange;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::chat::{AuthorKind, MessageId, TurnId};
use kith_language::commands;

pub(super) async fn answer(context: &CommandContext<'_>, message: MessageId) -> CommandOutcome {
    let channel = context.facts.channel.id;
    let line = context
        .command_service
        .find_message(channel, message)
        .await?;
    let name = context.name();
    if line.is_none_or(|line| line.message.author.kind != AuthorKind::Companion) {
        return context.refuse(commands::not_its_own(name));
    }
    answer_with_text(
        context.say(commands::taken_back()),
        vec![DaemonChange::TakeBack(channel, vec![message])],
    )
}

pub(super) async fn answer_turn(context: &CommandContext<'_>, turn: TurnId) -> CommandOutcome {
    context.find_turn(turn).await?;
    let channel = context.facts.channel.id;
    let said = context
        .command_service
        .store
        .find_turn_messages(turn)
        .await?;
    let said: Vec<MessageId> = said
        .into_iter()
        .filter(|(place, _)| *place == channel)
        .map(|(_, id)| id)
        .collect();
    if said.is_empty() {
        return context.refuse(commands::nothing_left_of_turn());
    }
    let count = said.len();
    answer_with_text(
        context.say(commands::messages_taken_back(count)),
        vec![DaemonChange::TakeBack(channel, said)],
    )
}

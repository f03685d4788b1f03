//! Forget this: a message is erased to the byte and never comes back. It stays on the platform: it is its author's.

use super::DaemonChange;
use super::forget_me::build_log_deletion;
use super::rights::{CommandContext, CommandOutcome, CommandRefusal, answer_with_text};
use kith_core::chat::{MessageId, Millis, TurnId};
use kith_core::event::ChatEvent;
use kith_core::report::TurnReport;
use kith_language::commands;

/// How many turns are looked through for quotes.
const TURNS: usize = 200;

pub(super) async fn answer(context: &CommandContext<'_>, message: MessageId) -> CommandOutcome {
    let (channel, at) = (context.facts.channel.id, context.facts.now);
    let line = context
        .command_service
        .find_message(channel, message)
        .await?;
    let is_own = line
        .as_ref()
        .is_some_and(|line| line.message.author.id == context.caller.user);
    if line.is_some() && !is_own && !context.can_steer() {
        return context.refuse(commands::forget_only_own());
    }
    if line.is_none() && !context.can_steer() {
        return answer_with_text(context.say(commands::message_not_kept()), Vec::new());
    }
    // What a moderator names is buried even if it is not there: it may still come in by looking back.
    let written = line.map(|line| line.message.at);
    let before = context.find_turns_since(written).await?;
    context
        .command_service
        .store
        .append(vec![ChatEvent::Delete {
            channel,
            ids: vec![message],
            at,
        }])
        .await?;
    // If that cannot be read, every turn may have quoted it.
    let after = context.find_turns_since(written).await.unwrap_or_default();
    let mut changes = vec![DaemonChange::ForgetMessages(channel, vec![message])];
    changes.extend(build_log_deletion(find_changed_turns(&before, &after)));
    answer_with_text(context.say(commands::message_forgotten()), changes)
}

/// The turns out of which something was taken: they quoted it, and so may their entries in log channels.
fn find_changed_turns(before: &[TurnReport], after: &[TurnReport]) -> Vec<TurnId> {
    before
        .iter()
        .filter(|turn| !after.contains(turn))
        .map(|turn| turn.turn)
        .collect()
}

impl CommandContext<'_> {
    /// The channel's newest turns that ended after a message was written; none if it was not stored.
    async fn find_turns_since(
        &self,
        written: Option<Millis>,
    ) -> Result<Vec<TurnReport>, CommandRefusal> {
        let Some(written) = written else {
            return Ok(Vec::new());
        };
        let turns = self
            .command_service
            .store
            .find_turns(self.facts.channel.id, None, TURNS)
            .await?;
        Ok(turns
            .into_iter()
            .take_while(|turn| turn.ended >= written)
            .collect())
    }
}

//! `/kith forget me`: everything a person wrote, and every trace of them, is erased; in this guild or everywhere.

use super::rights::{CommandContext, CommandOutcome, CommandRefusal, answer_with_text};
use super::{CommandAnswer, CommandService, DaemonChange, RequestScope};
use kith_core::chat::{ChannelId, Millis, TurnId, UserId};
use kith_core::preference::SharedWish;
use kith_language::commands;
use kith_observe::embed::formats;
use kith_store::StoreError;

pub(super) async fn answer(context: &CommandContext<'_>, extent: RequestScope) -> CommandOutcome {
    let channels = match extent {
        RequestScope::All => None,
        RequestScope::Here => Some(context.find_local_channels().await?),
    };
    if extent == RequestScope::All && context.facts.wait_minutes.is_none() {
        // Others are told before it is done here: where this is cut off, the person asks again.
        let store = &context.command_service.store;
        store
            .share_wish(context.caller.user, SharedWish::Forget, context.facts.now)
            .await?;
    }
    let ErasureResult { messages, changes } = context.erase_caller(channels).await?;
    let place = match (extent, context.caller.guild) {
        (RequestScope::All, _) => commands::forgotten_everywhere(),
        (RequestScope::Here, Some(_)) => commands::forgotten_in_server(),
        (RequestScope::Here, None) => commands::forgotten_in_direct_message(),
    };
    let mut said = context.say(match messages {
        0 => commands::nothing_to_forget(place),
        _ => commands::forgotten(messages, formats::format_thousands(messages), place),
    });
    said.push_str(&context.say(commands::earlier_copies()));
    answer_with_text(said, changes)
}

pub(super) struct ErasureResult {
    messages: u64,
    pub changes: Vec<DaemonChange>,
}

/// What log channels tell of these turns must go.
pub(super) fn build_log_deletion(turns: Vec<TurnId>) -> Option<DaemonChange> {
    Some(turns)
        .filter(|turns| !turns.is_empty())
        .map(DaemonChange::DeleteLogEntries)
}

impl CommandContext<'_> {
    /// Erases the caller, in these channels or everywhere; refuses who had it done again and again.
    pub async fn erase_caller(
        &self,
        channels: Option<Vec<ChannelId>>,
    ) -> Result<ErasureResult, CommandRefusal> {
        let user = self.caller.user;
        if let Some(minutes) = self.facts.wait_minutes {
            return self.refuse(commands::erase_too_often(minutes));
        }
        let erased = self
            .command_service
            .erase_person(user, channels, self.facts.now);
        Ok(erased.await?)
    }

    /// The channels whose people ask here: those of the guild, or the direct message.
    pub async fn find_local_channels(&self) -> Result<Vec<ChannelId>, CommandRefusal> {
        Ok(match self.caller.guild {
            Some(guild) => self.find_guild_channels(guild).await?.into_iter().collect(),
            None => vec![self.caller.channel],
        })
    }
}

impl CommandService {
    /// Erases a person, in these channels or everywhere in this database.
    async fn erase_person(
        &self,
        user: UserId,
        channels: Option<Vec<ChannelId>>,
        now: Millis,
    ) -> Result<ErasureResult, StoreError> {
        let gone = self
            .memory
            .forget_person(user, channels.clone(), now)
            .await?;
        let messages = gone.messages.iter().map(|(_, ids)| ids.len() as u64).sum();
        let mut changes = vec![DaemonChange::ForgetPerson(user, channels)];
        // Not all of them are the person's own: a direct message goes whole.
        changes.extend(
            gone.messages
                .into_iter()
                .map(|(channel, ids)| DaemonChange::ForgetMessages(channel, ids)),
        );
        changes.extend(
            Some(gone.reworded)
                .filter(|reworded| !reworded.is_empty())
                .map(DaemonChange::RewordMessages),
        );
        changes.extend(build_log_deletion(gone.turns));
        Ok(ErasureResult { messages, changes })
    }

    /// Carries out what a person wished in another partition. Answers with what must be done besides; the words are for
    /// nobody.
    ///
    /// # Errors
    /// What the store says: it is not done, or not all of it, and is to be tried again.
    pub async fn carry_out_wish(
        &self,
        user: UserId,
        wish: SharedWish,
        at: Millis,
    ) -> Result<(CommandAnswer, Vec<DaemonChange>), StoreError> {
        let changes = match wish {
            // It holds in memory already, and may be changed by now.
            SharedWish::Treat(preference) => {
                self.store.set_preference(user, preference, at).await?;
                Vec::new()
            }
            SharedWish::Forget => self.erase_person(user, None, at).await?.changes,
        };
        Ok((CommandAnswer::Text(String::new()), changes))
    }
}

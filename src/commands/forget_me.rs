//! `/kith forget me`: everything a person wrote, and every trace of them, is erased; in this guild or everywhere.

use kith_language::commands;
use super::rights::{CommandContext, CommandOutcome, CommandRefusal, answer_with_text};
use super::{DaemonChange, RequestScope};
use kith_core::chat::{ChannelId, TurnId};
use kith_observe::embed::words;

pub(super) async fn answer(context: &CommandContext<'_>, extent: RequestScope) -> CommandOutcome {
    let channels = match extent {
        RequestScope::All => None,
        RequestScope::Here => Some(context.find_local_channels().await?),
    };
    let ErasureResult { messages, changes } = context.erase_caller(channels).await?;
    let (where_en, where_zh) = match (extent, context.caller.guild) {
        (RequestScope::All, _) => ("everywhere", "所有地方"),
        (RequestScope::Here, Some(_)) => ("in this server", "这个服务器里"),
        (RequestScope::Here, None) => ("in this direct message", "这个私信里"),
    };
    let (count, number) = (
        words::format_count(messages, "message", "messages"),
        words::format_thousands(messages),
    );
    let said = match messages {
        0 => context.say(
            format!("Nothing of you is kept {where_en}: there was no message of yours, and every other trace is erased."),
            format!("{where_zh}没有保存你的任何内容：没有你的消息，其他痕迹也已删除。"),
        ),
        _ => context.say(
            format!(
                "Forgotten {where_en}: {count}, your reactions, and what was thought and noted because of them. \
                 None of it comes back. What you write from now on is read again; `/kith optout` changes that."
            ),
            format!(
                "已忘掉你在{where_zh}的内容：{number} 条消息、你的表情，以及由此产生的想法和记录。它们不会再回来。之后你写的内容仍会被\
                 读取；用 `/kith 隐私` 可以改变。"
            ),
        ),
    };
    answer_with_text(said, changes)
}

/// What was erased, and what must be done besides.
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
    /// Erases the asker, in these channels or everywhere; refuses who had it done again and again.
    pub async fn erase_caller(
        &self,
        channels: Option<Vec<ChannelId>>,
    ) -> Result<ErasureResult, CommandRefusal> {
        let user = self.caller.user;
        if let Some(minutes) = self.facts.wait_minutes {
            return self.refuse(commands::erase_too_often(minutes));
        }
        let gone = self
            .command_service
            .memory
            .forget_person(user, channels.clone(), self.facts.now)
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

    /// The channels whose people ask here: those of the guild, or the direct message.
    pub async fn find_local_channels(&self) -> Result<Vec<ChannelId>, CommandRefusal> {
        Ok(match self.caller.guild {
            Some(guild) => self.find_guild_channels(guild).await?.into_iter().collect(),
            None => vec![self.caller.channel],
        })
    }
}

//! Which right each request needs, and who has it, in one place. Host and moderator are kept apart: a moderator is one in
//! the guild they ask in (`discord/commands/interaction.rs` says who is), and nowhere else; the host may steer
//! everything, but what was said in a direct message never leaves it, not even for them: who runs the machine can read
//! the database there, and that is a deliberate act and not a button.

use super::{Caller, CommandAnswer, CommandRequest, CommandService, DaemonChange, DaemonFacts};
use kith_core::chat::{ChannelId, ChannelKind};
use kith_core::persona::Language;
use kith_language::{LocalizedMessage, commands};
use kith_store::StoreError;

/// A request being answered.
pub(super) struct CommandContext<'a> {
    pub command_service: &'a CommandService,
    pub caller: &'a Caller,
    pub facts: &'a DaemonFacts,
}

pub(super) type CommandOutcome = Result<(CommandAnswer, Vec<DaemonChange>), CommandRefusal>;

#[derive(Debug)]
pub(super) enum CommandRefusal {
    /// A sentence for who asked.
    Refused(String),
    /// The store failed; what it says names files and is for the log.
    Store(StoreError),
}

impl From<StoreError> for CommandRefusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

pub(super) fn answer_with_text(
    text: impl Into<String>,
    changes: Vec<DaemonChange>,
) -> CommandOutcome {
    Ok((CommandAnswer::Text(text.into()), changes))
}

impl CommandContext<'_> {
    /// One of two texts, in the language of who asks.
    pub fn say(&self, message: LocalizedMessage) -> String {
        message.in_language(self.language())
    }

    pub fn language(&self) -> Language {
        self.caller.language
    }

    pub fn refuse<T>(&self, why: LocalizedMessage) -> Result<T, CommandRefusal> {
        Err(CommandRefusal::Refused(self.say(why)))
    }

    /// What the companion is called here.
    pub fn name(&self) -> &str {
        companion_name(self.facts)
    }

    /// The channel the request is about, in words.
    pub fn place(&self) -> String {
        match self.facts.channel.kind {
            ChannelKind::Direct => self.say(commands::this_direct_message()),
            ChannelKind::Group | ChannelKind::Thread => format!("#{}", self.facts.channel.name),
        }
    }

    pub fn is_direct(&self) -> bool {
        self.facts.channel.kind == ChannelKind::Direct
    }

    /// The channel is of the guild the request was made in; a direct message is the one it was made in.
    pub fn is_local(&self) -> bool {
        let channel = &self.facts.channel;
        match (channel.guild, self.caller.guild) {
            (Some(theirs), Some(here)) => theirs == here && !self.is_direct(),
            _ => channel.id == self.caller.channel && channel.guild == self.caller.guild,
        }
    }

    /// The right that a request needs whatever comes of it. Some need more, which is asked where it is known: whose
    /// message is forgotten (`forget_message.rs`), whose a direct message is (`mode.rs`), whether a channel may be read
    /// (`can_read`), who could do by hand what is approved (`approval_decision.rs`).
    pub fn check_right(&self, request: &CommandRequest) -> Result<(), CommandRefusal> {
        match request {
            CommandRequest::ForgetMe(_)
            | CommandRequest::ExportMe
            | CommandRequest::Memory(_)
            | CommandRequest::OptOut(_)
            | CommandRequest::Decide(..) => Ok(()),
            CommandRequest::Status
            | CommandRequest::Why(_)
            | CommandRequest::WhyTurn(_)
            | CommandRequest::ForgetMessage(_) => self.check_can_ask(),
            CommandRequest::Mode(_, named) | CommandRequest::Pause(_, named) => {
                self.check_channel_found(*named)?;
                self.check_can_steer()
            }
            CommandRequest::StopCall { channel, .. } => {
                self.check_channel_found(Some(*channel))?;
                self.check_can_steer()
            }
            CommandRequest::Talkativeness(..)
            | CommandRequest::Persona(..)
            | CommandRequest::Fresh
            | CommandRequest::Reset(_)
            | CommandRequest::Sticker { .. }
            | CommandRequest::Raw(_)
            | CommandRequest::TakeBack(_)
            | CommandRequest::TakeBackTurn(_)
            | CommandRequest::Sessions
            | CommandRequest::OpenSession(_)
            | CommandRequest::RewordSession(..)
            | CommandRequest::CloseSession(..) => self.check_can_steer(),
        }
    }

    /// Everybody may ask about channels of the guild they are in; only the host about others.
    fn check_can_ask(&self) -> Result<(), CommandRefusal> {
        if self.is_local() || self.caller.is_operator {
            return Ok(());
        }
        self.refuse(commands::about_another_place())
    }

    /// Whether they may change how it is here: a guild's moderators, the person of a direct message, the host.
    pub fn can_steer(&self) -> bool {
        self.caller.is_operator || (self.is_local() && (self.caller.moderator || self.is_direct()))
    }

    fn check_can_steer(&self) -> Result<(), CommandRefusal> {
        self.check_can_ask()?;
        if self.can_steer() {
            return Ok(());
        }
        self.refuse(commands::only_moderators())
    }

    /// Whether they may be shown what was said in the channel: where they stand in it; a moderator in every channel of
    /// their guild that all can see (the permission to manage a server does not open hidden channels); the host in
    /// every guild.
    pub fn can_read(&self) -> bool {
        let stands_in_it = self.facts.channel.id == self.caller.channel && self.is_local();
        stands_in_it
            || !self.is_direct()
                && (self.caller.is_operator || (self.can_steer() && !self.facts.hidden))
    }

    fn check_channel_found(&self, named: Option<ChannelId>) -> Result<(), CommandRefusal> {
        if named.is_none_or(|named| named == self.facts.channel.id) {
            return Ok(());
        }
        self.refuse(commands::channel_not_found())
    }
}

pub(super) fn companion_name(facts: &DaemonFacts) -> &str {
    if let Some(nick) = &facts.nick {
        return nick;
    }
    match facts.policy.persona.name.trim() {
        "" => facts.policy.names.first().map_or("Kith", String::as_str),
        name => name,
    }
}

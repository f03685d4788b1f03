//! What the command service is asked: by whom, what, and what the daemon knows at that moment. Plain data.

use std::collections::HashMap;
use std::sync::Arc;

use super::OwnMemoryRequest;
use kith_core::channel::ChannelSnapshot;
use kith_core::chat::{
    Channel, ChannelId, GuildId, MessageId, MessagePicture, Millis, ProposalId, SessionId, TurnId,
    UserId,
};
use kith_core::manual_override::OverrideRecord;
use kith_core::moderation::DenialReason;
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_core::preference::PersonPreference;
use kith_core::session::{Session, SessionRequest, SessionRewording};
use kith_core::talkativeness::Talkativeness;

#[derive(Clone, Debug)]
pub struct Caller {
    pub user: UserId,
    /// Their name, as members see it.
    pub name: String,
    /// The guild they ask in; none in a direct message.
    pub guild: Option<GuildId>,
    pub channel: ChannelId,
    /// Their roles there, as the platform says with this very request.
    pub roles: Vec<u64>,
    /// Whether they have Manage Server there, as the platform says with this very request.
    pub moderator: bool,
    pub is_operator: bool,
    pub language: Language,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CommandRequest {
    /// How it is: mode, model, budget, projected month; in observe how often it would have spoken.
    Status,
    /// Why it spoke or kept silent at a message; at the newest one if none is named.
    Why(Option<MessageId>),
    /// Delete one of its own messages.
    TakeBack(MessageId),
    ForgetMessage(MessageId),
    /// Keep a picture of a message as a sticker, or no more.
    Sticker {
        message: MessageId,
        /// Its first picture, as the platform shows it now.
        picture: Option<MessagePicture>,
        /// What it says beside it.
        said: String,
    },
    /// Switch one channel: where it was asked if none is named.
    Mode(ChannelMode, Option<ChannelId>),
    /// How readily it speaks unasked; in this channel, or in the whole guild.
    Talkativeness(Talkativeness, RequestScope),
    /// Which of the host's personas it is; in this channel, or in the whole guild.
    Persona(String, RequestScope),
    /// Nobody is answered for a while, in milliseconds; 0 ends a pause. Where it was asked if no channel is named.
    Pause(Millis, Option<ChannelId>),
    /// A tool that a turn called is stopped half-way.
    StopCall {
        channel: ChannelId,
        turn: TurnId,
        call: u32,
    },
    /// The context starts at now; nothing is deleted.
    Fresh,
    /// Everything set by hand for this channel, or the whole guild, is taken back.
    Reset(RequestScope),
    /// Everything the caller wrote, and every trace of them, is erased; in this guild, or everywhere.
    ForgetMe(RequestScope),
    /// Everything that is kept about the caller, as a file.
    ExportMe,
    Memory(OwnMemoryRequest),
    OptOut(PersonPreference),
    /// The prompts and raw answers of a turn.
    Raw(TurnId),
    TakeBackTurn(TurnId),
    WhyTurn(TurnId),
    Sessions,
    OpenSession(Box<SessionRequest>),
    RewordSession(SessionId, SessionRewording),
    /// A session is over; what came of it is told where it was opened, if anything is said of that.
    CloseSession(SessionId, Option<String>),
    /// Whether something the companion wants done is done.
    Decide(ProposalId, bool),
}

impl CommandRequest {
    /// Whether it is about the caller alone: nothing of a channel need be known to answer it.
    pub fn is_personal(&self) -> bool {
        matches!(
            self,
            Self::ForgetMe(_) | Self::ExportMe | Self::Memory(_) | Self::OptOut(_)
        )
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestScope {
    /// This channel; of a person's data: this guild.
    #[default]
    Here,
    /// The whole guild; of a person's data: everywhere.
    All,
}

/// What the daemon knows and the store does not, at the moment of a request.
#[derive(Clone, Debug)]
pub struct DaemonFacts {
    pub now: Millis,
    /// The channel the request is about: see [`CommandService::about`](super::CommandService::find_channel).
    pub channel: Channel,
    /// Whether not everybody in the guild can see it.
    pub hidden: bool,
    pub nsfw: bool,
    /// Whether it only holds posts and takes no messages itself.
    pub forum: bool,
    /// The companion's own nick in the guild, by which its members know it.
    pub nick: Option<Arc<str>>,
    pub policy: Arc<ChannelPolicy>,
    /// The most that moderators can choose here.
    pub max_mode: ChannelMode,
    /// How the companion feels about it; none where it is off.
    pub snapshot: Option<ChannelSnapshot>,
    /// The model's name and the host that sees what is sent to it.
    pub model: (String, String),
    /// Whether no real model answers.
    pub is_demo: bool,
    /// Which part of all servers is heard of here. Direct messages are in the first one.
    pub partition: Partition,
    /// Tokens spent today, and the cap.
    pub budget: (u64, u64),
    pub keep_days: u32,
    pub personas: Vec<String>,
    pub max_talkativeness: f32,
    /// What was set by hand that holds in this channel.
    pub overrides: Vec<OverrideRecord>,
    /// The names of those who set it, as members see them; who is not named here is shown as a moderator.
    pub names: HashMap<UserId, Arc<str>>,
    /// Until when a member's request for quiet holds here.
    pub quiet_until: Option<Millis>,
    /// All channels of the guild the request was made in, threads among them; none in a direct message.
    pub guild_channels: Vec<ChannelId>,
    /// The channels whose text everybody may see who sees the channel the request was made in.
    pub readable_channels: Vec<ChannelId>,
    /// The sessions of the guild the request was made in, without their words, and whether each is awake.
    pub sessions: Vec<(Session, bool)>,
    /// The calls that run in the channel: the turn, the number and the tool of each.
    pub running_calls: Vec<(TurnId, u32, String)>,
    /// Of something that is to be decided on: what stands in its way now.
    pub denial_status: Option<DenialStatus>,
    /// The minutes until everything of the caller's can be erased once more; none if it can be now.
    pub wait_minutes: Option<u64>,
}

/// What stands in the way of a deed at this moment, as the platform says; none if nothing does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DenialStatus {
    pub companion_denial: Option<DenialReason>,
    /// For the caller, did they do it by hand.
    pub caller_denial: Option<DenialReason>,
}

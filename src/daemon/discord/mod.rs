//! Living on Discord: what is heard there is stored, then handed to the core; what the core wants done goes out over
//! REST. Whether a channel is read at all is decided here, before anything is kept.

mod archived;
mod asked;
mod erase;
mod hear;
mod held;
mod here;
mod look_back;
mod looks;
mod moderation;
mod often;
mod proposals;
mod sending;
pub(super) mod speak;
mod unstored;
mod until;
mod upkeep;
mod watched;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::clock;
use crate::core::chat::{
    Author, ChannelId, ChannelKind, GuildId, Message, MessageId, Millis, ProposalId, TurnId, UserId,
};
use crate::core::directory::Directory;
use crate::core::outgoing::Outgoing;
use crate::core::people::Wish;
use crate::core::policy::Mode;
use crate::core::proposal::State;
use crate::desk::Desk;
use crate::platform::discord::send::Post;
use crate::platform::discord::{Discord, Heard};
use crate::store::{Store, StoreError, Wishes};
use crate::tools::{Hand, Host, Server};

pub(super) use asked::Decided;
pub(super) use proposals::News;
pub(super) use upkeep::CHORES_EVERY;

/// What the daemon keeps while it lives on Discord.
pub(super) struct OnDiscord {
    pub discord: Discord,
    /// When it began: what was journaled before is an earlier run's.
    started: Millis,
    desk: Desk,
    wishes: Arc<RwLock<Wishes>>,
    /// The newest message heard in each channel, stored or not.
    seen: HashMap<ChannelId, MessageId>,
    /// The newest message heard anywhere.
    newest: MessageId,
    /// How far each guild was heard.
    until: until::Until,
    /// The channels in `seen` that are not saved yet.
    seen_unsaved: BTreeSet<ChannelId>,
    /// The channels that are looked back at, with what was heard there meanwhile.
    held: held::Held,
    /// What the store did not take yet.
    unstored: unstored::Unstored,
    /// What is on its way out.
    sending: sending::Sending,
    /// The guilds that were told once who can wake it.
    told: HashSet<GuildId>,
    /// Whether every guild has come.
    is_complete: bool,
    /// The guilds in which it is timed out, and until when: Discord does not tell of the end.
    time_outs: BTreeMap<GuildId, Millis>,
    /// Who had everything of theirs erased lately.
    erased: often::Often,
    /// Who had everything of theirs exported lately.
    exported: often::Often,
    /// The shards of which a session was up before.
    were_connected: BTreeSet<u64>,
    /// What waits for a moderator's click, and until when.
    waiting: BTreeMap<ProposalId, Millis>,
    /// What came out and stands in the next prompt of its channel.
    untold: BTreeMap<ProposalId, ChannelId>,
    /// Turns no log channel may tell of any more.
    unlogged: HashSet<TurnId>,
    readable: Arc<Readable>,
    looks: looks::Looks,
}

impl OnDiscord {
    pub async fn new(discord: Discord, store: &Store, desk: Desk) -> Result<Self, StoreError> {
        let told = store.meta(hear::TOLD).await?.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
        let readable = Arc::new(Readable {
            directory: discord.shared_directory(),
            modes: RwLock::default(),
            discord: discord.clone(),
        });
        let wishes = Arc::new(RwLock::new(store.wishes().await?));
        let open = store.open_proposals().await?;
        let asked = wishes.clone();
        discord.listen(Arc::new(move |user| wish(&asked, user) == Wish::Ignore));
        Ok(Self {
            started: clock::now(),
            desk,
            wishes,
            seen: store.last_seen().await?.into_iter().collect(),
            newest: MessageId::default(),
            until: until::Until::new(store.last_seen_in_guilds().await?),
            seen_unsaved: BTreeSet::new(),
            held: held::Held::default(),
            unstored: unstored::Unstored::default(),
            sending: sending::Sending::default(),
            told,
            is_complete: false,
            time_outs: BTreeMap::new(),
            erased: often::Often::default(),
            exported: often::Often::default(),
            were_connected: BTreeSet::new(),
            waiting: open
                .iter()
                .filter(|known| known.state == State::Waiting)
                .map(|known| (known.id, known.expires))
                .collect(),
            untold: BTreeMap::new(),
            unlogged: HashSet::new(),
            readable,
            looks: looks::Looks::default(),
            discord,
        })
    }

    /// What tools may know of it.
    pub fn host(&self) -> Arc<dyn Host> {
        self.readable.clone()
    }

    /// An action goes out.
    pub fn sends(&mut self, outgoing: &Outgoing) -> Discord {
        let messages = Post::of(outgoing).map_or(0, |post| self.discord.courier().messages(&post));
        self.sending.begins(outgoing, messages);
        self.discord.clone()
    }

    /// It is known what became of an action; answers with those of its messages that the core has heard, by their place.
    pub fn has_sent(&mut self, nonce: &str) -> Vec<(usize, Message)> {
        self.sending.ends(nonce)
    }

    /// How somebody wants to be treated.
    fn wish(&self, user: UserId) -> Wish {
        wish(&self.wishes, user)
    }

    /// Somebody wants to be treated so from now on.
    fn wishes(&self, user: UserId, wish: Wish) {
        self.wishes.write().unwrap_or_else(PoisonError::into_inner).set(user, wish);
    }

    fn directory(&self) -> std::sync::RwLockReadGuard<'_, Directory> {
        self.discord.directory()
    }
}

fn wish(wishes: &RwLock<Wishes>, user: UserId) -> Wish {
    wishes.read().unwrap_or_else(PoisonError::into_inner).of(user)
}

/// Which channels' text may be shown where (Law 11): those everybody who can view the one can view too, and of them
/// only those it speaks in now: what is merely observed is promised to reach no model.
struct Readable {
    directory: Arc<RwLock<Directory>>,
    /// What holds in a channel, where that is known.
    modes: RwLock<HashMap<ChannelId, Mode>>,
    discord: Discord,
}

impl Readable {
    /// Answers what held in the channel until now, if that was known.
    fn set(&self, channel: ChannelId, mode: Mode) -> Option<Mode> {
        self.modes.write().unwrap_or_else(PoisonError::into_inner).insert(channel, mode)
    }

    fn get(&self, channel: ChannelId) -> Option<Mode> {
        self.modes.read().unwrap_or_else(PoisonError::into_inner).get(&channel).copied()
    }

    fn is_read(&self, channel: ChannelId) -> bool {
        self.get(channel).is_some_and(|mode| mode != Mode::Off)
    }

    /// Whether a channel is known not to be read.
    fn is_off(&self, channel: ChannelId) -> bool {
        self.get(channel) == Some(Mode::Off)
    }
}

impl Host for Readable {
    fn readable_in(&self, channel: ChannelId) -> Vec<ChannelId> {
        let mut readable = self.directory.read().unwrap_or_else(PoisonError::into_inner).readable_in(channel);
        let modes = self.modes.read().unwrap_or_else(PoisonError::into_inner);
        readable.retain(|other| *other == channel || modes.get(other) == Some(&Mode::On));
        readable
    }

    fn server(&self, channel: ChannelId) -> Option<Server> {
        let directory = self.directory.read().unwrap_or_else(PoisonError::into_inner);
        let guild = directory.guilds.get(&directory.guild_of(channel)?)?;
        let mut channels: Vec<_> = directory
            .readable_in(channel)
            .iter()
            .filter_map(|id| {
                let known = directory.channels.get(id)?;
                (known.channel.kind == ChannelKind::Group).then(|| known.channel.name.clone())
            })
            .collect();
        channels.sort_unstable();
        Some(Server { name: guild.name.clone(), channels })
    }

    fn emoji(&self, channel: ChannelId) -> Vec<Arc<str>> {
        let directory = self.directory.read().unwrap_or_else(PoisonError::into_inner);
        let guild = directory.guild_of(channel).and_then(|guild| directory.guilds.get(&guild));
        guild.map(|guild| guild.emoji.iter().map(|emoji| emoji.name.clone()).collect()).unwrap_or_default()
    }

    /// Roles are asked for at that very moment: who lost one a minute ago has lost what it allowed.
    fn hand<'a>(&'a self, channel: ChannelId, person: &'a Author) -> BoxFuture<'a, Hand> {
        async move {
            let is_host = self.discord.is_host(person.id);
            let Some(guild) = self.discord.directory().guild_of(channel) else {
                return Hand { is_host, ..Hand::default() };
            };
            match self.discord.courier().member(guild, person.id).await {
                Ok(Some(member)) => {
                    let (directory, member) = (self.discord.directory(), member.member());
                    let is_moderator = directory.is_moderator(guild, &member);
                    Hand { is_host, is_moderator, roles: directory.names_of_roles(guild, &member) }
                }
                Ok(None) => Hand { is_host, ..Hand::default() },
                Err(why) => {
                    tracing::warn!("what somebody may do is not known, so they may not: {why}");
                    Hand { is_host, ..Hand::default() }
                }
            }
        }
        .boxed()
    }
}

/// The channel something was heard in, where it belongs to one and must keep its order there.
fn channel_of(heard: &Heard) -> Option<ChannelId> {
    match heard {
        Heard::Message { message, .. } => Some(message.channel),
        Heard::Edited { channel, .. }
        | Heard::Deleted { channel, .. }
        | Heard::Reaction { channel, .. }
        | Heard::ReactionsCleared { channel, .. } => Some(*channel),
        _ => None,
    }
}

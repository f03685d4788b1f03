//! The room as the place the companion lives in: delivering is storing, and everybody sees everything but direct
//! messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{broadcast, mpsc};

use super::ids::IdGenerator;
use super::input::{RoomCommandSender, RoomInput};
use super::members::{ME, RoomMembers};
use super::tool_host::RoomHost;
use crate::daemon::deliveries::stored_action::{
    StoredAction, build_delivered_event, to_stored_event,
};
use crate::daemon::loop_message::LoopCommandSender;
use crate::daemon::platform::{DeliveryTask, Platform, PlatformAbilities, ThreadOpening};
use crate::daemon::store_retry::journal_patiently;
use crate::settings::{ChannelFacts, Settings};
use kith_core::chat::{Author, Channel, ChannelId, ChannelKind, MessageId, UserId};
use kith_core::outgoing::OutgoingAction;
use kith_core::persona::Language;
use kith_core::report::DeliveryFailure;
use kith_core::session::Session;
use kith_language::{LocalizedMessage, daemon};
use kith_room::LiveEvent;
use kith_store::{JournalOutcome, Store, StoreError};
use kith_system::clock;
use kith_tools::ToolHost;

pub(in crate::daemon) struct RoomPlatform {
    pub(super) members: RoomMembers,
    pub(super) ids: IdGenerator,
    store: Store,
    live: broadcast::Sender<Arc<LiveEvent>>,
}

impl RoomPlatform {
    /// Reads the room from the store; answers with what tools will have done in it.
    pub async fn load(
        store: &Store,
        language: Language,
        loop_commands: LoopCommandSender,
        live: broadcast::Sender<Arc<LiveEvent>>,
    ) -> Result<(Self, mpsc::Receiver<RoomInput>), StoreError> {
        let (sender, commands) = mpsc::channel(256);
        let tool_host = RoomHost::new(loop_commands, RoomCommandSender::new(sender));
        let members = RoomMembers::load(store, language, tool_host).await?;
        let ids = IdGenerator::with_last(members.find_newest_id(store).await?);
        let store = store.clone();
        let room = Self {
            members,
            ids,
            store,
            live,
        };
        Ok((room, commands))
    }

    async fn open_thread(
        &mut self,
        session: &Session,
        again: bool,
    ) -> Result<ChannelId, LocalizedMessage> {
        let is_it = |channel: &&Channel| {
            *channel.name == *session.label && channel.parent == Some(session.parent_channel)
        };
        let mut channels = self.members.channels().iter();
        if let Some(known) = channels.clone().rfind(is_it).filter(|_| again) {
            return Ok(known.id);
        }
        if channels.any(|channel| *channel.name == *session.label) {
            return Err(daemon::channel_exists(session.label.as_str()));
        }
        let channel = Channel {
            id: ChannelId(self.ids.next_id(clock::now())),
            guild: Some(session.guild),
            name: session.label.as_str().into(),
            topic: "".into(),
            kind: ChannelKind::Thread,
            parent: Some(session.parent_channel),
        };
        let id = channel.id;
        self.members.store_channel(&self.store, channel).await?;
        Ok(id)
    }
}

impl Platform for RoomPlatform {
    fn abilities(&self) -> PlatformAbilities {
        PlatformAbilities {
            enclosures: false,
            moderation: false,
            demo_model: true,
            own_clock: false,
            backfill: false,
        }
    }

    fn companion_id(&self) -> UserId {
        ME
    }

    fn tool_host(&self) -> Arc<dyn ToolHost> {
        self.members.tool_host()
    }

    fn channel_facts(&self, _: &Channel, _: &Settings) -> ChannelFacts {
        ChannelFacts {
            only_speakers: true,
            ..ChannelFacts::default()
        }
    }

    fn find_channel(&self, id: ChannelId) -> Option<Channel> {
        self.members.channel(id).cloned()
    }

    fn list_channels(&self) -> Vec<Channel> {
        self.members.channels().to_vec()
    }

    fn find_own_channel(&self, id: ChannelId) -> Option<Channel> {
        self.find_channel(id)
    }

    fn show_typing(&self, channel: ChannelId) {
        // Without a reader there is nobody to tell.
        let _ = self
            .live
            .send(Arc::new(LiveEvent::Typing { channel, user: ME }));
    }

    fn hide_typing(&self, channel: ChannelId) {
        let ended = LiveEvent::TypingEnded { channel, user: ME };
        let _ = self.live.send(Arc::new(ended));
    }

    fn deliver(&mut self, outgoing: OutgoingAction, own: Author) -> DeliveryTask {
        let id = MessageId(self.ids.next_id(outgoing.at));
        let put_off = Arc::new(AtomicBool::new(false));
        DeliveryTask {
            messages: 1,
            put_off: put_off.clone(),
            work: deliver_in_room(self.store.clone(), outgoing, own, id, put_off).boxed(),
        }
    }

    fn open_session_channel<'a>(
        &'a mut self,
        session: &'a Session,
        again: bool,
    ) -> BoxFuture<'a, ThreadOpening> {
        async move { ThreadOpening::Opened(self.open_thread(session, again).await) }.boxed()
    }
}

async fn deliver_in_room(
    store: Store,
    outgoing: OutgoingAction,
    own: Author,
    id: MessageId,
    put_off: Arc<AtomicBool>,
) -> Result<Vec<StoredAction>, DeliveryFailure> {
    let incoming = build_delivered_event(&outgoing, own, id);
    let nonce = outgoing.nonce.clone();
    let stored = async {
        let wait = || put_off.store(true, Ordering::Relaxed);
        let journaled = journal_patiently(&store, &outgoing, wait).await?;
        put_off.store(false, Ordering::Relaxed);
        if journaled == JournalOutcome::Settled {
            return Ok(None);
        }
        store.settle(nonce, incoming.clone()).await.map(Some)
    };
    match stored
        .await
        .map_err(|error: StoreError| error.to_string())?
    {
        Some(stored) if stored.new => Ok(vec![StoredAction {
            what: to_stored_event(incoming, &stored),
            is_new: true,
        }]),
        _ => Err("it was said before".into()),
    }
}

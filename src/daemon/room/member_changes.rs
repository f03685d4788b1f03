//! The room's people and channels come, get other names, and go.

use std::collections::BTreeSet;

use super::members::to_room_channel;
use super::platform::RoomPlatform;
use crate::daemon::reply::{refuse_bad_request, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::chat::{Channel, ChannelId, UserId};
use kith_core::event::{Event, TurnEvent};
use kith_core::session::SessionRewording;
use kith_language::room_refusals;
use kith_room::{LiveEvent, RequestRefusal, RoomAnswer, RoomRequest};
use kith_system::clock;

impl Daemon<RoomPlatform> {
    /// Changes who and what there is in the room; the request itself if it does not.
    pub(super) async fn change_members(
        &mut self,
        request: RoomRequest,
    ) -> Result<Result<RoomAnswer, RequestRefusal>, RoomRequest> {
        Ok(match request {
            RoomRequest::AddPerson { name } => self.add_person(&name).await,
            RoomRequest::RenamePerson { person, name } => self.rename_person(person, &name).await,
            RoomRequest::RemovePerson { person } => self.remove_person(person).await,
            RoomRequest::AddChannel { name, topic } => self.add_channel(&name, &topic).await,
            RoomRequest::ChangeChannel {
                channel,
                name,
                topic,
            } => self.change_channel(channel, &name, &topic).await,
            RoomRequest::RemoveChannel { channel } => self.remove_channel(channel).await,
            other => return Err(other),
        })
    }

    /// Whether somebody may have a name; `own` has it already.
    fn check_person_name(&self, name: &str, own: Option<UserId>) -> Result<(), RequestRefusal> {
        let members = &self.platform.members;
        let is_same = |other: &str| other.to_lowercase() == name.to_lowercase();
        let mut people = members.people().iter();
        let mut channels = members.channels().iter();
        let taken = people.any(|person| Some(person.id) != own && is_same(&person.name))
            || channels.any(|channel| is_same(&self.build_own_author(channel.id).name));
        match taken {
            true => Err(refuse_bad_request(room_refusals::name_taken(name))),
            false => Ok(()),
        }
    }

    fn check_channel_name(&self, name: &str, own: Option<ChannelId>) -> Result<(), RequestRefusal> {
        let mut channels = self.platform.members.channels().iter();
        let taken = channels.any(|channel| Some(channel.id) != own && *channel.name == *name);
        match name.is_empty() || taken {
            true => Err(refuse_bad_request(room_refusals::channel_name_taken(name))),
            false => Ok(()),
        }
    }

    async fn add_person(&mut self, name: &str) -> Result<RoomAnswer, RequestRefusal> {
        let name = name.trim();
        self.check_person_name(name, None)?;
        let id = UserId(self.platform.ids.next_id(clock::now()));
        let person = self
            .platform
            .members
            .add_person(&self.store, id, name)
            .await
            .map_err(to_request_refusal)?;
        self.send_live_event(LiveEvent::Person(person.clone()));
        Ok(RoomAnswer::Person(person))
    }

    async fn add_channel(&mut self, name: &str, topic: &str) -> Result<RoomAnswer, RequestRefusal> {
        let channel = self.create_channel(name, topic).await?;
        let policy = self.resolve_policy(&channel);
        Ok(RoomAnswer::Channel(to_room_channel(&channel, &policy)))
    }

    pub(super) async fn create_channel(
        &mut self,
        name: &str,
        topic: &str,
    ) -> Result<Channel, RequestRefusal> {
        let name = name.trim().trim_start_matches('#');
        self.check_channel_name(name, None)?;
        let id = ChannelId(self.platform.ids.next_id(clock::now()));
        let channel = self
            .platform
            .members
            .add_channel(&self.store, id, name, topic.trim())
            .await
            .map_err(to_request_refusal)?;
        self.apply_policy(channel.clone());
        Ok(channel)
    }

    async fn rename_person(
        &mut self,
        person: UserId,
        name: &str,
    ) -> Result<RoomAnswer, RequestRefusal> {
        self.require_person(person)?;
        let name = name.trim();
        self.check_person_name(name, Some(person))?;
        let members = &mut self.platform.members;
        let renamed = members.rename_person(&self.store, person, name).await;
        let renamed = renamed.map_err(to_request_refusal)?;
        self.send_live_event(LiveEvent::Person(renamed.clone()));
        Ok(RoomAnswer::Person(renamed))
    }

    async fn remove_person(&mut self, person: UserId) -> Result<RoomAnswer, RequestRefusal> {
        self.require_person(person)?;
        if self.platform.members.people().len() < 2 {
            return Err(refuse_bad_request(room_refusals::last_person()));
        }
        let members = &mut self.platform.members;
        let removed = members.remove_person(&self.store, person).await;
        removed.map_err(to_request_refusal)?;
        self.send_live_event(LiveEvent::PersonRemoved { removed: person });
        Ok(RoomAnswer::Done {})
    }

    pub(super) async fn change_channel(
        &mut self,
        channel: ChannelId,
        name: &str,
        topic: &str,
    ) -> Result<RoomAnswer, RequestRefusal> {
        let name = name.trim().trim_start_matches('#');
        let changed = Channel {
            name: name.into(),
            topic: topic.trim().into(),
            ..self.require_channel(channel)?.clone()
        };
        self.check_channel_name(name, Some(channel))?;
        let members = &mut self.platform.members;
        let stored = members.change_channel(&self.store, changed.clone()).await;
        stored.map_err(to_request_refusal)?;
        self.apply_policy(changed.clone());
        if let Some(session) = self.sessions.find_by_channel(channel).map(|one| one.id) {
            let label = Some(name.to_owned());
            let rewording = SessionRewording { label, note: None };
            let reworded = self.reword_session(session, rewording).await;
            reworded.map_err(to_request_refusal)?;
        }
        let policy = self.resolve_policy(&changed);
        Ok(RoomAnswer::Channel(to_room_channel(&changed, &policy)))
    }

    /// A channel goes, and the threads below it; what was said there is erased, for nobody can come to it any more.
    async fn remove_channel(&mut self, channel: ChannelId) -> Result<RoomAnswer, RequestRefusal> {
        self.require_channel(channel)?;
        let channels = self.platform.members.channels();
        let is_gone = |known: &&Channel| known.id == channel || known.parent == Some(channel);
        let gone: BTreeSet<ChannelId> = channels.iter().filter(is_gone).map(|one| one.id).collect();
        if gone.len() == channels.len() {
            return Err(refuse_bad_request(room_refusals::last_channel()));
        }
        for channel in &gone {
            self.leave_room_channel(*channel);
        }
        self.forget_sessions(&gone);
        self.platform.members.forget_channels(&gone);
        let places = gone.iter().copied().collect();
        let erased = self.store.erase_places(places, None, clock::now());
        erased.await.map_err(to_request_refusal)?;
        for removed in gone {
            self.send_live_event(LiveEvent::ChannelRemoved { removed });
        }
        Ok(RoomAnswer::Done {})
    }

    /// Nothing more happens in a channel.
    fn leave_room_channel(&mut self, channel: ChannelId) {
        let Some(state) = self.core.channel_state(channel) else {
            return;
        };
        if let Some(turn) = state.turn.as_ref().map(|turn| turn.id()) {
            let event = TurnEvent::StopRequested;
            self.handle_event(Event::Turn { turn, event });
        }
        self.turn_channel_off(channel);
        if self.core.unload_channel(channel) {
            self.decision_times.forget(channel);
        }
    }
}

//! The local room's own facts: its people, its channels, and who the companion is in them. Kept in the store.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::tool_host::RoomHost;
use kith_core::chat::{Author, AuthorKind, Channel, ChannelId, ChannelKind, GuildId, UserId};
use kith_core::event::ChatEvent;
use kith_core::persona::Language;
use kith_core::policy::ChannelPolicy;
use kith_language::daemon;
use kith_room::RoomChannel;
use kith_store::{Store, StoreError};

/// The companion's id in the room.
pub const ME: UserId = UserId(1);
pub const ROOM: GuildId = GuildId(1);
const PEOPLE: &str = "room.people";

/// The people and channels of the room. A change is stored before it is remembered.
#[derive(Debug)]
pub struct RoomMembers {
    people: Vec<Author>,
    channels: Vec<Channel>,
    tool_host: Arc<RoomHost>,
}

#[derive(Serialize, Deserialize)]
struct Person {
    id: UserId,
    name: String,
}

impl RoomMembers {
    /// Reads them from the store; a new store gets two channels and three people to start with.
    pub async fn load(
        store: &Store,
        language: Language,
        tool_host: RoomHost,
    ) -> Result<Self, StoreError> {
        let mut channels: Vec<Channel> = store.channels().await?;
        channels.retain(|channel| channel.guild == Some(ROOM));
        let kept: Vec<Person> = store
            .load_meta(PEOPLE)
            .await?
            .and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default();
        let mut people: Vec<Author> = kept
            .into_iter()
            .map(|person| build_person_author(person.id, &person.name))
            .collect();
        let (first_channels, first_people) = build_initial_members(language);
        if channels.is_empty() {
            store
                .append(
                    first_channels
                        .iter()
                        .cloned()
                        .map(ChatEvent::Channel)
                        .collect(),
                )
                .await?;
            channels = first_channels;
        }
        if people.is_empty() {
            people = first_people;
        }
        let members = Self {
            people,
            channels,
            tool_host: Arc::new(tool_host),
        };
        save_people(store, &members.people).await?;
        members
            .tool_host
            .set_members(&members.channels, &members.people);
        Ok(members)
    }

    pub fn tool_host(&self) -> Arc<RoomHost> {
        self.tool_host.clone()
    }

    /// The people, oldest first.
    pub fn people(&self) -> &[Author] {
        &self.people
    }

    pub fn person(&self, id: UserId) -> Option<&Author> {
        self.people.iter().find(|person| person.id == id)
    }

    /// The channels, oldest first.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    pub fn channel(&self, id: ChannelId) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.id == id)
    }

    pub async fn add_person(
        &mut self,
        store: &Store,
        id: UserId,
        name: &str,
    ) -> Result<Author, StoreError> {
        let person = build_person_author(id, name);
        let people = self.people.iter().cloned().chain([person.clone()]);
        self.replace_people(store, people.collect()).await?;
        Ok(person)
    }

    pub async fn rename_person(
        &mut self,
        store: &Store,
        id: UserId,
        name: &str,
    ) -> Result<Author, StoreError> {
        let renamed = build_person_author(id, name);
        let people = self.people.iter().map(|person| match person.id == id {
            true => renamed.clone(),
            false => person.clone(),
        });
        self.replace_people(store, people.collect()).await?;
        Ok(renamed)
    }

    pub async fn remove_person(&mut self, store: &Store, id: UserId) -> Result<(), StoreError> {
        let people = self.people.iter().filter(|person| person.id != id);
        let people = people.cloned().collect();
        self.replace_people(store, people).await
    }

    async fn replace_people(
        &mut self,
        store: &Store,
        people: Vec<Author>,
    ) -> Result<(), StoreError> {
        save_people(store, &people).await?;
        self.people = people;
        self.tool_host.set_members(&self.channels, &self.people);
        Ok(())
    }

    pub async fn change_channel(
        &mut self,
        store: &Store,
        changed: Channel,
    ) -> Result<(), StoreError> {
        store
            .append(vec![ChatEvent::Channel(changed.clone())])
            .await?;
        if let Some(known) = self
            .channels
            .iter_mut()
            .find(|known| known.id == changed.id)
        {
            *known = changed;
        }
        self.tool_host.set_members(&self.channels, &self.people);
        Ok(())
    }

    pub fn forget_channels(&mut self, gone: &BTreeSet<ChannelId>) {
        self.channels.retain(|channel| !gone.contains(&channel.id));
        self.tool_host.set_members(&self.channels, &self.people);
    }

    pub async fn add_channel(
        &mut self,
        store: &Store,
        id: ChannelId,
        name: &str,
        topic: &str,
    ) -> Result<Channel, StoreError> {
        let channel = build_text_channel(id, name, topic);
        self.store_channel(store, channel.clone()).await?;
        Ok(channel)
    }

    /// Adds a channel of any kind.
    pub async fn store_channel(
        &mut self,
        store: &Store,
        channel: Channel,
    ) -> Result<(), StoreError> {
        store
            .append(vec![ChatEvent::Channel(channel.clone())])
            .await?;
        self.channels.push(channel);
        self.tool_host.set_members(&self.channels, &self.people);
        Ok(())
    }

    /// The largest id handed out so far.
    pub async fn find_newest_id(&self, store: &Store) -> Result<u64, StoreError> {
        let mut newest = self
            .people
            .iter()
            .map(|person| person.id.0)
            .max()
            .unwrap_or(0);
        for channel in &self.channels {
            newest = newest.max(channel.id.0);
            if let Some(line) = store.load_history(channel.id, None, 1).await?.last() {
                newest = newest.max(line.message.id.0);
            }
        }
        Ok(newest)
    }
}

async fn save_people(store: &Store, people: &[Author]) -> Result<(), StoreError> {
    let kept: Vec<Person> = people
        .iter()
        .map(|person| Person {
            id: person.id,
            name: person.name.to_string(),
        })
        .collect();
    let json = serde_json::to_string(&kept).unwrap_or_default();
    store.set_meta(PEOPLE, json).await
}

fn build_person_author(id: UserId, name: &str) -> Author {
    Author {
        id,
        name: name.into(),
        kind: AuthorKind::Person,
    }
}

fn build_text_channel(id: ChannelId, name: &str, topic: &str) -> Channel {
    Channel {
        id,
        guild: Some(ROOM),
        name: name.into(),
        topic: topic.into(),
        kind: ChannelKind::Group,
        parent: None,
    }
}

fn build_initial_members(language: Language) -> (Vec<Channel>, Vec<Author>) {
    let channels = [
        (daemon::first_channel(), daemon::first_channel_topic()),
        (daemon::second_channel(), daemon::second_channel_topic()),
    ];
    let people = [
        daemon::first_person(),
        daemon::second_person(),
        daemon::third_person(),
    ];
    let channels = channels
        .iter()
        .zip(10..)
        .map(|((name, topic), id)| {
            let (name, topic) = (name.in_language(language), topic.in_language(language));
            build_text_channel(ChannelId(id), &name, &topic)
        })
        .collect();
    let people = people
        .iter()
        .zip(2..)
        .map(|(name, id)| build_person_author(UserId(id), &name.in_language(language)))
        .collect();
    (channels, people)
}

/// The companion as the members of a channel see it.
pub fn build_companion_author(policy: &ChannelPolicy) -> Author {
    let name = policy.names.first().unwrap_or(&policy.persona.name);
    Author {
        id: ME,
        name: name.as_str().into(),
        kind: AuthorKind::Companion,
    }
}

pub fn to_room_channel(channel: &Channel, policy: &ChannelPolicy) -> RoomChannel {
    RoomChannel {
        channel: channel.clone(),
        mode: policy.mode,
        companion: build_companion_author(policy),
    }
}

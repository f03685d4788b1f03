//! Facts and episodes for who runs Kith: listed by place and person, with the lines they come from, said otherwise, taken
//! back and forgotten.

use std::collections::BTreeSet;

use super::MemoryReply;
use super::scope::MemoryFilter;
use crate::daemon::reply::{refuse_bad_request, refuse_missing, reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::chat::{Author, AuthorKind, ChannelId, MemoryId, UserId};
use kith_core::memory_entry::{MEMORY_CHARACTERS, MemoryEntry, MemoryOrigin};
use kith_language::room_refusals;
use kith_memory::Memory;
use kith_room::{MemoryAnswer, MemoryDetails, MemoryOverview, QuotedLine, RequestRefusal};
use kith_store::{MemoryEdit, MemorySearch, Store};
use kith_system::clock;
use kith_tools::ToolHost;

/// The most entries that are shown of what one took the place of.
const LONGEST_TRAIL: usize = 20;

impl Daemon {
    /// Everything that fits, newest first.
    pub(super) fn list_all_memories(&self, filter: MemoryFilter, limit: usize, to: MemoryReply) {
        let (channels, store) = (self.find_memory_channels(&filter), self.store.clone());
        let host = self.tool_host.clone();
        reply_later(to, async move {
            let channels = channels?;
            let people = store.list_known_people(channels.clone()).await;
            let mut people = people.map_err(to_request_refusal)?;
            let search = MemorySearch {
                channels,
                people: filter.person.into_iter().collect(),
                limit: limit + 1,
                ..MemorySearch::default()
            };
            let found = store.list_memories(search).await;
            let mut memories = found.map_err(to_request_refusal)?;
            let more = memories.len() > limit;
            memories.truncate(limit);
            add_seen_people(&*host, &mut people, &memories);
            Ok(MemoryAnswer::Overview(MemoryOverview {
                people,
                memories,
                more,
            }))
        });
    }

    pub(super) fn forget_memory(&self, channel: ChannelId, id: MemoryId, to: MemoryReply) {
        let (readable, store) = (self.find_memory_readable(channel), self.store.clone());
        reply_later(to, async move {
            find_entry(&store, &readable?, id).await?;
            let deleted = store.delete_memory(id).await;
            deleted.map_err(to_request_refusal)?;
            Ok(MemoryAnswer::Done {})
        });
    }

    /// The lines an entry was taken from, and what it took the place of.
    pub(super) fn answer_memory_details(&self, channel: ChannelId, id: MemoryId, to: MemoryReply) {
        let (readable, store) = (self.find_memory_readable(channel), self.store.clone());
        reply_later(to, async move {
            let readable = readable?;
            let entry = find_entry(&store, &readable, id).await?;
            let (channel, ids) = (entry.content.channel, entry.content.sources);
            let (all, said) = (ids.len(), store.find_source_messages(channel, ids).await);
            let sources = said.map_err(to_request_refusal)?.into_iter();
            let sources: Vec<QuotedLine> = sources
                .map(|(id, line)| QuotedLine {
                    id,
                    channel,
                    at: line.at,
                    author: line.author,
                    name: line.name.to_string(),
                    text: line.text.to_string(),
                })
                .collect();
            Ok(MemoryAnswer::Details(MemoryDetails {
                missing: all.saturating_sub(sources.len()),
                sources,
                trail: load_trail(&store, &readable, id).await?,
            }))
        });
    }

    /// One entry says something else, by the word of who runs Kith.
    pub(super) fn edit_memory(
        &self,
        channel: ChannelId,
        id: MemoryId,
        text: String,
        to: MemoryReply,
    ) {
        let (readable, store) = (self.find_memory_readable(channel), self.store.clone());
        let memory = self.memory.clone();
        reply_later(to, async move {
            let readable = readable?;
            find_entry(&store, &readable, id).await?;
            let edit = MemoryEdit::from_text(&text, MemoryOrigin::Host, None);
            let memories = vec![replace_entry(&memory, &store, &readable, id, edit).await?];
            Ok(MemoryAnswer::Changed { memories })
        });
    }

    /// What an entry took the place of holds again.
    pub(super) fn undo_memory(&self, channel: ChannelId, id: MemoryId, to: MemoryReply) {
        let (readable, store) = (self.find_memory_readable(channel), self.store.clone());
        reply_later(to, async move {
            let readable = readable?;
            find_entry(&store, &readable, id).await?;
            let before = find_superseded(&store, &readable, id).await?;
            if before.is_empty() {
                return Err(refuse_bad_request(room_refusals::nothing_superseded()));
            }
            let restored = store.undo_memory_edit(id).await;
            restored.map_err(to_request_refusal)?;
            let mut memories = Vec::new();
            for entry in before {
                memories.push(find_entry(&store, &readable, entry.id).await?);
            }
            Ok(MemoryAnswer::Changed { memories })
        });
    }
}

/// Adds whom the platform knows of those in memories that never wrote.
fn add_seen_people(host: &dyn ToolHost, people: &mut Vec<Author>, memories: &[MemoryEntry]) {
    let mut known: BTreeSet<UserId> = people.iter().map(|person| person.id).collect();
    for MemoryEntry { content, .. } in memories {
        let about = content.person.iter().chain(&content.people);
        for id in about.copied().filter(|id| known.insert(*id)) {
            let name = host.find_name(content.channel, id);
            people.extend(name.map(|name| Author {
                id,
                name,
                kind: AuthorKind::Person,
            }));
        }
    }
}

/// Says an entry in other words, and answers with what takes its place.
pub(in crate::daemon) async fn replace_entry(
    memory: &Memory,
    store: &Store,
    readable: &[ChannelId],
    id: MemoryId,
    edit: Option<MemoryEdit>,
) -> Result<MemoryEntry, RequestRefusal> {
    let edit =
        edit.ok_or_else(|| refuse_bad_request(room_refusals::memory_length(MEMORY_CHARACTERS)))?;
    let edited = memory.correct(id, edit, clock::now()).await;
    let new = edited.map_err(to_request_refusal)?;
    let new = new.ok_or_else(|| refuse_bad_request(room_refusals::memory_sensitive()))?;
    find_entry(store, readable, new).await
}

/// What an entry took the place of, as far as it may be seen.
async fn find_superseded(
    store: &Store,
    readable: &[ChannelId],
    id: MemoryId,
) -> Result<Vec<MemoryEntry>, RequestRefusal> {
    let found = store.superseded_memories(id).await;
    let mut before = found.map_err(to_request_refusal)?;
    before.retain(|entry| readable.contains(&entry.content.channel));
    Ok(before)
}

/// The same, and what that took the place of.
async fn load_trail(
    store: &Store,
    readable: &[ChannelId],
    id: MemoryId,
) -> Result<Vec<MemoryEntry>, RequestRefusal> {
    let mut trail = find_superseded(store, readable, id).await?;
    let mut looked_at = 0;
    while looked_at < trail.len() && trail.len() < LONGEST_TRAIL {
        let before = find_superseded(store, readable, trail[looked_at].id).await?;
        trail.extend(before);
        looked_at += 1;
    }
    Ok(trail)
}

/// An entry that may be seen where it is asked for.
pub(in crate::daemon) async fn find_entry(
    store: &Store,
    readable: &[ChannelId],
    id: MemoryId,
) -> Result<MemoryEntry, RequestRefusal> {
    let entry = store.memory(id).await.map_err(to_request_refusal)?;
    entry
        .filter(|entry| readable.contains(&entry.content.channel))
        .ok_or_else(describe_missing)
}

fn describe_missing() -> RequestRefusal {
    refuse_missing(room_refusals::no_memory())
}

//! The names of channels and servers in the log: an id alone tells a person nothing. In one place, so that whoever logs an
//! id writes the id. People are never named there, nor whom a direct message is with.

use std::fmt::Write;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use kith_core::chat::{ChannelId, ChannelKind, GuildId};
use kith_core::directory::Directory;

/// Shorter numbers are no ids of Discord.
const SHORTEST_ID: usize = 15;

/// What is known of each partition's places.
static DIRECTORIES: RwLock<Vec<Weak<RwLock<Directory>>>> = RwLock::new(Vec::new());

/// Names places by a directory from now on, as long as it is used.
pub(in crate::daemon) fn name_places_by(directory: &Arc<RwLock<Directory>>) {
    let mut known = DIRECTORIES.write().unwrap_or_else(PoisonError::into_inner);
    known.retain(|directory| directory.strong_count() > 0);
    known.push(Arc::downgrade(directory));
}

/// A text of the log with the names of the places in it, behind their ids: `811000000000000101 (#general in Kith)`.
pub fn name_places(text: &str) -> String {
    let (mut named, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let (before, behind) = rest.split_at(start + digits);
        named.push_str(before);
        // `[channel.811…]` names a table of the settings: it is copied as it stands.
        let is_key = before[..start].ends_with('.');
        if digits >= SHORTEST_ID
            && !is_key
            && let Some(name) = before[start..].parse().ok().and_then(find_name)
        {
            // Writing into a text cannot fail.
            let _ = write!(named, " ({name})");
        }
        rest = behind;
    }
    named + rest
}

/// None where it is not known or the directory is being changed: lines are logged during that, too.
fn find_name(id: u64) -> Option<String> {
    let known = DIRECTORIES.read().unwrap_or_else(PoisonError::into_inner);
    known
        .iter()
        .filter_map(Weak::upgrade)
        .find_map(|directory| {
            let directory = directory.try_read().ok()?;
            let guild = |id| Some(&directory.guilds.get(&id)?.name);
            let Some(known) = directory.channels.get(&ChannelId(id)) else {
                return guild(GuildId(id)).map(|name| name.to_string());
            };
            let channel = &known.channel;
            Some(match (channel.kind, channel.guild.and_then(guild)) {
                (ChannelKind::Direct, _) => "direct message".to_owned(),
                (_, None) => format!("#{}", channel.name),
                (_, Some(guild)) => format!("#{} in {guild}", channel.name),
            })
        })
}

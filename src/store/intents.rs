//! What the companion waits for, channel by channel. A note is text of its own making that may repeat what people said:
//! it goes when what it repeats is erased, and when anybody who may be in it is forgotten.

use super::erased_text::ErasedText;
use super::{Store, StoreReply};
use crate::from_row::from_row;
use crate::row_writes::row;
use crate::values::{JsonColumn, params};
use kith_core::chat::{ChannelId, IntentionId};
use kith_core::intent::{FiredIntent, ScheduledIntent};

const COLUMNS: &str = "id, made, after, expires, person, name, word, time, note, fired, reminder";

impl Store {
    /// Keeps an intention, without what was just erased; none that may tell of somebody who is being forgotten.
    pub fn put_intention(&self, channel: ChannelId, intention: ScheduledIntent) -> StoreReply<()> {
        self.write(move |db| {
            if db.may_hold_leaver(channel, intention.made)
            {
                return Ok(());
            }
            let mut intention = intention.clone();
            for gone in db.recent_erasures.find_in_channel(channel) {
                clean_intention(&gone, &mut intention.note, &mut intention.word);
            }
            let it = intention;
            let row = row! {
                channel, id: it.id, made: it.made, after: it.after as i64, expires: it.expires, person: it.person,
                name: it.name, word: it.word, time: it.time, note: it.note, fired: it.came.map(JsonColumn),
                reminder: it.reminder.map(JsonColumn),
            };
            db.conn.put_row("intents", row)?;
            Ok(())
        })
    }

    pub fn save_fired_intention(
        &self,
        channel: ChannelId,
        id: IntentionId,
        fired: FiredIntent,
    ) -> StoreReply<()> {
        self.write(move |db| {
            let fired = row! { fired: JsonColumn(fired) };
            db.conn.update_rows("intents", row! { channel, id }, fired)
        })
    }

    pub fn drop_intention(&self, channel: ChannelId, id: IntentionId) -> StoreReply<()> {
        self.write(move |db| {
            db.erased |= db.conn.delete_rows("intents", row! { channel, id })?;
            Ok(())
        })
    }

    /// What is waited for in a channel, oldest first.
    pub fn find_intentions(&self, channel: ChannelId) -> StoreReply<Vec<ScheduledIntent>> {
        self.read(move |conn| {
            // What earlier versions kept as minutes of silence comes after those minutes.
            let columns = COLUMNS.replace(" time,", " coalesce(time, made + silence * 60000),");
            let find = format!("SELECT {columns} FROM intents WHERE channel = ?1 ORDER BY id");
            conn.read_all(&find, params![channel])
        })
    }
}

from_row! { ScheduledIntent {
    id, made, after, expires, person, name, word, time, note, came: json, reminder: json
} }

/// A note that repeats an erased text goes whole, for half a note is worth nothing; so does a word. Answers whether
/// anything went.
fn clean_intention(gone: &ErasedText, note: &mut String, word: &mut Option<String>) -> bool {
    let (tells, names) = (
        gone.is_repeated_in(note),
        word.as_deref()
            .is_some_and(|word| gone.is_repeated_in(word)),
    );
    if tells {
        note.clear();
    }
    if names {
        *word = None;
    }
    tells || names
}

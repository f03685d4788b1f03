//! What the companion waits for, channel by channel. A note is text of its own making that may repeat what people said:
//! it goes when what it repeats is erased, and when anybody who may be in it is forgotten.

use super::erased_text::ErasedText;
use super::{Store, StoreReply};
use crate::sql::{SqlResult, SqlRow};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::{ChannelId, IntentionId};
use kith_core::intent::{FiredIntent, Reminder, ScheduledIntent};

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
            let put = format!(
                "INSERT INTO intents (channel, {COLUMNS})
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
                 ON CONFLICT (channel, id) DO UPDATE SET made = excluded.made, after = excluded.after,
                     expires = excluded.expires, person = excluded.person, name = excluded.name, word = excluded.word,
                     time = excluded.time, note = excluded.note, fired = excluded.fired,
                     reminder = excluded.reminder"
            );
            db.conn.execute(&put, params![
                channel,
                intention.id,
                intention.made,
                intention.after as i64,
                intention.expires,
                intention.person,
                intention.name,
                intention.word,
                intention.time,
                intention.note,
                intention.came.map(JsonColumn),
                intention.reminder.map(JsonColumn),
            ])?;
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
            let put = "UPDATE intents SET fired = ?3 WHERE channel = ?1 AND id = ?2";
            db.conn
                .execute(put, params![channel, id, JsonColumn(fired)])?;
            Ok(())
        })
    }

    pub fn drop_intention(&self, channel: ChannelId, id: IntentionId) -> StoreReply<()> {
        self.write(move |db| {
            let drop = "DELETE FROM intents WHERE channel = ?1 AND id = ?2";
            db.erased |= db.conn.execute(drop, params![channel, id])? > 0;
            Ok(())
        })
    }

    /// What is waited for in a channel, oldest first.
    pub fn find_intentions(&self, channel: ChannelId) -> StoreReply<Vec<ScheduledIntent>> {
        self.read(move |conn| {
            // What earlier versions kept as minutes of silence comes after those minutes.
            let columns = COLUMNS.replace(" time,", " coalesce(time, made + silence * 60000),");
            let find = format!("SELECT {columns} FROM intents WHERE channel = ?1 ORDER BY id");
            conn.map_all(&find, params![channel], read_intention)
        })
    }
}

fn read_intention(row: &SqlRow<'_>) -> SqlResult<ScheduledIntent> {
    Ok(ScheduledIntent {
        id: row.read(0)?,
        made: row.read(1)?,
        after: row.read::<i64>(2)? as u64,
        expires: row.read(3)?,
        person: row.read(4)?,
        name: row.read(5)?,
        word: row.read(6)?,
        time: row.read(7)?,
        note: row.read(8)?,
        came: row
            .read::<Option<JsonColumn<FiredIntent>>>(9)?
            .map(|JsonColumn(came)| came),
        reminder: row
            .read::<Option<JsonColumn<Reminder>>>(10)?
            .map(|JsonColumn(reminder)| reminder),
    })
}

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

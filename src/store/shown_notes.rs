//! What stored prompts show of notes that are gone. A prompt shows core memory, summaries, memories and lists as they are:
//! what the walk over the tables takes out of these is taken out of the prompts that showed it.

use super::db::Database;
use super::prompt_reach::REACHED_CHANNELS;
use super::{StoredPrompt, turn_signatures};
use crate::sql::SqlResult;
use crate::values::{JsonColumn, params};
use kith_core::chat::{ChannelId, ChannelKind, Millis, TurnId};
use kith_core::quotes::ErasedPassage;

/// Takes the notes that just went out of the prompts from then on, wherever one may have shown what was said in a channel.
pub(super) fn remove_gone_notes(
    db: &mut Database,
    channel: ChannelId,
    since: Millis,
) -> SqlResult<()> {
    let gone = std::mem::take(&mut db.gone_notes);
    let lines = gone.iter().flat_map(|note| note.lines());
    let notes: Vec<ErasedPassage> = lines.filter_map(ErasedPassage::new).collect();
    if notes.is_empty() {
        return Ok(());
    }
    let find = format!(
        "SELECT turn FROM turns WHERE ended >= ?3 AND prompts IS NOT NULL AND channel IN ({REACHED_CHANNELS})"
    );
    let bound = params![channel, ChannelKind::Direct, since];
    let turns: Vec<TurnId> = db.conn.read_all(&find, bound)?;
    turns
        .into_iter()
        .try_for_each(|turn| remove_from_prompts(db, &notes, turn))
}

fn remove_from_prompts(db: &Database, notes: &[ErasedPassage], turn: TurnId) -> SqlResult<()> {
    let (_, shown) = turn_signatures::read_turn(db, turn)?;
    if !notes.iter().any(|note| note.may_be_in(&shown)) {
        return Ok(());
    }
    // Prompts that cannot be read cannot be cleaned, either.
    let mut prompts: Vec<StoredPrompt> = serde_json::from_str(&shown).unwrap_or_default();
    for prompt in &mut prompts {
        for text in [&mut prompt.system, &mut prompt.user] {
            for note in notes {
                if let Some(cleaned) = note.redact(text) {
                    *text = cleaned;
                }
            }
        }
    }
    let prompts = (!prompts.is_empty()).then_some(JsonColumn(prompts));
    let update = "UPDATE turns SET prompts = ?2 WHERE turn = ?1";
    db.conn.execute(update, params![turn, prompts])?;
    turn_signatures::sign(db, turn)
}

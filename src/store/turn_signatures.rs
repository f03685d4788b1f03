//! What turns may show, without reading them: an erased text is looked for in all of them, and their prompts are long. A
//! trigger takes a signature with any change of its turn, so that none tells of what is gone.

use super::StoredPrompt;
use super::db::Database;
use super::erased_text::{ErasedText, change_texts};
use crate::sql::SqlResult;
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, Millis, TurnId};
use kith_core::quotes::{QuoteTraces, TextSignature};
use kith_core::report::TurnReport;

/// How long the two parts are, in bytes: with their row they fill a page of a file.
const TOLD: usize = 700;
const SHOWN: usize = 3_200;

/// What a turn tells, and what its prompts showed.
pub(super) struct TurnSignature {
    told: TextSignature,
    shown: TextSignature,
}

impl TurnSignature {
    pub fn new(report: &TurnReport, prompts: &[StoredPrompt]) -> Self {
        let mut texts = Vec::new();
        change_texts(&mut report.clone(), &mut |text| texts.push(text.clone()));
        let shown = prompts.iter().flat_map(|one| [&*one.system, &*one.user]);
        Self {
            told: TextSignature::new(TOLD, texts.iter().map(String::as_str)),
            shown: TextSignature::new(SHOWN, shown),
        }
    }

    /// Whether an erased text may have to be taken out of the turn: as a whole, or telling words that the turn tells, too,
    /// if it is of the same channel.
    pub fn may_show(&self, erased: &QuoteTraces, is_same_channel: bool) -> bool {
        erased.may_be_whole_in(&self.told)
            || erased.may_be_whole_in(&self.shown)
            || is_same_channel && erased.has_word_in(&self.told)
    }

    pub fn save(&self, db: &Database, turn: TurnId, channel: ChannelId) -> SqlResult<()> {
        let mut save = db.conn.prepare_cached(
            "INSERT INTO turn_signatures (turn, channel, told, shown) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (turn) DO UPDATE SET channel = excluded.channel, told = excluded.told, shown = excluded.shown",
        )?;
        let (told, shown) = (self.told.as_bytes(), self.shown.as_bytes());
        save.execute(params![turn, channel, told, shown]).map(drop)
    }
}

/// The turns that ended since then and may show an erased text, and whether each is signed: what is not may show anything.
pub(super) fn find_showing_turns(
    db: &Database,
    gone: &ErasedText,
    ended_since: Millis,
) -> SqlResult<Vec<(TurnId, bool)>> {
    let mut find = db.conn.prepare_cached(
        "SELECT t.turn, s.channel, s.told, s.shown FROM turns t LEFT JOIN turn_signatures s ON s.turn = t.turn
         WHERE t.ended >= ?1",
    )?;
    let turns = find.query_map(params![ended_since], |row| {
        let channel: Option<ChannelId> = row.read(1)?;
        let part = |column| -> SqlResult<Option<TextSignature>> {
            let bytes: Option<Vec<u8>> = row.read(column)?;
            Ok(bytes.and_then(TextSignature::from_bytes))
        };
        let signature = part(2)?.zip(part(3)?);
        let signature = signature.map(|(told, shown)| TurnSignature { told, shown });
        let may_show = signature.as_ref().is_none_or(|signature| {
            signature.may_show(&gone.traces, channel == Some(gone.channel))
        });
        Ok(may_show.then_some((row.read(0)?, signature.is_some())))
    })?;
    turns.filter_map(Result::transpose).collect()
}

//! The signatures of turns in the database. A trigger takes one with any change of its turn, so that none tells of what is
//! gone.

use crate::db::Database;
use crate::erased_text::TurnSignature;
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::stored_prompt::StoredPrompt;
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, Millis, TurnId};
use kith_core::quotes::TextSignature;
use kith_core::report::TurnReport;

/// How many signatures are looked at at once: 4 KB each.
const PAGE: i64 = 1_000;
/// How many turns are read in one commit to be signed: some ten milliseconds.
pub(crate) const SIGNED_AT_ONCE: i64 = 50;

pub(super) fn save(
    db: &Database,
    signature: &TurnSignature,
    turn: TurnId,
    channel: ChannelId,
) -> SqlResult<()> {
    let (told, shown) = (signature.told.as_bytes(), signature.shown.as_bytes());
    db.conn
        .put_row("turn_signatures", row! { turn, channel, told, shown })
}

/// The turns of a page that may show what is looked for: what is not signed may show anything.
pub(super) struct ShowingTurns {
    pub showing: Vec<TurnId>,
    /// Where the next page begins; none after the last.
    pub next: Option<PageStart>,
}

type PageStart = (Millis, TurnId);

/// A page of the turns from there on, as `may_show` judges each by its signature and its channel.
pub(super) fn find_showing_turns(
    db: &Database,
    may_show: impl Fn(&TurnSignature, ChannelId) -> bool,
    (ended, turn): PageStart,
) -> SqlResult<ShowingTurns> {
    let mut find = db.conn.prepare_cached(
        "SELECT t.turn, s.channel, s.told, s.shown, t.ended FROM turns t LEFT JOIN turn_signatures s ON s.turn = t.turn
         WHERE (t.ended, t.turn) >= (?1, ?2) ORDER BY t.ended, t.turn LIMIT ?3",
    )?;
    let mut rows = find.query(params![ended, turn, PAGE])?;
    let (mut showing, mut count, mut last) = (Vec::new(), 0, None);
    while let Some(row) = rows.next()? {
        let turn: TurnId = row.read(0)?;
        let channel: Option<ChannelId> = row.read(1)?;
        let part = |column| -> SqlResult<Option<TextSignature>> {
            let bytes: Option<Vec<u8>> = row.read(column)?;
            Ok(bytes.and_then(TextSignature::from_bytes))
        };
        let signature = part(2)?.zip(part(3)?);
        let signature = signature.map(|(told, shown)| TurnSignature { told, shown });
        if signature
            .zip(channel)
            .is_none_or(|(it, channel)| may_show(&it, channel))
        {
            showing.push(turn);
        }
        count += 1;
        last = Some((row.read(4)?, TurnId(turn.0 + 1)));
    }
    let next = last.filter(|_| count == PAGE);
    Ok(ShowingTurns { showing, next })
}

/// One that cannot be read stays unsigned: the next deletion drops it.
pub(crate) fn sign(db: &Database, turn: TurnId) -> SqlResult<()> {
    let (report, prompts) = read_turn(db, turn)?;
    let prompts: Vec<StoredPrompt> = serde_json::from_str(&prompts).unwrap_or_default();
    let Ok(report) = serde_json::from_str::<TurnReport>(&report) else {
        return Ok(());
    };
    let signature = TurnSignature::new(&report, &prompts);
    save(db, &signature, turn, report.channel)
}

pub(super) fn read_turn(db: &Database, turn: TurnId) -> SqlResult<(String, String)> {
    let read = "SELECT report, prompts FROM turns WHERE turn = ?1";
    let (report, prompts): (_, Option<String>) = db.conn.read_one(read, params![turn])?;
    Ok((report, prompts.unwrap_or_default()))
}

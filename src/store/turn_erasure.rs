//! What is erased goes out of the turns that are kept, and out of those that ran meanwhile.

use crate::db::Database;
use crate::erased_text::{TurnErasure, TurnSignature};
use crate::leavers::stripped_turn;
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::stored_prompt::StoredPrompt;
use crate::values::{JsonColumn, params};
use crate::{log_messages, turn_signatures};
use kith_core::chat::{Millis, TurnId};
use kith_core::report::TurnReport;

/// Takes it out of the turns that ended after the message was written: the text out of those of its channel, and of others
/// that show it, for it may have been recalled elsewhere; the notes wherever a prompt may have shown what was said there.
pub(super) fn forget_in_turns(
    db: &Database,
    gone: &TurnErasure<'_>,
    ended_since: Millis,
) -> SqlResult<()> {
    if gone.text.is_none() && gone.notes.is_empty() {
        return Ok(());
    }
    let may_show = |turn: &TurnSignature, channel| gone.may_be_in(turn, channel);
    let mut next = Some((ended_since, TurnId(0)));
    while let Some(from) = next {
        let page = turn_signatures::find_showing_turns(db, may_show, from)?;
        page.showing
            .into_iter()
            .try_for_each(|turn| forget_in_turn(db, gone, turn))?;
        next = page.next;
    }
    Ok(())
}

fn forget_in_turn(db: &Database, gone: &TurnErasure<'_>, turn: TurnId) -> SqlResult<()> {
    let (report, shown) = turn_signatures::read_turn(db, turn)?;
    let Ok(mut report) = serde_json::from_str::<TurnReport>(&report) else {
        return drop_turn(db, turn);
    };
    let read_prompts = || serde_json::from_str::<Vec<StoredPrompt>>(&shown);
    let may_be_shown = gone.may_be_shown(&shown);
    // Prompts are large, and most of them never showed the text. Words of it are taken out of those of its channel only.
    let prompts = (may_be_shown || report.channel == gone.channel).then(read_prompts);
    // Prompts that cannot be read cannot be cleaned, either.
    let is_unreadable = may_be_shown && matches!(prompts, Some(Err(_)));
    let mut prompts = prompts.and_then(Result::ok).unwrap_or_default();
    let before = report.clone();
    if !gone.remove_from_turn(&db.conn, &mut report, &mut prompts)? && !is_unreadable {
        return Ok(());
    }
    if prompts.is_empty() {
        prompts = read_prompts().unwrap_or_default();
        gone.remove_from_turn(&db.conn, &mut report, &mut prompts)?;
    }
    // Log channels tell nothing of prompts.
    if report != before {
        log_messages::mark_turn_due(db, turn)?;
    }
    let signature = TurnSignature::new(&report, &prompts);
    let channel = report.channel;
    let prompts = (!prompts.is_empty()).then_some(JsonColumn(prompts));
    let cleaned = row! { report: JsonColumn(report), prompts };
    db.conn.update_rows("turns", row! { turn }, cleaned)?;
    turn_signatures::save(db, &signature, turn, channel)
}

/// For a turn that cannot be read: it cannot be cleaned either, and nobody can be shown it.
pub(super) fn drop_turn(db: &Database, turn: TurnId) -> SqlResult<()> {
    log_messages::mark_turn_due(db, turn)?;
    let unlink = "UPDATE decisions SET turn = NULL WHERE turn = ?1";
    db.conn.execute(unlink, params![turn])?;
    db.conn.delete_rows("turns", row! { turn }).map(drop)
}

/// Takes out of a turn that is about to be saved what was erased while it ran; answers with its signature, and whether
/// anything was there.
pub(super) fn forget_recent_erasures(
    db: &Database,
    report: &mut TurnReport,
    prompts: &mut Vec<StoredPrompt>,
) -> SqlResult<(TurnSignature, bool)> {
    let (channel, started) = (report.channel, report.started);
    let mut changed = false;
    for person in db
        .leaving_people
        .iter()
        .filter(|person| person.can_be_in(channel, started))
    {
        stripped_turn::strip_report(report, person.user);
        prompts.clear();
        changed = true;
    }
    let signature = TurnSignature::new(report, prompts);
    let erased = db.recent_erasures.find_during_turn(report, &signature);
    let erased: Vec<TurnErasure<'_>> = erased.collect();
    let mut is_redacted = false;
    for gone in erased {
        is_redacted |= gone.remove_from_turn(&db.conn, report, prompts)?;
    }
    Ok(match is_redacted {
        true => (TurnSignature::new(report, prompts), true),
        false => (signature, changed),
    })
}

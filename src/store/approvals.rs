//! What the companion wants done and a person decides on: on disk before anybody is asked, decided once, settled once,
//! whatever ends the process in between. Rows name people, and go with them.

use crate::connection_threads::JobKind;
use crate::db::Database;
use crate::erased_text::ErasedText;
use crate::from_row::from_row;
use crate::handle::{Store, StoreReply};
use crate::leavers::identifying_trace::IdentityMatcher;
use crate::leavers::target::ForgetTarget;
use crate::log_messages;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, params};
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject, MOST_WAITING};
use kith_core::chat::{ChannelId, GuildId, MessageId, Millis, ProposalId, UserId};
use kith_core::moderation::DenialReason;
use kith_core::proposed_call::ProposedCall;

const COLUMNS: &str = "id, turn, call, subject, made, expires, state, decided_by, decider, decided, answered, log, message";

#[derive(Clone, Debug, PartialEq)]
pub enum ApprovalDecision {
    Decided(ApprovalRequest),
    /// It was decided before, or its time is over.
    AlreadyDecided(ApprovalRequest),
    Unknown,
}

impl Store {
    /// Keeps a proposal and gives it an id; answered when it is on the disk for good, or with why it is not kept. One
    /// that is approved already waits for nobody, and what comes of it is told to the turn that asked.
    pub fn put_proposal(
        &self,
        proposal: ApprovalRequest,
    ) -> StoreReply<Result<ApprovalRequest, DenialReason>> {
        self.write_as(JobKind::Journal, move |db| insert_proposal(db, &proposal))
    }

    /// Somebody approves a proposal or drops it; answered when that is on the disk for good.
    pub fn decide_proposal(
        &self,
        id: ProposalId,
        approves: bool,
        by: (UserId, String),
        at: Millis,
    ) -> StoreReply<ApprovalDecision> {
        self.write_as(JobKind::Journal, move |db| {
            let Some(known) = find_by_id(&db.conn, id)? else {
                return Ok(ApprovalDecision::Unknown);
            };
            if known.state != ApprovalState::Waiting || known.expires <= at {
                return Ok(ApprovalDecision::AlreadyDecided(known));
            }
            let state = if approves {
                ApprovalState::Approved
            } else {
                ApprovalState::Denied
            };
            set_state(db, id, state)?;
            let decision = row! { decided_by: by.0, decider: by.1, decided: at };
            db.conn.update_rows("proposals", row! { id }, decision)?;
            Ok(ApprovalDecision::Decided(ApprovalRequest {
                state,
                decided_by: Some(by.clone()),
                decided: Some(at),
                ..known
            }))
        })
    }

    /// The tool of an approved proposal is about to run; answered when that is on the disk for good. None if it ran before
    /// or is not known any more: then it must not run.
    pub fn mark_proposal_running(&self, id: ProposalId) -> StoreReply<Option<ApprovalRequest>> {
        self.write_as(JobKind::Journal, move |db| {
            let is_due = |known: &ApprovalRequest| known.state == ApprovalState::Approved;
            change_state(db, id, is_due, ApprovalState::Running)
        })
    }

    /// An approved proposal was carried out, or could not be, and this is what a tool answered; none if it was settled
    /// before or is not known any more.
    pub fn settle_proposal(
        &self,
        id: ProposalId,
        state: ApprovalState,
        answered: String,
    ) -> StoreReply<Option<ApprovalRequest>> {
        self.write(move |db| {
            let is_under_way = |known: &ApprovalRequest| {
                matches!(
                    known.state,
                    ApprovalState::Approved | ApprovalState::Running
                )
            };
            let Some(known) = change_state(db, id, is_under_way, state)? else {
                return Ok(None);
            };
            let (channel, made) = (known.wanted.channel(), known.made);
            let is_erased = db.may_hold_leaver(channel, made)
                || db.recent_erasures.is_repeated_in(channel, &answered);
            let tool_answer = if is_erased {
                String::new()
            } else {
                answered.clone()
            };
            let answer = row! { answered: tool_answer };
            db.conn.update_rows("proposals", row! { id }, answer)?;
            Ok(Some(ApprovalRequest {
                tool_answer,
                ..known
            }))
        })
    }

    /// Those whose time is over by now wait no longer: answers with them, once.
    pub fn expire_proposals(&self, now: Millis) -> StoreReply<Vec<ApprovalRequest>> {
        self.write(move |db| {
            let mut expired = find_waiting(&db.conn)?;
            expired.retain(|known| known.expires <= now);
            for proposal in &mut expired {
                set_state(db, proposal.id, ApprovalState::Expired)?;
                proposal.state = ApprovalState::Expired;
            }
            Ok(expired)
        })
    }

    /// What waits, and what is approved and not settled, oldest first: to be looked after at the start.
    pub fn find_open_proposals(&self) -> StoreReply<Vec<ApprovalRequest>> {
        self.read(find_open)
    }

    pub fn find_proposal(&self, id: ProposalId) -> StoreReply<Option<ApprovalRequest>> {
        self.read(move |conn| find_by_id(conn, id))
    }

    pub fn count_waiting_proposals(&self, guild: GuildId) -> StoreReply<u64> {
        self.read(move |conn| {
            let waiting = find_waiting(conn)?.into_iter();
            Ok(waiting
                .filter(|known| known.wanted.guild() == guild)
                .count() as u64)
        })
    }

    /// What waits for a decision in a channel, oldest first.
    pub fn find_waiting_proposals(&self, channel: ChannelId) -> StoreReply<Vec<ApprovalRequest>> {
        self.read(move |conn| {
            let mut waiting = find_waiting(conn)?;
            waiting.retain(|known| known.wanted.channel() == channel);
            Ok(waiting)
        })
    }

    /// A card that asks for a decision was posted in a log channel: like other entries it is deleted when it expires or
    /// quotes what is erased. None if what it asks for is not known any more, and it is to be deleted at once.
    pub fn save_proposal_card(
        &self,
        id: ProposalId,
        (log, message): (ChannelId, MessageId),
        at: Millis,
    ) -> StoreReply<Option<ApprovalRequest>> {
        self.write(move |db| {
            let Some(known) = find_by_id(&db.conn, id)? else {
                return Ok(None);
            };
            db.conn
                .update_rows("proposals", row! { id }, row! { log, message })?;
            let turns = [known.source_call.0];
            let is_due = log_messages::record_posted_message(db, (log, message), &turns, at)?;
            Ok((!is_due).then_some(ApprovalRequest {
                log_message: Some((log, message)),
                ..known
            }))
        })
    }

    /// What was decided on in a channel and not told to the companion yet, oldest first.
    pub fn find_unreported_proposals(
        &self,
        channel: ChannelId,
    ) -> StoreReply<Vec<ApprovalRequest>> {
        self.read(move |conn| {
            let find = format!(
                "SELECT {COLUMNS} FROM proposals WHERE channel = ?1 AND reported = 0 AND is_open = 0 ORDER BY id"
            );
            conn.read_all(&find, params![channel])
        })
    }

    /// The companion was told of all that was decided on in a channel.
    pub fn mark_proposals_reported(&self, channel: ChannelId) -> StoreReply<()> {
        self.write(move |db| {
            let tell = "UPDATE proposals SET reported = 1 WHERE channel = ?1 AND reported = 0 AND is_open = 0";
            db.conn.execute(tell, params![channel]).map(drop)
        })
    }
}

fn insert_proposal(
    db: &mut Database,
    proposal: &ApprovalRequest,
) -> SqlResult<Result<ApprovalRequest, DenialReason>> {
    let ApprovalRequest {
        source_call: asked,
        wanted,
        made,
        expires,
        state,
        ..
    } = proposal;
    let channel = wanted.channel();
    if db.leaving_people.iter().any(|person| {
        person.can_be_in(channel, *made) || person.is_leaving() && wanted.is_related_to(person.user)
    }) {
        return Ok(Err(DenialReason::Forgotten));
    }
    let waiting = find_open(&db.conn)?;
    let here = waiting
        .iter()
        .filter(|known| known.wanted.guild() == wanted.guild());
    if here.clone().any(|known| known.wanted.is_like(wanted)) {
        return Ok(Err(DenialReason::Waiting));
    }
    if here.count() >= MOST_WAITING {
        return Ok(Err(DenialReason::TooMany));
    }
    let mut wanted = wanted.clone();
    for gone in db.recent_erasures.find_in_channel(channel) {
        match &mut wanted {
            ApprovalSubject::Deed(action) if gone.is_repeated_in(&action.reason) => {
                action.reason.clear()
            }
            ApprovalSubject::Call(proposed)
                if proposed
                    .texts()
                    .iter()
                    .any(|text| gone.is_repeated_in(text)) =>
            {
                return Ok(Err(DenialReason::Forgotten));
            }
            ApprovalSubject::Deed(_) | ApprovalSubject::Call(_) => {}
        }
    }
    // The time, so that a button of an older database never means something else.
    let newest = "SELECT max(id) FROM proposals";
    let newest: Option<i64> = db.conn.read_one(newest, params![])?;
    let last = u64::try_from((*made - 1).max(newest.unwrap_or(0))).unwrap_or(0);
    let id = ProposalId(db.conn.partition().next_number(last));
    let is_told = *state == ApprovalState::Approved;
    let decided = is_told.then_some(made);
    let (turn, call) = asked;
    let new = row! {
        id, turn, call, channel, subject: JsonColumn(&wanted), made, expires, state: JsonColumn(state), is_open: true,
        decided, answered: "", reported: is_told,
    };
    db.conn.insert_row("proposals", new)?;
    Ok(Ok(ApprovalRequest {
        id,
        wanted,
        decided: decided.copied(),
        ..proposal.clone()
    }))
}

fn find_by_id(conn: &SqlConnection, id: ProposalId) -> SqlResult<Option<ApprovalRequest>> {
    let find = format!("SELECT {COLUMNS} FROM proposals WHERE id = ?1");
    conn.read_first(&find, params![id])
}

/// Where it is in a state to do so; answers with it as it is then.
fn change_state(
    db: &Database,
    id: ProposalId,
    is_due: impl Fn(&ApprovalRequest) -> bool,
    state: ApprovalState,
) -> SqlResult<Option<ApprovalRequest>> {
    let Some(known) = find_by_id(&db.conn, id)?.filter(is_due) else {
        return Ok(None);
    };
    set_state(db, id, state)?;
    Ok(Some(ApprovalRequest { state, ..known }))
}

fn find_waiting(conn: &SqlConnection) -> SqlResult<Vec<ApprovalRequest>> {
    let mut open = find_open(conn)?;
    open.retain(|known| known.state == ApprovalState::Waiting);
    Ok(open)
}

fn find_open(conn: &SqlConnection) -> SqlResult<Vec<ApprovalRequest>> {
    let find = format!("SELECT {COLUMNS} FROM proposals WHERE is_open = 1 ORDER BY id");
    conn.read_all(&find, params![])
}

fn set_state(db: &Database, id: ProposalId, state: ApprovalState) -> SqlResult<()> {
    let now = row! { state: JsonColumn(state), is_open: !state.is_settled() };
    db.conn.update_rows("proposals", row! { id }, now)
}

from_row! { ApprovalRequest {
    id, source_call, wanted: json, made, expires, state: json, decided_by, decided, tool_answer, log_message
} }

fn find_since(conn: &SqlConnection, made: Millis) -> SqlResult<Vec<ApprovalRequest>> {
    let find = format!("SELECT {COLUMNS} FROM proposals WHERE made >= ?1 ORDER BY id");
    conn.read_all(&find, params![made])
}

/// Those about somebody, asked for or decided by them.
pub(super) fn find_for_person(
    conn: &SqlConnection,
    target: &ForgetTarget,
) -> SqlResult<Vec<ApprovalRequest>> {
    let mut all = find_since(conn, Millis::MIN)?;
    all.retain(|known| {
        let decider = known.decided_by.as_ref().map(|(by, _)| *by);
        target.covers(known.wanted.channel())
            && (known.wanted.is_related_to(target.user) || decider == Some(target.user))
    });
    Ok(all)
}

fn mark_card_due(db: &Database, proposal: &ApprovalRequest) -> SqlResult<()> {
    proposal
        .log_message
        .map_or(Ok(()), |card| log_messages::mark_message_due(db, card))
}

fn drop_proposal(db: &Database, proposal: &ApprovalRequest) -> SqlResult<()> {
    mark_card_due(db, proposal)?;
    db.conn
        .delete_rows("proposals", row! { id: proposal.id })
        .map(drop)
}

fn update_subject(db: &Database, id: ProposalId, wanted: &ApprovalSubject) -> SqlResult<()> {
    let subject = row! { subject: JsonColumn(wanted) };
    db.conn.update_rows("proposals", row! { id }, subject)
}

/// Whether a call that was asked for, or what came of it, tells of something. Without that it would be another call, so
/// it goes whole.
fn is_about(proposed: &ProposedCall, answered: &str, is_match: impl Fn(&str) -> bool) -> bool {
    is_match(answered) || proposed.texts().iter().any(|text| is_match(text))
}

/// Takes an erased text out of the reasons that were given after it was written, and calls that quote it away.
pub(super) fn remove_text(db: &Database, gone: &ErasedText, written: Millis) -> SqlResult<()> {
    for mut proposal in find_since(&db.conn, written)? {
        match &mut proposal.wanted {
            ApprovalSubject::Deed(action) if gone.is_repeated_in(&action.reason) => {
                action.reason.clear();
                mark_card_due(db, &proposal)?;
                update_subject(db, proposal.id, &proposal.wanted)?;
            }
            ApprovalSubject::Call(proposed)
                if is_about(proposed, &proposal.tool_answer, |text| {
                    gone.is_repeated_in(text)
                }) =>
            {
                drop_proposal(db, &proposal)?;
            }
            ApprovalSubject::Deed(_) | ApprovalSubject::Call(_) => {}
        }
    }
    Ok(())
}

/// Somebody is forgotten: what was proposed about them, or asked for by them, goes, with its card, and what they decided
/// on names nobody.
pub(super) fn forget_person(
    db: &Database,
    target: &ForgetTarget,
    trace: &IdentityMatcher,
) -> SqlResult<()> {
    let all = find_since(&db.conn, Millis::MIN)?.into_iter();
    for mut proposal in all.filter(|proposal| target.covers(proposal.wanted.channel())) {
        let is_told_of = |proposed: &ProposedCall| {
            is_about(proposed, &proposal.tool_answer, |text| {
                trace.redact(text).is_some()
            })
        };
        let is_call =
            matches!(&proposal.wanted, ApprovalSubject::Call(proposed) if is_told_of(proposed));
        if is_call || proposal.wanted.is_related_to(target.user) {
            drop_proposal(db, &proposal)?;
            continue;
        }
        if proposal
            .decided_by
            .as_ref()
            .is_some_and(|(by, _)| *by == target.user)
        {
            mark_card_due(db, &proposal)?;
            let unname = "UPDATE proposals SET decided_by = NULL, decider = NULL WHERE id = ?1";
            db.conn.execute(unname, params![proposal.id])?;
        }
        if let ApprovalSubject::Deed(action) = &mut proposal.wanted
            && let Some(reason) = trace.redact(&action.reason)
        {
            action.reason = reason;
            mark_card_due(db, &proposal)?;
            update_subject(db, proposal.id, &proposal.wanted)?;
        }
    }
    Ok(())
}

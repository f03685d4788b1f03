//! What waits for a person's decision: decided once, settled once, and gone with whom it names.

use std::collections::BTreeMap;

use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject, MOST_WAITING};
use kith_core::call::ToolCall;
use kith_core::chat::{GuildId, Millis, ProposalId};
use kith_core::moderation::{DenialReason, ModerationAction, ModerationKind};
use kith_core::proposed_call::ProposedCall;
use kith_store::ApprovalDecision;

use super::*;

const ANNA: UserId = UserId(1);
const BEN: UserId = UserId(1_234_567_890_123_456_789);
const MO: UserId = UserId(1_234_567_890_123_456_780);

fn proposal(turn: u64, user: UserId) -> ApprovalRequest {
    let act = ModerationAction {
        deed: ModerationKind::BanMember,
        guild: GuildId(5),
        channel: TALK,
        user,
        name: "Benedetta".into(),
        message: MessageId(turn),
        minutes: None,
        reason: "sells zirconium pills".into(),
    };
    waiting(turn, ApprovalSubject::Deed(act))
}

fn waiting(turn: u64, wanted: ApprovalSubject) -> ApprovalRequest {
    ApprovalRequest {
        expires: 5_000,
        ..ApprovalRequest::new((TurnId(turn), 1), wanted, 1_000, 1)
    }
}

/// Somebody wants a poll.
pub fn call(turn: u64, by: UserId, question: &str) -> ApprovalRequest {
    let params = serde_json::json!({"question": question, "options": ["yes", "no"]});
    let author = Author {
        id: by,
        name: "Benedetta".into(),
        kind: AuthorKind::Person,
    };
    let proposed = ProposedCall {
        guild: GuildId(5),
        channel: TALK,
        call: ToolCall {
            name: "create_poll".into(),
            params: params.as_object().cloned().expect("an object"),
        },
        preview: String::new(),
        causes: vec![author],
        definition: String::new(),
        lines: BTreeMap::new(),
    };
    waiting(turn, ApprovalSubject::Call(Box::new(proposed)))
}

fn settle(
    store: &Store,
    id: ProposalId,
    state: ApprovalState,
    answered: &str,
) -> Option<ApprovalRequest> {
    store
        .settle_proposal(id, state, answered.into())
        .wait()
        .expect("settled")
}

fn put(store: &Store, proposal: ApprovalRequest) -> ApprovalRequest {
    store
        .put_proposal(proposal)
        .wait()
        .expect("stored")
        .expect("kept")
}

fn decide(store: &Store, id: ProposalId, approves: bool, at: Millis) -> ApprovalDecision {
    store
        .decide_proposal(id, approves, (MO, "Mortimer".into()), at)
        .wait()
        .expect("decided")
}

#[test]
fn of_two_who_decide_at_once_one_decides_and_it_is_settled_once_over_restarts() {
    let (_folder, path) = on_disk();
    let id = {
        let store = open(&path);
        put(&store, proposal(1, BEN)).id
    };
    let store = open(&path);
    let (first, second) = (
        store.decide_proposal(id, true, (MO, "Mo".into()), 2_000),
        decide(&store, id, false, 2_000),
    );
    let ApprovalDecision::Decided(approved) = first.wait().expect("decided") else {
        panic!("it was first")
    };
    assert_eq!(
        (approved.state, approved.decided),
        (ApprovalState::Approved, Some(2_000))
    );
    assert!(
        matches!(second, ApprovalDecision::AlreadyDecided(known) if known.state == ApprovalState::Approved)
    );
    drop(store);
    let store = open(&path);
    assert_eq!(
        store.find_open_proposals().wait().expect("read"),
        [approved]
    );
    assert_eq!(
        settle(&store, id, ApprovalState::Done, "").map(|done| done.state),
        Some(ApprovalState::Done)
    );
    assert_eq!(
        settle(&store, id, ApprovalState::Failed(DenialReason::TooLate), ""),
        None
    );
    assert_eq!(store.find_open_proposals().wait(), Ok(vec![]));
    let untold = store.find_unreported_proposals(TALK).wait().expect("read");
    assert_eq!(
        untold.iter().map(|known| known.id).collect::<Vec<_>>(),
        [id]
    );
    store.mark_proposals_reported(TALK).wait().expect("told");
    assert_eq!(store.find_unreported_proposals(TALK).wait(), Ok(vec![]));
}

#[test]
fn what_expired_is_not_approved_and_expires_once() {
    let store = memory();
    let id = put(&store, proposal(1, BEN)).id;
    assert_eq!(store.expire_proposals(4_999).wait(), Ok(vec![]));
    assert!(matches!(
        decide(&store, id, true, 5_000),
        ApprovalDecision::AlreadyDecided(_)
    ));
    let expired = store.expire_proposals(5_000).wait().expect("expired");
    assert_eq!(
        expired.iter().map(|known| known.state).collect::<Vec<_>>(),
        [ApprovalState::Expired]
    );
    assert_eq!(store.expire_proposals(9_000).wait(), Ok(vec![]));
    assert_eq!(
        decide(&store, ProposalId(4), true, 2_000),
        ApprovalDecision::Unknown
    );
}

#[test]
fn the_same_is_proposed_once_and_no_guild_is_flooded() {
    let store = memory();
    let first = put(&store, proposal(1, BEN)).id;
    let again = store.put_proposal(proposal(2, BEN)).wait();
    assert_eq!(again, Ok(Err(DenialReason::Waiting)));
    for number in 1..MOST_WAITING as u64 {
        assert!(
            put(&store, proposal(10 + number, UserId(number))).id > first,
            "ids are never given twice"
        );
    }
    assert_eq!(
        store.put_proposal(proposal(90, UserId(90))).wait(),
        Ok(Err(DenialReason::TooMany))
    );
    decide(&store, first, false, 2_000);
    put(&store, proposal(91, BEN));
    assert_eq!(
        store.count_waiting_proposals(GuildId(5)).wait(),
        Ok(MOST_WAITING as u64)
    );
}

#[test]
fn who_is_forgotten_goes_with_what_was_proposed_about_them_and_its_card() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, vec![said(TALK, 1, "hello")]);
    let about_ben = put(&store, proposal(1, BEN)).id;
    let about_anna = put(&store, proposal(2, ANNA)).id;
    let cards = [(about_ben, MessageId(801)), (about_anna, MessageId(802))];
    for (id, message) in cards {
        assert!(
            store
                .save_proposal_card(id, (OTHER, message), 1_500)
                .wait()
                .expect("stored")
                .is_some()
        );
    }
    decide(&store, about_anna, false, 2_000);
    store
        .forget_person(BEN, None, 3_000)
        .wait()
        .expect("forgotten");
    assert_eq!(store.find_proposal(about_ben).wait(), Ok(None));
    assert_eq!(
        store.find_expired_log_messages(0).wait(),
        Ok(vec![(OTHER, MessageId(801))]),
        "its card is due"
    );
    assert_eq!(
        store
            .save_proposal_card(about_ben, (OTHER, MessageId(803)), 3_000)
            .wait(),
        Ok(None),
        "a late card as well"
    );
    store
        .forget_person(MO, None, 4_000)
        .wait()
        .expect("forgotten");
    let left = store
        .find_proposal(about_anna)
        .wait()
        .expect("read")
        .expect("it is about somebody else");
    assert_eq!((left.decided_by, left.decided), (None, Some(2_000)));
    let due = store.find_expired_log_messages(0).wait().expect("read");
    assert!(
        due.contains(&(OTHER, MessageId(802))),
        "the card that names who decided: {due:?}"
    );
    drop(store);
    for id in [BEN, MO] {
        assert!(
            files_holding(&path, &id.0.to_be_bytes()).is_empty()
                && files_with(&path, &id.to_string()).is_empty()
        );
    }
    assert!(files_with(&path, "Mortimer").is_empty());
}

#[test]
fn a_reason_that_quotes_what_is_erased_goes_with_it() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, vec![said(TALK, 1, "zirconium pills for all")]);
    let id = put(
        &store,
        ApprovalRequest {
            made: 2_000_000,
            ..proposal(1, BEN)
        },
    )
    .id;
    store
        .save_proposal_card(id, (OTHER, MessageId(801)), 2_000_000)
        .wait()
        .expect("stored");
    store_all(
        &store,
        vec![ChatEvent::Delete {
            channel: TALK,
            ids: vec![MessageId(1)],
            at: 2_100_000,
        }],
    );
    let known = store
        .find_proposal(id)
        .wait()
        .expect("read")
        .expect("there");
    let ApprovalSubject::Deed(act) = &known.wanted else {
        panic!("{known:?}")
    };
    assert_eq!(
        (act.reason.as_str(), known.state),
        ("", ApprovalState::Waiting)
    );
    assert_eq!(
        store.find_expired_log_messages(0).wait(),
        Ok(vec![(OTHER, MessageId(801))])
    );
}

#[test]
fn an_export_tells_what_was_wanted_done_about_somebody_and_what_they_decided() {
    let store = memory();
    let id = put(&store, proposal(1, BEN)).id;
    decide(&store, id, false, 2_000);
    let exported =
        |user| store.export_person(user, None).wait().expect("exported")["moderation"].to_string();
    assert!(
        exported(BEN).contains("zirconium") && exported(BEN).contains("denied"),
        "{}",
        exported(BEN)
    );
    assert!(
        exported(MO).contains("ban_member") && !exported(MO).contains("zirconium"),
        "{}",
        exported(MO)
    );
    assert_eq!(exported(ANNA), "[]");
}

#[test]
fn what_is_approved_is_what_was_asked_for_runs_once_and_its_answer_is_kept() {
    let (_folder, path) = on_disk();
    let asked = call(1, ANNA, "tea?");
    let id = put(&open(&path), asked.clone()).id;
    let store = open(&path);
    assert_eq!(
        store
            .find_waiting_proposals(TALK)
            .wait()
            .expect("read")
            .len(),
        1
    );
    assert_eq!(
        store.mark_proposal_running(id).wait(),
        Ok(None),
        "nobody approved it"
    );
    let ApprovalDecision::Decided(approved) = decide(&store, id, true, 2_000) else {
        panic!("it waits")
    };
    assert_eq!(approved.wanted, asked.wanted);
    let running = store
        .mark_proposal_running(id)
        .wait()
        .expect("stored")
        .expect("approved");
    assert_eq!(
        (running.state, &running.wanted),
        (ApprovalState::Running, &asked.wanted)
    );
    assert_eq!(store.mark_proposal_running(id).wait(), Ok(None), "once");
    drop(store);
    let store = open(&path);
    assert_eq!(store.find_open_proposals().wait().expect("read"), [running]);
    assert_eq!(
        settle(&store, id, ApprovalState::Done, "posted").map(|done| done.tool_answer),
        Some("posted".into())
    );
    let untold = store.find_unreported_proposals(TALK).wait().expect("read");
    assert_eq!(
        untold
            .iter()
            .map(|known| known.tool_answer.as_str())
            .collect::<Vec<_>>(),
        ["posted"]
    );
}

#[test]
fn the_same_call_waits_once_and_another_beside_it() {
    let store = memory();
    put(&store, call(1, ANNA, "tea?"));
    assert_eq!(
        store.put_proposal(call(2, BEN, "tea?")).wait(),
        Ok(Err(DenialReason::Waiting))
    );
    put(&store, call(3, ANNA, "coffee?"));
    assert_eq!(store.count_waiting_proposals(GuildId(5)).wait(), Ok(2));
}

#[test]
fn a_call_goes_with_who_asked_for_it_and_with_what_it_quotes_for_cut_it_would_be_another() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, vec![said(TALK, 1, "zirconium pills for all")]);
    let of_ben = put(&store, call(1, BEN, "tea?")).id;
    let quotes = put(
        &store,
        ApprovalRequest {
            made: 2_000_000,
            expires: 3_000_000,
            ..call(2, ANNA, "Zirconium?")
        },
    )
    .id;
    let other = put(
        &store,
        ApprovalRequest {
            made: 2_000_000,
            expires: 3_000_000,
            ..call(3, ANNA, "coffee?")
        },
    )
    .id;
    for (id, message) in [(of_ben, MessageId(801)), (quotes, MessageId(802))] {
        store
            .save_proposal_card(id, (OTHER, message), 2_000_000)
            .wait()
            .expect("stored");
    }
    decide(&store, other, true, 2_000_100);
    store_all(
        &store,
        vec![ChatEvent::Delete {
            channel: TALK,
            ids: vec![MessageId(1)],
            at: 2_100_000,
        }],
    );
    assert_eq!(store.find_proposal(quotes).wait(), Ok(None));
    assert_eq!(
        store.find_expired_log_messages(0).wait(),
        Ok(vec![(OTHER, MessageId(802))])
    );
    let late = store
        .put_proposal(ApprovalRequest {
            made: 2_100_001,
            ..call(4, ANNA, "zirconium again?")
        })
        .wait();
    assert_eq!(
        late,
        Ok(Err(DenialReason::Forgotten)),
        "a turn that still ran knows it"
    );
    let done = settle(&store, other, ApprovalState::Done, "zirconium was chosen");
    assert_eq!(done.map(|done| done.tool_answer), Some(String::new()));
    store
        .forget_person(BEN, None, 2_200_000)
        .wait()
        .expect("forgotten");
    assert_eq!(store.find_proposal(of_ben).wait(), Ok(None));
    assert!(
        store
            .find_expired_log_messages(0)
            .wait()
            .expect("read")
            .contains(&(OTHER, MessageId(801)))
    );
    drop(store);
    assert!(
        files_with(&path, "irconium").is_empty() && files_with(&path, &BEN.to_string()).is_empty()
    );
}

#[test]
fn an_export_tells_what_somebody_asked_for_and_not_what_others_did() {
    let store = memory();
    let id = put(&store, call(1, BEN, "tea?")).id;
    decide(&store, id, true, 2_000);
    let exported =
        |user| store.export_person(user, None).wait().expect("exported")["calls"].to_string();
    assert!(exported(BEN).contains("tea?"), "{}", exported(BEN));
    assert!(
        exported(MO).contains("create_poll") && !exported(MO).contains("tea?"),
        "{}",
        exported(MO)
    );
    assert_eq!(exported(ANNA), "[]");
}

#[test]
fn a_channel_is_erased_with_the_calls_that_wait_there_and_deeds_that_wait_stay_whatever_they_say() {
    let store = memory();
    put(&store, call(1, ANNA, "to\0night?"));
    let deed = put(&store, proposal(2, BEN));
    let erased = store.erase_places(vec![TALK], None, 9);
    erased.wait().expect("erased");
    let left = store.find_open_proposals().wait().expect("read");
    let left: Vec<_> = left.into_iter().map(|left| left.id).collect();
    assert_eq!(left, [deed.id]);
}

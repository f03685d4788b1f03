//! A decision that is made in a page: what waits as pages show it, and carrying out what somebody clicked.

use tokio::sync::mpsc;

use super::event::ApprovalNews;
use crate::daemon::loop_message::LoopMessage;
use crate::daemon::reply::{refuse_bad_request, refuse_missing, to_request_refusal};
use kith_commands::{ApprovalRefusal, ApprovalVerdict, Decider, decide};
use kith_core::approval::{ApprovalRequest, ApprovalSubject};
use kith_core::call::ToolCall;
use kith_core::chat::ProposalId;
use kith_core::persona::Language;
use kith_core::proposed_call::ProposedCall;
use kith_language::{approvals, room_refusals};
use kith_room::{PendingAction, RequestRefusal, localize};
use kith_store::Store;
use kith_system::clock;

pub(in crate::daemon) async fn decide_in_page(
    store: &Store,
    loop_sender: &mpsc::Sender<LoopMessage>,
    decider: &Decider,
    id: ProposalId,
    approves: bool,
) -> Result<(), RequestRefusal> {
    let decided = decide(store, decider, id, approves, clock::now()).await;
    match decided.map_err(to_request_refusal)? {
        ApprovalVerdict::Decided(proposal) => {
            let news = ApprovalNews::Decided(*proposal);
            let _ = loop_sender
                .send(LoopMessage::Approval(Box::new(news)))
                .await;
            Ok(())
        }
        ApprovalVerdict::AlreadyDecided(_) => {
            Err(refuse_bad_request(room_refusals::already_decided()))
        }
        ApprovalVerdict::Refused(ApprovalRefusal::CannotNow(reason)) => {
            let say = |language: Language| {
                approvals::cannot_be_done_now(reason.describe(language)).in_language(language)
            };
            Err(RequestRefusal {
                told: localize(say),
                ..RequestRefusal::bad_request(say(Language::EN))
            })
        }
        ApprovalVerdict::Unknown | ApprovalVerdict::Refused(_) => {
            Err(refuse_missing(room_refusals::nothing_pending()))
        }
    }
}

/// As a page shows it, what is no call in the words of a language.
pub(in crate::daemon) fn to_pending_action(
    proposal: ApprovalRequest,
    language: Language,
) -> PendingAction {
    let ApprovalRequest {
        id,
        source_call: (turn, _),
        wanted,
        made,
        expires,
        ..
    } = proposal;
    let shown = PendingAction {
        id,
        channel: wanted.channel(),
        turn,
        tool: wanted.name().to_owned(),
        preview: String::new(),
        params: Default::default(),
        message: None,
        causes: Vec::new(),
        made,
        expires,
    };
    match wanted {
        ApprovalSubject::Call(proposed) => {
            let message = proposed.line().map(|(message, _)| message);
            let ProposedCall {
                call: ToolCall { params, .. },
                preview,
                causes,
                ..
            } = *proposed;
            PendingAction {
                preview,
                params,
                message,
                causes,
                ..shown
            }
        }
        ApprovalSubject::Deed(action) => PendingAction {
            preview: ApprovalSubject::Deed(action.clone()).describe(language),
            params: [("reason".to_owned(), action.reason.into())]
                .into_iter()
                .collect(),
            message: Some(action.message),
            ..shown
        },
    }
}

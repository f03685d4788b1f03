//! Approve and deny: who may decide, and that it is decided once.

use kith_commands::DenialStatus;
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::call::ToolCall;
use kith_core::chat::ProposalId;
use kith_core::moderation::{DenialReason, ModerationAction, ModerationKind};
use kith_core::proposed_call::ProposedCall;
use kith_observe::embed::{
    EmbedAudience, QuotePolicy, RenderContext, render_denial, render_proposal,
};

use super::*;

fn proposal(deed: ModerationKind) -> ApprovalRequest {
    let minutes = (deed == ModerationKind::TimeoutMember).then_some(90);
    let (name, reason) = ("Ben".to_owned(), "sells pills".to_owned());
    let act = ModerationAction {
        deed,
        guild: GUILD,
        channel: TALK,
        user: BEN,
        name,
        message: MessageId(1),
        minutes,
        reason,
    };
    waiting(ApprovalSubject::Deed(act))
}

fn waiting(wanted: ApprovalSubject) -> ApprovalRequest {
    ApprovalRequest {
        id: ProposalId(7),
        ..ApprovalRequest::new((TurnId(3), 1), wanted, NOW, 60)
    }
}

/// Anna and Ben want a poll.
fn call() -> ApprovalRequest {
    let author = |id, name: &str| Author {
        id,
        name: name.into(),
        kind: AuthorKind::Person,
    };
    let params = serde_json::json!({"question": "tea?", "options": ["yes", "no\n- maybe"]});
    waiting(ApprovalSubject::Call(Box::new(ProposedCall {
        guild: GUILD,
        channel: TALK,
        call: ToolCall {
            name: "create_poll".into(),
            params: params.as_object().cloned().unwrap(),
        },
        preview: "a poll with 2 answers".into(),
        causes: vec![author(ANNA, "Anna"), author(BEN, "Ben")],
        definition: String::new(),
        lines: Default::default(),
    })))
}

fn proposed(command_test: &CommandTest) -> ProposalId {
    command_test
        .store
        .put_proposal(proposal(ModerationKind::BanMember))
        .wait()
        .unwrap()
        .unwrap()
        .id
}

/// The facts of a channel where the caller and the companion are hindered so.
fn hindered(theirs: Option<DenialReason>, mine: Option<DenialReason>) -> DaemonFacts {
    DaemonFacts {
        denial_status: Some(DenialStatus {
            companion_denial: mine,
            caller_denial: theirs,
        }),
        ..facts(TALK)
    }
}

#[test]
fn who_could_do_it_by_hand_decides_and_nobody_else_does() {
    let cannot = Some(DenialReason::NoPermission(ModerationKind::BanMember));
    for (who, place, theirs, approves, may) in [
        (CallerRole::Member, LOG, None, true, true),
        (CallerRole::Member, LOG, cannot, true, false),
        (CallerRole::Member, LOG, cannot, false, false),
        (CallerRole::Moderator, LOG, cannot, true, false),
        (CallerRole::Moderator, LOG, cannot, false, true),
        (CallerRole::Member, FAR, None, true, false),
        (CallerRole::Host, FAR, cannot, true, true),
    ] {
        let command_test = command_test();
        let id = proposed(&command_test);
        let (answer, changes) = command_test.ask_with(
            &caller(who, place),
            CommandRequest::Decide(id, approves),
            hindered(theirs, None),
        );
        assert_eq!(
            !is_refused(&answer),
            may,
            "{who:?} in {place} {theirs:?} {approves}: {answer:?}"
        );
        let wanted = if approves {
            ApprovalState::Approved
        } else {
            ApprovalState::Denied
        };
        let decided = |change: &DaemonChange| matches!(change, DaemonChange::ApplyDecision(known) if known.state == wanted);
        assert_eq!(changes.iter().any(decided), may, "{changes:?}");
    }
}

#[test]
fn it_is_decided_once_and_what_cannot_be_done_now_stays_open() {
    let command_test = command_test();
    let id = proposed(&command_test);
    let ask = |approves, mine| {
        command_test.ask_with(
            &caller(CallerRole::Moderator, LOG),
            CommandRequest::Decide(id, approves),
            hindered(None, mine),
        )
    };
    let (answer, changes) = ask(true, Some(DenialReason::NotAbove));
    assert!(
        is_refused(&answer) && changes.is_empty() && shown(&answer).contains("role is not below"),
        "{answer:?}"
    );
    let (answer, _) = ask(true, None);
    assert!(
        shown(&answer).starts_with("Approved: Ban Ben"),
        "{answer:?}"
    );
    for approves in [true, false] {
        let (answer, changes) = ask(approves, None);
        assert!(
            is_refused(&answer) && matches!(changes[..], [DaemonChange::ShowDecision(_)]),
            "{answer:?} {changes:?}"
        );
    }
    let unknown = CommandRequest::Decide(ProposalId(4), true);
    let (answer, changes) = command_test.ask_with(
        &caller(CallerRole::Host, LOG),
        unknown,
        hindered(None, None),
    );
    assert!(is_refused(&answer) && changes.is_empty(), "{answer:?}");
}

#[test]
fn where_nothing_could_be_found_out_nobody_decides() {
    let command_test = command_test();
    let id = proposed(&command_test);
    let (answer, changes) = command_test.ask_with(
        &caller(CallerRole::Member, LOG),
        CommandRequest::Decide(id, true),
        facts(TALK),
    );
    assert!(is_refused(&answer) && changes.is_empty(), "{answer:?}");
}

#[test]
fn what_waits_for_a_click_is_in_the_status_of_those_who_look_after_the_place() {
    let command_test = command_test();
    proposed(&command_test);
    let status = |who| {
        shown(
            &command_test
                .ask_with(&caller(who, TALK), CommandRequest::Status, facts(TALK))
                .0,
        )
    };
    assert!(
        status(CallerRole::Moderator).contains("Waits for a click: 1"),
        "{}",
        status(CallerRole::Moderator)
    );
    assert!(!status(CallerRole::Member).contains("click"));
}

#[test]
fn what_is_asked_and_decided_reads_well_in_both_languages() {
    let talk = channel(TALK);
    let states = [
        ApprovalState::Waiting,
        ApprovalState::Approved,
        ApprovalState::Done,
        ApprovalState::Denied,
        ApprovalState::Expired,
        ApprovalState::Failed(DenialReason::NoPermission(ModerationKind::BanMember)),
    ];
    let mut out = Vec::new();
    for language in Language::ALL {
        let telling = RenderContext {
            channel: &talk,
            guild: None,
            readers: EmbedAudience::Guild,
            quote: QuotePolicy::Hidden,
            language,
        };
        for (state, deed) in states
            .into_iter()
            .zip(ModerationKind::ALL.into_iter().cycle())
        {
            let decided_by = state.is_settled().then(|| (ANNA, "Mo".to_owned()));
            let proposal = ApprovalRequest {
                state,
                decided_by,
                ..proposal(deed)
            };
            out.push(format!(
                "{}\n> {}",
                written(&render_proposal(&proposal, &telling)),
                proposal.describe_outcome(language)
            ));
        }
        for state in [
            ApprovalState::Waiting,
            ApprovalState::Done,
            ApprovalState::Failed(DenialReason::WentWrong),
            ApprovalState::Denied,
            ApprovalState::Expired,
        ] {
            let decided_by = state.is_settled().then(|| (ANNA, "Mo".to_owned()));
            let has_run = matches!(state, ApprovalState::Done | ApprovalState::Failed(_));
            let answered = if has_run {
                "it said: 3".to_owned()
            } else {
                String::new()
            };
            let proposal = ApprovalRequest {
                state,
                decided_by,
                tool_answer: answered,
                ..call()
            };
            out.push(format!(
                "{}\n> {}",
                written(&render_proposal(&proposal, &telling)),
                proposal.describe_outcome(language)
            ));
        }
        let ApprovalSubject::Deed(kick) = proposal(ModerationKind::KickMember).wanted else {
            panic!()
        };
        let refused = render_denial(&kick, DenialReason::NoAuthority, &telling);
        assert!(!written(&refused).contains("Ben") && !written(&refused).contains("pills"));
        out.push(written(&refused));
    }
    insta::assert_snapshot!("proposals", out.join("\n\n"));
}

#[test]
fn a_call_is_decided_on_by_a_moderator_of_its_server_or_the_host_whatever_anybody_could_do_by_hand()
{
    for (who, place, approves, may) in [
        (CallerRole::Member, LOG, true, false),
        (CallerRole::Member, LOG, false, false),
        (CallerRole::Moderator, LOG, true, true),
        (CallerRole::Moderator, LOG, false, true),
        (CallerRole::Moderator, FAR, true, false),
        (CallerRole::Host, FAR, true, true),
    ] {
        let command_test = command_test();
        let id = command_test
            .store
            .put_proposal(call())
            .wait()
            .unwrap()
            .unwrap()
            .id;
        let (answer, changes) = command_test.ask_with(
            &caller(who, place),
            CommandRequest::Decide(id, approves),
            facts(TALK),
        );
        assert_eq!(
            !is_refused(&answer),
            may,
            "{who:?} in {place} {approves}: {answer:?}"
        );
        assert_eq!(
            matches!(changes[..], [DaemonChange::ApplyDecision(_)]),
            may,
            "{changes:?}"
        );
    }
}

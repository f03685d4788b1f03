//! One call of a model: promised before it is made, and counted once, whatever way it ends.

use kith_core::chat::TurnId;
use kith_core::report::ModelFailure;
use kith_model::{BudgetLedger, ModelAnswer, ModelChain};

use super::*;

/// What is promised to a call of [`request`] by [`settings`].
const PROMISED: u64 = 120 + 1_500;

#[tokio::test]
async fn a_call_that_is_dropped_or_given_up_with_its_turn_counts_once_as_all_that_was_promised() {
    let bench = Bench::new().await;
    let hanging = || Reply::events().delta("one").hang();
    let ledger = ample_ledger();
    let of_turn = |turn| ModelCaller {
        turn: Some(TurnId(turn)),
        ..caller(&ledger, ModelFunction::Turn)
    };
    let open = |turn| {
        bench
            .server
            .now("POST /v1/chat/completions", [hanging(), hanging()]);
        of_turn(turn).ask(&bench.model, request()).unwrap()
    };
    let mut dropped = open(1);
    assert_eq!(dropped.next_event().await, ModelEvent::Delta("one".into()));
    assert_eq!(spent(&ledger), 0);
    drop(dropped);
    assert_eq!(spent(&ledger), PROMISED);
    let (ended, goes_on) = (open(2), open(3));
    ledger.abandon_turn(TurnId(2));
    assert_eq!(spent(&ledger), 2 * PROMISED, "at once");
    drop(ended);
    assert_eq!(spent(&ledger), 2 * PROMISED, "and not again");
    ledger.close();
    assert_eq!(spent(&ledger), 3 * PROMISED);
    drop(goes_on);
    let refused = of_turn(4).ask(&bench.model, request()).err().unwrap();
    assert_eq!(refused.message, "kith is stopping");
    assert_eq!(spent(&ledger), 3 * PROMISED);
}

#[tokio::test]
async fn what_ends_is_told_with_what_it_took_and_what_took_nothing_is_not() {
    let bench = Bench::new().await;
    let (ledger, mut changes) = CallLedger::new(BudgetLedger::new(
        BudgetSettings::default(),
        kith_system::clock::now(),
        [],
    ));
    let caller = caller(&ledger, ModelFunction::Judge);
    let refused = Reply::json(400, json!({"error": "bad"}));
    for (reply, tokens) in [(Reply::openai(&["yes"]), Some(127)), (refused, None)] {
        bench.server.now("POST /v1/chat/completions", [reply]);
        let call = caller.ask(&bench.model, request()).unwrap();
        let answer: Result<ModelAnswer, ModelFailure> = call.read_answer().await;
        assert_eq!(answer.is_ok(), tokens.is_some(), "{answer:?}");
        assert_eq!(changes.try_recv().unwrap().settled, None, "the promise");
        let change = changes.try_recv().unwrap();
        let took = |usage: TokenUsage| u64::from(usage.prompt + usage.completion);
        assert_eq!(change.attribution, caller.attribution);
        assert_eq!(change.settled.map(|call| took(call.usage)), tokens);
    }
}

#[tokio::test]
async fn a_call_that_is_hung_up_on_ends_as_if_the_model_had_stopped_and_is_estimated() {
    let bench = Bench::new().await;
    bench.server.now(
        "POST /v1/chat/completions",
        [Reply::events().delta("all is said").hang()],
    );
    let ledger = ample_ledger();
    let mut call = caller(&ledger, ModelFunction::Turn)
        .ask(&bench.model, request())
        .unwrap();
    call.next_event().await;
    call.hang_up().notify_one();
    let ModelEvent::End(Ok(usage)) = call.next_event().await else {
        panic!("no end");
    };
    assert!(
        usage.estimated && usage.prompt == 120 && usage.completion > 0,
        "{usage:?}"
    );
    let took = u64::from(usage.prompt + usage.completion);
    assert_eq!((call.amount().tokens, spent(&ledger)), (took, took));
}

#[tokio::test]
async fn a_shorter_answer_is_promised_less() {
    let bench = Bench::new().await;
    let ledger = ample_ledger();
    let short = ModelRequest {
        max_tokens: Some(8),
        ..request()
    };
    drop(caller(&ledger, ModelFunction::Judge).ask(&bench.model, short));
    assert_eq!(spent(&ledger), 128);
}

#[tokio::test]
async fn what_the_budget_refuses_is_not_asked_of_the_next() {
    let bench = Bench::new().await;
    let ledger = CallLedger::in_memory(BudgetSettings {
        daily_tokens: PROMISED - 1,
        ..BudgetSettings::default()
    });
    let mut chain = ModelChain::new(bench.model.clone(), vec![bench.model.named("m2")]);
    let failure = caller(&ledger, ModelFunction::Turn)
        .ask_in_order(&mut chain, &request(), |_, call: ModelCall| {
            call.read_answer()
        })
        .await
        .unwrap_err();
    assert!(failure.budget, "{failure:?}");
    assert_eq!((chain.failures().len(), bench.server.chats().len()), (0, 0));
}

//! Summing up: the models of the role in their order, each within the budget, and only whole summaries.

use kith_core::report::ModelFailure;
use kith_model::{LONGEST_SUMMARY, ModelRoles, ModelSet, resolve_all, summarize};

use super::*;

fn ledger(summary_tokens: Option<u64>) -> CallLedger {
    CallLedger::in_memory(BudgetSettings {
        summary_tokens,
        ..BudgetSettings::default()
    })
}

/// Has three lines summed up.
async fn summed(models: &[Model], ledger: &CallLedger) -> Result<String, ModelFailure> {
    let caller = caller(ledger, ModelFunction::Summary);
    let text = "1 Anna: tea?\n2 Ben: yes\n3 Anna: at six";
    summarize(&caller, models.to_vec(), "Sum up.", text).await
}

#[tokio::test]
async fn the_next_of_the_role_is_asked_where_one_fails_says_nothing_or_breaks_off() {
    let answers = Bench::new().await;
    for (bad, counts) in [
        (
            Reply::json(503, json!({"error": {"message": "down"}})),
            false,
        ),
        (Reply::openai(&["<think>they want tea"]), true),
        (
            Reply::events()
                .delta("Anna and Ben will have")
                .finish("length")
                .done(),
            true,
        ),
    ] {
        let fails = Bench::new().await;
        fails.server.now("POST /v1/chat/completions", [bad]);
        answers.server.now(
            "POST /v1/chat/completions",
            [Reply::openai(&["<think>hm</think>\nTea at six."])],
        );
        let ledger = ledger(None);
        let models = [fails.model.clone(), answers.model.clone()];
        assert_eq!(summed(&models, &ledger).await.as_deref(), Ok("Tea at six."));
        let spent = spent(&ledger);
        assert_eq!(spent > 127, counts, "each call is settled: {spent}");
        let asked = answers.server.chats().pop().unwrap();
        assert_eq!(asked["messages"][0]["content"], "Sum up.");
        assert_eq!(asked["max_tokens"], LONGEST_SUMMARY);
    }
    assert_eq!(
        summed(&[], &ledger(None)).await.unwrap_err().message,
        "No model sums up: name one in roles.summary."
    );
}

#[tokio::test]
async fn where_all_fail_the_last_failure_is_told() {
    let bench = Bench::new().await;
    bench
        .server
        .now("POST /v1/chat/completions", [Reply::openai(&["<think>hm"])]);
    let ledger = ledger(None);
    let failure = summed(std::slice::from_ref(&bench.model), &ledger).await;
    assert_eq!(
        failure.unwrap_err().message,
        "m1 said nothing when it was to sum up."
    );
    assert!(spent(&ledger) > 0);
}

#[tokio::test]
async fn a_budget_of_its_own_ends_the_asking() {
    let (bench, other) = (Bench::new().await, Bench::new().await);
    let ledger = ledger(Some(100));
    let models = [bench.model.clone(), other.model.clone()];
    let failure = summed(&models, &ledger).await.unwrap_err();
    assert!(
        failure.budget
            && failure
                .message
                .starts_with("The daily budget for summing up of 100 tokens is spent")
    );
    let asked = bench.server.chats().len() + other.server.chats().len();
    assert_eq!((spent(&ledger), asked), (0, 0));
}

#[tokio::test]
async fn the_role_names_who_sums_up_and_without_it_the_chat_does() {
    let server = FakeModel::openai([Reply::openai(&["ok"])]).await;
    let named = |name: &str| ModelSettings {
        name: name.into(),
        ..settings(&server)
    };
    let further = || {
        [
            ("small".to_owned(), named("m2")),
            ("large".to_owned(), named("m3")),
        ]
        .into()
    };
    let names = async |roles: ModelRoles, channel: Option<&str>| -> Vec<String> {
        let chosen = resolve_all(&ModelSet {
            first: settings(&server),
            further: further(),
            roles,
        })
        .await;
        chosen
            .for_summaries(channel)
            .iter()
            .map(|model| model.name().to_owned())
            .collect()
    };
    let role = ModelRoles {
        summary: vec!["large".into(), "small".into()],
        ..ModelRoles::default()
    };
    assert_eq!(names(role, Some("small")).await, ["m3", "m2"]);
    let chat = ModelRoles {
        chat: vec!["small".into()],
        ..ModelRoles::default()
    };
    assert_eq!(names(chat, None).await, ["m1", "m2"]);
    assert_eq!(
        names(ModelRoles::default(), Some("large")).await,
        ["m3"],
        "who answers in the channel, and nobody else"
    );
}

//! Summing up: the models of the role in their order, each within the budget, and only whole summaries.

use kith_core::chat::{ChannelId, HOUR, Millis};
use kith_core::report::ModelFailure;
use kith_model::{
    BudgetLedger, BudgetSettings, CostAttribution, LONGEST_SUMMARY, Model, ModelFunction,
    ModelRoles, ModelSet, Reservation, SummaryOutcome, TokenCost, resolve_all, summarize,
};

use super::*;

const NOON: Millis = 480_012 * HOUR;
const CHARGE: CostAttribution = CostAttribution {
    channel: ChannelId(10),
    person: None,
    function: ModelFunction::Summary,
};

fn budget(summary_tokens: Option<u64>) -> BudgetLedger {
    BudgetLedger::new(
        BudgetSettings {
            summary_tokens,
            ..BudgetSettings::default()
        },
        NOON,
        [],
    )
}

/// Has three lines summed up, and settles what it took.
async fn summed(
    models: &[Model],
    budget: &mut BudgetLedger,
) -> (Result<String, ModelFailure>, Vec<u64>) {
    let reserve = |model: Model, prompt: u32| {
        std::future::ready(budget.reserve(NOON, CHARGE, model.price(), prompt, LONGEST_SUMMARY))
    };
    let SummaryOutcome { text, calls: taken } = summarize(
        models,
        "Sum up.",
        "1 Anna: tea?\n2 Ben: yes\n3 Anna: at six",
        reserve,
    )
    .await;
    let settle = |one: kith_model::SummaryCall<Reservation>| {
        budget.settle(NOON, one.reservation, one.usage).tokens
    };
    (text, taken.into_iter().map(settle).collect())
}

#[tokio::test]
async fn the_next_of_the_role_is_asked_where_one_fails_says_nothing_or_breaks_off() {
    let answers = Bench::new().await;
    for bad in [
        Reply::json(503, json!({"error": {"message": "down"}})),
        Reply::openai(&["<think>they want tea"]),
        Reply::events()
            .delta("Anna and Ben will have")
            .finish("length")
            .done(),
    ] {
        let fails = Bench::new().await;
        fails.server.now("POST /v1/chat/completions", [bad]);
        answers.server.now(
            "POST /v1/chat/completions",
            [Reply::openai(&["<think>hm</think>\nTea at six."])],
        );
        let mut budget = budget(None);
        let models = [fails.model.clone(), answers.model.clone()];
        let (text, taken) = summed(&models, &mut budget).await;
        assert_eq!(text.as_deref(), Ok("Tea at six."));
        assert_eq!(taken.len(), 2, "each call is settled");
        assert_eq!(
            budget.spending_today(NOON).tokens,
            taken.iter().sum::<u64>()
        );
        let asked = answers.server.chats().pop().unwrap();
        assert_eq!(asked["messages"][0]["content"], "Sum up.");
        assert_eq!(asked["max_tokens"], LONGEST_SUMMARY);
    }
    let (text, _) = summed(&[], &mut budget(None)).await;
    assert_eq!(
        text.unwrap_err().message,
        "No model sums up: name one in roles.summary."
    );
}

#[tokio::test]
async fn where_all_fail_the_last_failure_is_told() {
    let bench = Bench::new().await;
    bench
        .server
        .now("POST /v1/chat/completions", [Reply::openai(&["<think>hm"])]);
    let (text, taken) = summed(std::slice::from_ref(&bench.model), &mut budget(None)).await;
    assert_eq!(
        text.unwrap_err().message,
        "m1 said nothing when it was to sum up."
    );
    assert_eq!(taken.len(), 1);
}

#[tokio::test]
async fn a_budget_of_its_own_ends_the_asking() {
    let bench = Bench::new().await;
    let mut budget = budget(Some(100));
    let (text, taken) = summed(std::slice::from_ref(&bench.model), &mut budget).await;
    let failure = text.unwrap_err();
    assert!(
        failure.budget
            && failure
                .message
                .starts_with("The daily budget for summing up of 100 tokens is spent")
    );
    assert_eq!((taken.len(), bench.server.chats().len()), (0, 0));
    assert_eq!(budget.spending_today(NOON), TokenCost::default());
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

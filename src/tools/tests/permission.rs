//! Who may cause a tool to run, where, and how often.

use std::collections::BTreeMap;
use std::future::ready;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kith_core::call::ToolResult;
use kith_core::chat::{Author, AuthorKind, ChannelId, HOUR, ProposalId, UserId};
use kith_core::persona::Language;
use kith_tools::{
    CallerRights, PermittedCallers, ToolContext, ToolHost, ToolPermission, ToolRegistry,
};
use serde_json::json;

use crate::registry::{call, context};

/// Anna has the role Cook, Ben manages the server, Cleo runs the daemon.
struct Guild;

impl ToolHost for Guild {
    fn find_caller_rights<'a>(
        &'a self,
        _: ChannelId,
        person: &'a Author,
    ) -> BoxFuture<'a, CallerRights> {
        let roles = if &*person.name == "Anna" {
            vec!["Cook".into(), "77".into()]
        } else {
            Vec::new()
        };
        let (is_moderator, is_host) = (&*person.name == "Ben", &*person.name == "Cleo");
        ready(CallerRights {
            is_operator: is_host,
            is_moderator,
            roles,
        })
        .boxed()
    }
}

fn author(name: &str) -> Author {
    Author {
        id: UserId(name.len() as u64),
        name: name.into(),
        kind: AuthorKind::Person,
    }
}

fn asked_by(names: &[&str], permission: ToolPermission) -> ToolContext {
    let permissions = Arc::new(BTreeMap::from([("get_time".to_owned(), permission)]));
    let causes = names.iter().map(|name| author(name)).collect();
    ToolContext {
        permissions,
        causes,
        host: Arc::new(Guild),
        ..context(Language::EN)
    }
}

async fn time(context: &ToolContext) -> ToolResult {
    ToolRegistry::load_builtin()
        .run(call("get_time", json!({"zone": "UTC"})), context.clone())
        .await
}

#[tokio::test]
async fn whoever_may_cause_it_and_nobody_else_does() {
    let roles = |name: &str| PermittedCallers::Roles(vec![name.to_owned()]);
    for (caused_by, who, may) in [
        (PermittedCallers::Anyone, vec![], true),
        (PermittedCallers::Anyone, vec!["Dora"], true),
        (roles("Cook"), vec!["Anna"], true),
        (roles("77"), vec!["Anna"], true),
        (roles("Cook"), vec!["Ben"], true),
        (roles("Cook"), vec!["Dora"], false),
        (PermittedCallers::Moderators, vec!["Anna"], false),
        (PermittedCallers::Moderators, vec!["Ben"], true),
        (PermittedCallers::Host, vec!["Ben"], false),
        (PermittedCallers::Host, vec!["Cleo"], true),
        (PermittedCallers::Moderators, vec!["Ben", "Anna"], false),
        (PermittedCallers::Moderators, vec![], false),
    ] {
        let told = format!("{caused_by:?} {who:?}");
        let result = time(&asked_by(
            &who,
            ToolPermission {
                caused_by,
                ..ToolPermission::default()
            },
        ))
        .await;
        assert_eq!(!result.is_error, may, "{told}: {}", result.content);
        assert!(
            may || result.content.starts_with("denied"),
            "{told}: {}",
            result.content
        );
    }
}

#[tokio::test]
async fn no_webhook_or_bot_has_anybodys_authority() {
    let mut context = asked_by(
        &["Ben"],
        ToolPermission {
            caused_by: PermittedCallers::Moderators,
            ..ToolPermission::default()
        },
    );
    context.causes[0].kind = AuthorKind::Webhook;
    assert!(time(&context).await.is_error);
}

#[tokio::test]
async fn it_runs_so_often_an_hour_and_not_in_direct_messages_where_they_are_left_out() {
    let twice = asked_by(
        &["Anna"],
        ToolPermission {
            most_an_hour: Some(2),
            ..ToolPermission::default()
        },
    );
    assert!(!time(&twice).await.is_error);
    assert!(!time(&twice).await.is_error);
    let third = time(&twice).await;
    assert_eq!(
        third.content,
        "denied: get_time runs 2 times an hour here at the most"
    );
    assert!(
        !time(&ToolContext {
            channel: ChannelId(9),
            ..twice.clone()
        })
        .await
        .is_error,
        "another channel"
    );
    assert!(
        !time(&ToolContext {
            now: twice.now + HOUR,
            ..twice.clone()
        })
        .await
        .is_error,
        "an hour later"
    );
    let guilds = asked_by(
        &["Anna"],
        ToolPermission {
            direct_messages: false,
            ..ToolPermission::default()
        },
    );
    assert!(!time(&guilds).await.is_error);
    assert!(
        time(&ToolContext {
            is_direct: true,
            ..guilds
        })
        .await
        .is_error
    );
}

#[tokio::test]
async fn what_has_to_be_approved_does_not_run_before_and_is_counted_when_it_is_asked_for() {
    let permission = ToolPermission {
        approval: true,
        most_an_hour: Some(1),
        ..ToolPermission::default()
    };
    let context = asked_by(&["Anna"], permission);
    let asked = time(&context).await;
    let preview = asked.preview().unwrap().unwrap();
    assert_eq!(preview.params, json!({"zone": "UTC"}).as_object().cloned());
    assert!(asked.is_pending, "{asked:?}");
    assert!(
        time(&context).await.content.starts_with("denied"),
        "two cards an hour are one too many"
    );
    let approved = time(&ToolContext {
        approved: Some(ProposalId(1)),
        ..context.clone()
    })
    .await;
    assert!(!approved.is_pending && !approved.is_error, "{approved:?}");
    let others = ToolContext {
        approved: Some(ProposalId(1)),
        ..asked_by(&[], context.permissions["get_time"].clone())
    };
    assert!(!time(&others).await.is_error);
}

#[tokio::test]
async fn approval_lends_nobody_an_authority_they_have_not() {
    let permission = ToolPermission {
        approval: true,
        caused_by: PermittedCallers::Moderators,
        ..ToolPermission::default()
    };
    let asked = asked_by(&["Anna"], permission);
    assert!(time(&asked).await.is_error);
    assert!(
        time(&ToolContext {
            approved: Some(ProposalId(1)),
            ..asked
        })
        .await
        .is_error,
        "it is looked at again when it runs"
    );
}

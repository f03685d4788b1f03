//! Commands, menus, buttons, and how they are answered.

use serde_json::{Value, json};
use serenity::model::application::{CommandDataOptionValue, Interaction as Asked};
use serenity::model::event::{Event, GatewayEvent};

use crate::client::{Client, INTENTS};
use crate::fake_discord::*;
use crate::rest::{ask, gives};

/// A fake with `/kith pause for:` and the menu `Why?` registered.
async fn registered() -> FakeDiscord {
    let fake = FakeDiscord::start(World::small());
    let pause = json!({
        "name": "pause", "type": 1, "description": "Be quiet for a while",
        "options": [{"name": "for", "type": 3, "description": "How long", "required": true}],
    });
    let commands = json!([
        {"name": "kith", "type": 1, "description": "About me", "options": [pause], "contexts": [0]},
        {"name": "Why?", "type": 3},
    ]);
    let (status, body) = ask(
        &fake,
        "PUT",
        &format!("/applications/{BOT}/commands"),
        commands,
    )
    .await;
    assert_eq!(status, 200, "{body}");
    fake
}

async fn asked(client: &mut Client) -> Asked {
    let frame = client.next().await;
    match serde_json::from_value(frame.clone()) {
        Ok(GatewayEvent::Dispatch(_, Event::InteractionCreate(event))) => event.interaction,
        other => panic!("{other:?} for {frame}"),
    }
}

async fn callback(fake: &FakeDiscord, id: Id, body: Value) -> u16 {
    let token = fake.interaction(id).token;
    ask(
        fake,
        "POST",
        &format!("/interactions/{id}/{token}/callback"),
        body,
    )
    .await
    .0
}

#[tokio::test]
async fn a_slash_command_reaches_serenity_with_options_and_rights_and_is_answered_in_private() {
    let fake = registered().await;
    let (mut client, _) = Client::ready(&fake, INTENTS).await;
    let id = fake.slash(GENERAL, MO, "kith pause", json!({"for": "30m"}));
    let Asked::Command(command) = asked(&mut client).await else {
        panic!("a command")
    };
    let CommandDataOptionValue::SubCommand(options) = &command.data.options[0].value else {
        panic!("a sub-command")
    };
    assert_eq!(
        (options[0].name.as_str(), options[0].value.as_str()),
        ("for", Some("30m"))
    );
    assert!(command.member.unwrap().permissions.unwrap().manage_guild());
    assert_eq!(
        callback(&fake, id, json!({"type": 5, "data": {"flags": 64}})).await,
        204
    );
    assert!(!fake.interaction(id).is_shown());
    assert_eq!(
        callback(&fake, id, json!({"type": 4, "data": {"content": "again"}})).await,
        400
    );
    let original = format!(
        "/webhooks/{BOT}/{}/messages/@original",
        fake.interaction(id).token
    );
    gives(
        &fake,
        "PATCH",
        &original,
        json!({"content": "quiet until three"}),
        200,
    )
    .await;
    assert_eq!(fake.answer(id).await.text, "quiet until three");
    assert!(fake.posts(GENERAL).is_empty());
    let follow_up = format!("/webhooks/{BOT}/{}", fake.interaction(id).token);
    gives(
        &fake,
        "POST",
        &follow_up,
        json!({"content": "and more", "flags": 64}),
        200,
    )
    .await;
    assert_eq!(fake.interaction(id).followups[0].text, "and more");
    gives(&fake, "DELETE", &original, Value::Null, 204).await;
    assert!(fake.interaction(id).answer.is_none());
}

#[tokio::test]
async fn a_menu_carries_its_message_and_an_open_answer_is_a_message_like_others() {
    let fake = registered().await;
    let hi = fake.says(GENERAL, BEN, "hi");
    let (mut client, _) = Client::ready(&fake, INTENTS).await;
    let id = fake.menu(GENERAL, ANNA, "Why?", hi);
    let Asked::Command(command) = asked(&mut client).await else {
        panic!("a menu")
    };
    assert_eq!(
        command
            .data
            .resolved
            .messages
            .values()
            .next()
            .unwrap()
            .content,
        "hi"
    );
    assert!(!command.member.unwrap().permissions.unwrap().manage_guild());
    let button = json!({"type": 2, "style": 2, "label": "More", "custom_id": "more"});
    let data = json!({"content": "because", "components": [{"type": 1, "components": [button]}]});
    assert_eq!(
        callback(&fake, id, json!({"type": 4, "data": data})).await,
        204
    );
    client.event("MESSAGE_CREATE").await;
    let answer = fake.posts(GENERAL).remove(0);
    let id = fake.presses(GENERAL, ANNA, answer.id, "more");
    let Asked::Component(pressed) = asked(&mut client).await else {
        panic!("a button")
    };
    assert_eq!(
        (
            pressed.data.custom_id.as_str(),
            pressed.message.content.as_str()
        ),
        ("more", "because")
    );
    let changed = json!({"type": 7, "data": {"content": "because of cats", "components": []}});
    assert_eq!(callback(&fake, id, changed).await, 204);
    assert_eq!(fake.posts(GENERAL)[0].text, "because of cats");
}

#[tokio::test]
async fn a_late_answer_is_unknown_and_a_bad_command_is_refused() {
    let fake = registered().await;
    let id = fake.slash(GENERAL, ANNA, "kith pause", json!({"for": "1h"}));
    fake.set_now(fake.now() + 3_500);
    assert_eq!(
        callback(&fake, id, json!({"type": 4, "data": {"content": "late"}})).await,
        404
    );
    let put = async |command: Value| {
        ask(
            &fake,
            "PUT",
            &format!("/applications/{BOT}/commands"),
            json!([command]),
        )
        .await
        .0
    };
    assert_eq!(put(json!({"name": "Kith", "description": "x"})).await, 400);
    assert_eq!(put(json!({"name": "kith"})).await, 400);
    assert_eq!(
        put(json!({"name": "kith", "description": "x", "colour": 1})).await,
        400
    );
    assert_eq!(
        put(json!({"name": "Why?", "type": 3, "description": "x"})).await,
        400
    );
    assert_eq!(fake.take_violations().len(), 4);
    assert_eq!(fake.world(|world| world.overwrites), 1);
}

//! Reactions, edits, deletions, moderation, nick and avatar: what is asked, and what need not be.

use kith_core::chat::{GuildId, HOUR, MessageId, UserId};
use kith_discord::rest::RestError;
use kith_discord::send::{fingerprint_avatar, format_nick};

use super::scripted::{FakeModel, Reply};
use super::sending::message_sender;
use super::texts::HERE;
use super::*;

const MESSAGE: MessageId = MessageId(2);
const GUILD: GuildId = GuildId(900);
const ANNA: UserId = UserId(11);

fn nothing() -> Reply {
    Reply::new(204, "text/plain")
}

#[tokio::test]
async fn a_reaction_is_a_character_or_the_guilds_own_emoji() {
    let server = FakeModel::start().await;
    let message_sender = message_sender(&server);
    for (emoji, path) in [
        ("👀", "%F0%9F%91%80"),
        (":dance:", "dance:72"),
        ("<a:dance:72>", "dance:72"),
        ("1️⃣", "1%EF%B8%8F%E2%83%A3"),
    ] {
        let line = format!("PUT /api/v10/channels/1/messages/2/reactions/{path}/@me");
        server.now(&line, [refusal(502, 0), nothing()]);
        message_sender.react(HERE, MESSAGE, emoji).await.unwrap();
    }
    let asked = server.asked().len();
    let error = message_sender
        .react(HERE, MESSAGE, ":nope:")
        .await
        .unwrap_err();
    assert!(
        matches!(error, RestError::NotFound { code: 10_014, .. }) && server.asked().len() == asked,
        "{error}"
    );
}

#[tokio::test]
async fn what_is_gone_is_deleted() {
    let server = FakeModel::start().await;
    server.on(
        "DELETE /api/v10/channels/1/messages/2",
        refusal(404, 10_008),
    );
    let message_sender = message_sender(&server);
    message_sender
        .delete_message(HERE, MESSAGE, "taken back")
        .await
        .unwrap();
    assert_eq!(
        server.asked()[0].headers["x-audit-log-reason"],
        "taken%20back"
    );
}

#[tokio::test]
async fn an_edit_is_one_message_and_pings_nobody() {
    let server = FakeModel::start().await;
    let line = "PATCH /api/v10/channels/1/messages/2";
    server.on(line, done());
    let message_sender = message_sender(&server);
    message_sender
        .edit_message(HERE, MESSAGE, "@Anna :smile:")
        .await
        .unwrap();
    let expected = json!({ "content": "<@11> <:smile:71>", "allowed_mentions": { "parse": [] } });
    assert_eq!(server.bodies_at(line), [expected]);
    for text in ["", &"word ".repeat(900)] {
        let error = message_sender
            .edit_message(HERE, MESSAGE, text)
            .await
            .unwrap_err();
        assert!(matches!(error, RestError::Invalid { .. }), "{error}");
    }
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn bans_and_time_outs_are_bounded_and_carry_their_reason() {
    let server = FakeModel::start().await;
    let (ban, member) = (
        "PUT /api/v10/guilds/900/bans/11",
        "PATCH /api/v10/guilds/900/members/11",
    );
    server.now(ban, [refusal(500, 0), nothing()]);
    server.on(member, done());
    let message_sender = message_sender(&server);
    message_sender
        .ban(GUILD, ANNA, u32::MAX, "spam")
        .await
        .unwrap();
    assert_eq!(
        server.bodies_at(ban)[1],
        json!({ "delete_message_seconds": 604_800 })
    );
    assert!(
        server
            .asked()
            .iter()
            .all(|asked| asked.headers["x-audit-log-reason"] == "spam")
    );

    let now = kith_system::clock::now();
    for (until, most) in [
        (now + HOUR, now + HOUR),
        (i64::MAX, now + 28 * 24 * HOUR + HOUR),
    ] {
        message_sender
            .time_out(GUILD, ANNA, until, "calm down")
            .await
            .unwrap();
        let body = server.bodies_at(member).pop().unwrap();
        let until = body["communication_disabled_until"]
            .as_str()
            .unwrap()
            .to_owned();
        let until = chrono::DateTime::parse_from_rfc3339(&until)
            .unwrap()
            .timestamp_millis();
        assert!((now + HOUR..=most).contains(&until), "{body}");
    }
    message_sender
        .time_out(GUILD, ANNA, now, "enough")
        .await
        .unwrap();
    assert_eq!(
        server.bodies_at(member).pop(),
        Some(json!({ "communication_disabled_until": null }))
    );
}

#[tokio::test]
async fn a_nick_is_taken_only_when_it_is_another() {
    let server = FakeModel::start().await;
    let line = "PATCH /api/v10/guilds/900/members/@me";
    server.on(line, done());
    let message_sender = message_sender(&server);
    message_sender.set_nick(GUILD, None).await.unwrap();
    message_sender.set_nick(GUILD, Some(" ")).await.unwrap();
    assert!(server.asked().is_empty());
    message_sender
        .set_nick(GUILD, Some(&format!(" {} ", "米".repeat(40))))
        .await
        .unwrap();
    assert_eq!(server.bodies_at(line), [json!({ "nick": "米".repeat(32) })]);
}

#[tokio::test]
async fn a_nick_is_asked_for_as_discord_keeps_it() {
    assert_eq!(
        format_nick("  Mia   the\u{3000}gardener "),
        "Mia the gardener"
    );
    assert_eq!(
        format_nick(&format!("{} b", "a".repeat(31))),
        "a".repeat(31)
    );
    let server = FakeModel::start().await;
    let line = "PATCH /api/v10/guilds/900/members/@me";
    server.on(line, done());
    message_sender(&server)
        .set_nick(GUILD, Some("Mia  "))
        .await
        .unwrap();
    assert_eq!(server.bodies_at(line), [json!({ "nick": "Mia" })]);
}

#[tokio::test]
async fn an_avatar_goes_up_with_the_name_that_is_there_and_in_a_guild_without() {
    let server = FakeModel::start().await;
    let (me, mine) = (
        "/api/v10/users/@me",
        "PATCH /api/v10/guilds/900/members/@me",
    );
    server.on(
        &format!("GET {me}"),
        Reply::json(
            200,
            json!({ "id": "99", "username": "kith", "avatar": "old" }),
        ),
    );
    server.on(&format!("PATCH {me}"), done());
    server.on(mine, done());
    let message_sender = message_sender(&server);
    message_sender.set_avatar(b"picture").await.unwrap();
    let data = "data:image/png;base64,cGljdHVyZQ==";
    assert_eq!(
        server.bodies_at(&format!("PATCH {me}")),
        [json!({ "username": "kith", "avatar": data })]
    );
    message_sender
        .set_guild_avatar(GUILD, Some(b"picture"))
        .await
        .unwrap();
    message_sender.set_guild_avatar(GUILD, None).await.unwrap();
    assert_eq!(
        server.bodies_at(mine),
        [json!({ "avatar": data }), json!({ "avatar": null })]
    );
    let marks = [
        fingerprint_avatar(UserId(1), b"a"),
        fingerprint_avatar(UserId(1), b"b"),
        fingerprint_avatar(UserId(2), b"a"),
    ];
    assert!(
        marks[0] != marks[1]
            && marks[0] != marks[2]
            && fingerprint_avatar(UserId(1), b"a") == marks[0]
    );
}

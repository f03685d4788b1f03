//! What Discord does not allow is not tried again, and a wrong token stops everything at once.

use kith_core::chat::{ChannelId, GuildId, MessageId};
use kith_discord::rest::{
    DiscordAbility, RequestPacing, RequestPriority, RestError, RestRequest, RestRoute,
};

use super::scripted::{FakeModel, Reply};
use super::*;

const POST: &str = "POST /api/v10/channels/1/messages";
const REACT: &str = "PUT /api/v10/channels/1/messages/2/reactions/x:1/@me";

fn post() -> RestRequest {
    RestRequest::post(RestRoute::messages(ChannelId(1))).json(json!({ "content": "hi" }))
}

fn react() -> RestRequest {
    RestRequest::put(RestRoute::own_reaction(ChannelId(1), MessageId(2), "x:1"))
}

#[tokio::test]
async fn a_refusal_switches_that_ability_off_in_that_channel_until_it_changes() {
    for code in [50_001, 50_007, 50_013, 0] {
        let server = FakeModel::start().await;
        server.on(POST, refusal(403, code));
        server.on(REACT, Reply::new(204, "text/plain"));
        let rest = rest(&server);
        let error = rest.call(post()).await.unwrap_err();
        assert!(
            matches!(error, RestError::Forbidden { code: Some(found), .. } if found == code),
            "{error}"
        );
        let typing = RestRequest::post(RestRoute::typing(ChannelId(1)));
        for call in [post(), typing] {
            assert!(matches!(
                rest.call(call).await,
                Err(RestError::AbilityDisabled(_))
            ));
        }
        rest.call(react()).await.unwrap();
        assert!(
            !rest.has_ability(ChannelId(1), DiscordAbility::Send)
                && rest.has_ability(ChannelId(2), DiscordAbility::Send)
        );
        assert_eq!(server.asked().len(), 2);

        server.now(POST, [done()]);
        match code {
            50_001 => rest.clear_guild_refusals(GuildId(9), [ChannelId(1)]),
            _ => rest.clear_refusals(ChannelId(1)),
        }
        rest.call(post()).await.unwrap();
    }
}

#[tokio::test]
async fn what_was_refused_is_tried_again_after_a_while_and_at_once_when_that_is_asked_for() {
    let server = FakeModel::start().await;
    let typing = || RestRequest::post(RestRoute::typing(ChannelId(1)));
    server.on("POST /api/v10/channels/1/typing", refusal(403, 50_013));
    server.on(POST, refusal(403, 50_013));
    let first_trial = std::time::Duration::from_millis(300);
    let rest = paced(
        &server,
        RequestPacing {
            first_trial,
            ..pace()
        },
    );
    let off = |error: RestError| matches!(error, RestError::AbilityDisabled(_));
    rest.call(post()).await.unwrap_err();
    assert!(off(rest.call(post()).await.unwrap_err()));
    let due = rest.retry_time(ChannelId(1), DiscordAbility::Send).unwrap();
    let trial = rest
        .call(typing().trial_ability(DiscordAbility::Send))
        .await
        .unwrap_err();
    assert!(matches!(trial, RestError::Forbidden { .. }), "{trial}");
    assert_eq!(
        rest.retry_time(ChannelId(1), DiscordAbility::Send),
        Some(due),
        "that it was asked once more costs no time"
    );
    tokio::time::sleep_until(due).await;
    assert!(rest.has_ability(ChannelId(1), DiscordAbility::Send));
    rest.call(post()).await.unwrap_err();
    let later = rest.retry_time(ChannelId(1), DiscordAbility::Send).unwrap();
    assert!(later - due >= first_trial * 2, "twice as long");
    assert!(off(rest.call(post()).await.unwrap_err()));

    server.now(
        "POST /api/v10/channels/1/typing",
        [Reply::new(204, "text/plain")],
    );
    server.now(POST, [done()]);
    rest.call(typing().trial_ability(DiscordAbility::Send))
        .await
        .unwrap();
    rest.call(post()).await.unwrap();
    assert_eq!(rest.retry_time(ChannelId(1), DiscordAbility::Send), None);
}

#[tokio::test]
async fn a_refusal_about_one_message_or_by_a_wall_in_between_says_nothing_about_the_channel() {
    let server = FakeModel::start().await;
    server.now(
        REACT,
        [
            refusal(403, 90_001),
            Reply::new(403, "text/html").bytes("<html>denied</html>"),
            Reply::new(204, "text/plain"),
        ],
    );
    let rest = rest(&server);
    let first = rest.call(react()).await.unwrap_err();
    assert!(
        matches!(
            first,
            RestError::Forbidden {
                code: Some(90_001),
                ..
            }
        ),
        "{first}"
    );
    let wall = rest.call(react()).await.unwrap_err();
    assert!(
        matches!(wall, RestError::Forbidden { code: None, .. }),
        "{wall}"
    );
    rest.call(react()).await.unwrap();
}

#[tokio::test]
async fn who_may_not_reply_may_still_post() {
    let server = FakeModel::start().await;
    server.now(POST, [refusal(403, 160_002), done()]);
    let rest = rest(&server);
    assert!(rest.call(post()).await.is_err());
    assert!(!rest.has_ability(ChannelId(1), DiscordAbility::Reply));
    rest.call(post()).await.unwrap();
}

#[tokio::test]
async fn a_wrong_token_stops_everything_at_once_and_is_shown_nowhere() {
    let server = FakeModel::start().await;
    server.on(
        "GET /api/v10/users/@me",
        Reply::json(
            401,
            json!({ "code": 0, "message": format!("401: {TOKEN}") }),
        ),
    );
    let rest = rest(&server);
    for call in [
        RestRequest::get(RestRoute::me()),
        post(),
        RestRequest::get(RestRoute::gateway_bot()).priority(RequestPriority::Vital),
    ] {
        let error = rest.call(call).await.unwrap_err();
        assert_eq!(error, RestError::Unauthorized);
        assert!(
            error.to_string().contains("DISCORD_TOKEN")
                && !format!("{error} {error:?}").contains(TOKEN)
        );
    }
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_interaction_that_has_expired_says_nothing_about_the_token() {
    let server = FakeModel::start().await;
    server.on(
        "PATCH /api/v10/webhooks/5/old/messages/@original",
        refusal(401, 50_027),
    );
    server.on("GET /api/v10/users/@me", done());
    let rest = rest(&server);
    let error = rest
        .call(RestRequest::patch(RestRoute::original_response(5, "old")).json(json!({})))
        .await
        .unwrap_err();
    assert!(matches!(error, RestError::NotFound { .. }), "{error}");
    rest.call(RestRequest::get(RestRoute::me())).await.unwrap();
}

#[tokio::test]
async fn before_discord_bans_the_address_only_what_is_vital_is_asked() {
    let server = FakeModel::start().await;
    (1..=4).for_each(|user| {
        server.on(
            &format!("DELETE /api/v10/guilds/1/bans/{user}"),
            refusal(403, 50_013),
        )
    });
    server.on("GET /api/v10/gateway/bot", done());
    server.on(
        "PATCH /api/v10/webhooks/5/aw-token/messages/@original",
        done(),
    );
    server.on("GET /api/v10/users/@me", done());
    let rest = paced(
        &server,
        RequestPacing {
            most_refused: 4,
            ..pace()
        },
    );
    for user in 1..=4 {
        rest.call(RestRequest::get(RestRoute::me())).await.unwrap();
        let ban = RestRequest::delete(RestRoute::ban(GuildId(1), kith_core::chat::UserId(user)));
        assert!(matches!(
            rest.call(ban).await,
            Err(RestError::Forbidden { .. })
        ));
    }
    let stopped = rest
        .call(RestRequest::get(RestRoute::me()))
        .await
        .unwrap_err();
    assert_eq!(stopped, RestError::CircuitOpen { refused: 4 });
    rest.call(RestRequest::get(RestRoute::gateway_bot()).priority(RequestPriority::Vital))
        .await
        .unwrap();
    rest.call(
        RestRequest::patch(RestRoute::original_response(5, "aw-token"))
            .json(json!({ "content": "hi" })),
    )
    .await
    .unwrap();
}

#[tokio::test]
async fn what_others_used_up_is_not_held_against_us() {
    let server = FakeModel::start().await;
    let refused = || too_fast(0.0).header("x-ratelimit-scope", "shared");
    server.now(POST, [refused(), refused(), refused(), done(), done()]);
    let rest = paced(
        &server,
        RequestPacing {
            most_refused: 2,
            ..pace()
        },
    );
    rest.call(post()).await.unwrap();
    rest.call(post()).await.unwrap();
}

#[tokio::test]
async fn each_refusal_is_told_apart() {
    let server = FakeModel::start().await;
    let slow = json!({ "code": 20_016, "message": "slow", "retry_after": 4.5 });
    let replies = [
        refusal(400, 200_000),
        Reply::json(429, slow),
        refusal(404, 10_003),
        refusal(400, 50_035),
    ];
    server.now(POST, replies);
    let rest = rest(&server);
    assert_eq!(rest.call(post()).await, Err(RestError::AutoMod));
    let error = rest.call(post()).await.unwrap_err();
    assert!(
        matches!(error, RestError::SlowMode { retry_after } if retry_after.as_millis() == 4_500),
        "{error}"
    );
    let error = rest.call(post()).await.unwrap_err();
    assert!(
        matches!(error, RestError::NotFound { code: 10_003, .. }),
        "{error}"
    );
    let error = rest.call(post()).await.unwrap_err();
    assert!(
        matches!(error, RestError::Invalid { code: 50_035, .. }),
        "{error}"
    );
    assert_eq!(server.asked().len(), 4, "none of them is tried again");
}

//! Everything fails, and still: what is said is said once.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::join_all;
use kith_core::chat::MessageId;
use kith_discord::rest::RequestPacing;
use kith_discord::send::DeliveryStatus;

use super::fake_discord::{ANNA, Chaos, FakeDiscord, Fault, GENERAL, GUILD, World};
use super::pace;
use super::server_rules::{HERE, message_sender, post, rest};

const POST: &str = "POST /channels/*/messages";

/// Leaves a server that hangs soon.
fn hasty() -> RequestPacing {
    RequestPacing {
        request: Duration::from_millis(700),
        ..pace()
    }
}

#[tokio::test]
async fn each_fault_ends_with_the_message_posted_once() {
    let soon = Duration::from_millis(50);
    for fault in [
        Fault::RouteLimit(soon),
        Fault::GlobalLimit(soon),
        Fault::Html429(soon),
        Fault::Untold429 { page: false },
        Fault::Untold429 { page: true },
        Fault::Status(500),
        Fault::Status(502),
        Fault::DoneBut504,
        Fault::DoneButGarbage,
        Fault::Hang,
        Fault::DoneButHang,
        Fault::Drop,
        Fault::DoneButDrop,
        Fault::Slow(soon),
    ] {
        let fake = FakeDiscord::start(World::small());
        let message_sender = message_sender(&rest(&fake, hasty()));
        fake.fault(POST, fault.clone());
        let said = message_sender
            .send(&post(GENERAL, "hi", "7.0"))
            .await
            .unwrap();
        let posts: Vec<MessageId> = fake
            .posts(GENERAL)
            .iter()
            .map(|post| MessageId(post.id))
            .collect();
        assert_eq!(posts, [said[0].id], "{fault:?}");
    }
}

#[tokio::test]
async fn reactions_bans_and_deletions_end_as_they_should() {
    let fake = FakeDiscord::start(World::small());
    let message_sender = message_sender(&rest(&fake, hasty()));
    let hi = MessageId(fake.says(GENERAL, ANNA, "hi"));
    let mine = message_sender
        .send(&post(GENERAL, "hi", "7.0"))
        .await
        .unwrap()[0]
        .id;
    for fault in [
        Fault::DoneBut504,
        Fault::DoneButDrop,
        Fault::Status(503),
        Fault::DoneButHang,
    ] {
        fake.fault("PUT /channels/*/messages/*/reactions/*/@me", fault.clone());
        message_sender.react(HERE, hi, "👀").await.unwrap();
        fake.fault("DELETE /channels/*/messages/*", fault);
        message_sender
            .delete_message(HERE, mine, "taken back")
            .await
            .unwrap();
    }
    assert!(fake.posts(GENERAL).is_empty());
    assert_eq!(
        fake.world(|world| world.message(GENERAL, hi.0).unwrap().reactions[0]
            .users
            .len()),
        1
    );
}

#[tokio::test]
async fn after_a_crash_what_was_posted_is_found_though_its_nonce_has_expired() {
    let fake = FakeDiscord::start(World::small());
    fake.nonces_expire_after(0);
    let posts = [
        post(GENERAL, "one @Anna", "7.0"),
        post(GENERAL, "two", "7.1"),
    ];
    fake.fault(POST, Fault::DoneButHang);
    let before = message_sender(&rest(&fake, hasty()));
    tokio::select! {
        end = before.send(&posts[0]) => panic!("nobody answered, and yet: {end:?}"),
        () = fake.until("a post", |world| (world.posts(GENERAL).len() == 1).then_some(())) => {}
    }

    let after = message_sender(&rest(&fake, hasty()));
    let traces = after.find_deliveries(HERE, &posts, &[]).await.unwrap();
    assert_eq!(
        (traces[0].is_complete(), &*traces[1].parts),
        (true, &[None][..])
    );
    for (post, traces) in posts.iter().zip(&traces) {
        after.send_missing_parts(post, traces).await.unwrap();
    }
    assert_eq!(fake.posts(GENERAL).len(), 2);
}

#[tokio::test]
async fn in_a_storm_of_faults_nothing_is_said_twice() {
    let mut world = World::small();
    let channels: Vec<u64> = (0..8)
        .map(|index| world.add_channel(GUILD, &format!("room-{index}")))
        .collect();
    let fake = FakeDiscord::start(world);
    fake.limits(|limits| limits.set(&[POST], 5, Duration::from_millis(200)));
    fake.chaos(Some(Chaos::storm(7)));
    let rest = rest(
        &fake,
        RequestPacing {
            tries: 8,
            ..hasty()
        },
    );
    let message_sender = message_sender(&rest);
    let send_all = |channel: u64| {
        let message_sender = message_sender.clone();
        async move {
            let mut ends = Vec::new();
            for index in 0..15 {
                let text = format!("{channel} says {index}");
                let end = message_sender
                    .send(&post(channel, &text, &format!("{channel}.{index}")))
                    .await;
                ends.push((text, end.map(|_| ()).map_err(|failed| failed.status)));
            }
            ends
        }
    };
    let ends = join_all(channels.iter().map(|channel| send_all(*channel))).await;
    fake.chaos(None);

    let mut counts: HashMap<String, usize> = HashMap::new();
    for post in channels.iter().flat_map(|channel| fake.posts(*channel)) {
        *counts.entry(post.text).or_default() += 1;
    }
    for (text, end) in ends.into_iter().flatten() {
        let count = counts.get(&text).copied().unwrap_or_default();
        match end {
            Ok(()) => assert_eq!(count, 1, "{text}"),
            Err(DeliveryStatus::NotSent | DeliveryStatus::RetryLater(_)) => {
                assert_eq!(count, 0, "{text}")
            }
            Err(DeliveryStatus::Unknown) => assert!(count <= 1, "{text}"),
        }
    }
    assert!(fake.requests(POST).len() > 120, "there were faults");
}

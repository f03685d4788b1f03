//! Who deletes a message takes it out of the log channel, too.

use std::time::Duration;

use crate::discord::prelude::*;

const SHY: &str = "talkativeness = \"about 0 an hour\"\n";

/// On in one channel, with everything shown in the host's log channel.
fn tables() -> String {
    format!("[discord.log]\nchannel = \"{LOG}\"\ntext = true\n") + &on(GENERAL)
}

/// A model that thinks aloud of what it was asked last.
fn thinking(user: &str) -> String {
    let thoughts = if user.contains("thanks") {
        "all is calm"
    } else {
        "she says swordfish"
    };
    format!("<turn><thoughts>{thoughts}</thoughts><send_message>noted</send_message></turn>")
}

fn quotes(entry: &Message) -> bool {
    said(entry).contains("swordfish")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_quotes_a_deleted_message_goes_with_it_and_no_other_does() {
    let (test, shown) = DiscordTest::watched(World::small(), SHY, &tables(), thinking).await;
    let deleted = test.calls(GENERAL, ANNA, "the password is swordfish");
    test.logged(LOG, "swordfish").await;
    test.calls(GENERAL, ANNA, "thanks");
    let other = test.logged(LOG, "all is calm").await;
    assert!(
        shown.last().contains("swordfish"),
        "both turns were shown it"
    );
    test.fake.deletes(GENERAL, &[deleted]);
    test.fake
        .until_true("no entry quotes it", |world| {
            !world.posts(LOG).into_iter().any(quotes)
        })
        .await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(
        test.fake
            .posts(LOG)
            .iter()
            .any(|entry| entry.id == other.id),
        "it quotes nothing"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_is_deleted_once_however_many_messages_are_deleted_meanwhile() {
    let answer = |user: &str| {
        let said = if user.contains("marmalade") {
            "marmalade"
        } else {
            "swordfish"
        };
        format!(
            "<turn><thoughts>she says {said}</thoughts><send_message>noted</send_message></turn>"
        )
    };
    let (test, _) = DiscordTest::watched(World::small(), SHY, &tables(), answer).await;
    let mut said = Vec::new();
    let mut entries = Vec::new();
    for word in ["swordfish", "marmalade"] {
        let text = format!("<@{BOT}> the password is {word}");
        said.push(test.fake.says(GENERAL, ANNA, &text));
        entries.push(test.logged(LOG, &format!("says {word}")).await.id);
    }
    let [first, last] =
        [0, 1].map(|entry| format!("DELETE /channels/{LOG}/messages/{}", entries[entry]));
    test.fake.fault(&first, Fault::Slow(Duration::from_secs(2)));
    test.fake.deletes(GENERAL, &said[..1]);
    test.fake
        .until_true("the first is being deleted", |world| {
            !world.requests(&first).is_empty()
        })
        .await;
    test.fake.deletes(GENERAL, &said[1..]);
    test.fake
        .until_true("the second is being deleted", |world| {
            !world.requests(&last).is_empty()
        })
        .await;
    assert_eq!(test.fake.requests(&first).len(), 1);
}

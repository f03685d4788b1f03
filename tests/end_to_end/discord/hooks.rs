//! Hooks on Discord: what they leave of a message is what is posted, and they ping nobody by it.

use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_hook_puts_in_the_place_of_a_message_pings_nobody_whom_a_message_may_not_ping() {
    let definition = "[shout]\n[shout.hook]\non = [\"speech\"]\n[shout.command]\n\
                      argv = [\"echo\", '{\"text\": \"@everyone @here, look, @Ben\"}']\n";
    let (test, _) = DiscordTest::furnished(
        World::small(),
        "tool_paths = [\"shout.toml\"]\nhooks = [\"shout\"]",
        &on(GENERAL),
        &[("shout.toml", definition)],
        |_| say("look"),
    )
    .await;
    test.fake.says(GENERAL, BEN, "i am here");
    test.talk(GENERAL, ANNA, "hello?").await;
    let post = test.fake.posts(GENERAL).remove(0);
    assert_eq!(post.text, format!("@everyone @here, look, <@{BEN}>"));
    assert_eq!((post.mentions, post.mention_everyone), (vec![BEN], false));
}

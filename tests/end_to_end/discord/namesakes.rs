//! Two people of one name on Discord: whatever a turn is shown of the second names them by their number, and nobody else
//! ever reads it.

use crate::discord::prelude::*;
use kith_testkit::assert_has;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_wakes_it_what_tools_answer_and_what_it_promised_tell_two_annas_apart() {
    let mut world = World::small();
    let second = world.add_user("Anna");
    world.join(GUILD, second);
    let tables = format!(
        "[channel.{GENERAL}]\nmode = \"on\"\ntools = [\"default\", \"member_info\", \"remind\"]\n"
    );
    let answer = |user: &str| {
        match (user.contains("you called member_info"), user.contains("what did you promise?")) {
        (_, true) => say("the key"),
        (true, false) => say("ask @Anna, @Anna 2"),
        (false, false) => {
            "<turn><remind when=\"30\">bring the key</remind><member_info>Anna 2</member_info></turn>".into()
        }
    }
    };
    let (test, shown) = DiscordTest::watched(
        world,
        "talkativeness = \"about 0 an hour\"\n",
        &tables,
        answer,
    )
    .await;
    test.fake.says(GENERAL, ANNA, "I have the key");
    test.is_stored("I have the key").await;
    assert_eq!(
        test.talk(
            GENERAL,
            second,
            "who has the key? remind me in half an hour"
        )
        .await,
        "ask @Anna, @Anna",
        "of two of one name nobody is called"
    );
    let prompts = shown.all();
    assert_has(&prompts[0], ["Line 2: Anna 2 mentions you."]);
    assert_has(&prompts[1], ["| Anna 2; joined "]);
    assert_eq!(
        test.talk(GENERAL, ANNA, "what did you promise?").await,
        "the key"
    );
    assert_has(
        shown.last(),
        ["you remind Anna 2 at ", "Anna mentions you."],
    );
}

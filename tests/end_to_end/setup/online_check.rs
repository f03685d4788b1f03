//! `kith check --online` on Discord: every problem on the line that names what is wrong.

use crate::setup::fake_discord::{For, GENERAL, GUILD, LOG, TOKEN, World, permissions};
use crate::setup::{ProgramRun, SetupTest};
use kith_testkit::assert_has;

fn check(test: &SetupTest, settings: &str) -> ProgramRun {
    let token = test.path().join("discord.token");
    std::fs::write(&token, TOKEN).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&token, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    std::fs::write(test.path().join("kith.toml"), settings).unwrap();
    test.ended(test.kith(&["check", "--online"]).spawn().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn places_that_are_not_there_are_told_on_their_lines() {
    let mut world = World::small();
    let owner = world.add_user("Ora");
    let second = world.add_guild("Second", owner);
    let there = world.add_channel(second, "parlour");
    let test = SetupTest::of(world).await;
    test.fake.world(|world| {
        world.bot_may(GUILD, permissions::VIEW_CHANNEL);
        world.overwrite(GENERAL, For::Role(GUILD), 0, permissions::EMBED_LINKS);
    });
    let settings = format!(
        "model.provider = \"none\"\n[discord]\ntoken_file = \"discord.token\"\n[discord.log]\nchannel = \"{GENERAL}\"\n\
         [guild.{GUILD}]\nlog_channel = \"{there}\"\n[guild.12345]\nmode = \"on\"\n[channel.54321]\nmode = \"on\"\n\
         [channel.{LOG}]\nmode = \"observe\"\n"
    );
    let ran = check(&test, &settings);
    let expected = format!(
        "kith.toml:5: error: `discord.log.channel` is {GENERAL}, where the bot lacks Embed Links; allow it in the \
         channel's settings (Edit Channel, Permissions, the bot's role)\n\
         kith.toml:7: error: `guild.{GUILD}.log_channel` is {there}, which is a channel of another server; name one of \
         this server: a server's log channel shows that server only\n\
         kith.toml:8: warning: `guild.12345` is no guild the bot can see; invite it there, or correct the number \
         (right-click the server, Copy Server ID)\n\
         kith.toml:10: warning: `channel.54321` is no channel the bot can see; give it View Channel there, or correct the \
         number (right-click the channel, Copy Channel ID)\n\
         2 errors, 2 warnings\n"
    );
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.ends_with(&expected), "{}", ran.out);
    assert_has(&ran.out, ["1 shard, 1000 of 1000 session starts left"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_token_is_told_on_the_line_that_names_its_file() {
    let test = SetupTest::of(World::small()).await;
    test.fake.world(|world| world.token = "another".into());
    let ran = check(
        &test,
        "model.provider = \"none\"\n[discord]\ntoken_file = \"discord.token\"\n",
    );
    assert_eq!(ran.code, Some(1));
    assert_has(&ran.out, ["kith.toml:3: error: Discord refused the token"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn few_session_starts_are_told_before_they_are_gone() {
    let test = SetupTest::of(World::small()).await;
    test.fake.world(|world| world.starts_left = 3);
    let ran = check(
        &test,
        "model.provider = \"none\"\n[discord]\ntoken_file = \"discord.token\"\n",
    );
    assert_eq!(ran.code, Some(1));
    assert_has(
        &ran.out,
        ["error: Only 3 of 1000 session starts are left today"],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn run_says_in_one_sentence_what_keeps_it_from_starting_and_ends() {
    let test = SetupTest::of(World::small()).await;
    std::fs::write(test.path().join("kith.toml"), "model.provider = \"none\"\n").unwrap();
    type Hinder = fn(&mut World);
    let hindrances: [(Hinder, &str); 3] = [
        (
            |world| world.granted = 0,
            "switch on \"Message Content Intent\" at https://discord.com/developers/applications/",
        ),
        (
            |world| world.starts_left = 3,
            "Only 3 of 1000 session starts are left today",
        ),
        (
            |world| world.token = "another".into(),
            "Discord refused the token: copy it again from the developer portal",
        ),
    ];
    for (hinder, expected) in hindrances {
        test.fake.world(|world| {
            (world.granted, world.starts_left) = (permissions::PRIVILEGED_INTENTS, 1000);
            hinder(world);
        });
        let ran = test.ended(
            test.kith(&["run"])
                .env("DISCORD_TOKEN", TOKEN)
                .spawn()
                .unwrap(),
        );
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
        let errors: Vec<&str> = ran
            .err
            .lines()
            .filter(|line| line.starts_with("error: "))
            .collect();
        assert!(
            errors.len() == 1 && errors[0].contains(expected),
            "{}",
            ran.err
        );
    }
    assert!(
        test.fake.world(|world| world.log.identifies.is_empty()),
        "no session was spent on it"
    );
}

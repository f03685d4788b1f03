//! Discord's settings: where the token comes from, what is wrong where, and which proxy leads where.

use std::collections::BTreeMap;

use kith::settings::{Settings, load};
use kith_core::policy::{BotPolicy, ChannelMode};

use crate::settings::{complains, load_text, options, shown};

#[test]
fn without_a_token_there_is_no_discord_and_the_summary_says_where_it_is() {
    let settings = load_text("", &[]).unwrap();
    assert!(settings.discord.token.is_empty());
    assert_eq!(
        (settings.discord.direct_messages, settings.discord.bots),
        (ChannelMode::Off, BotPolicy::Ignored)
    );
    assert!(
        settings
            .summary()
            .to_string()
            .contains("in the room at http://127.0.0.1:5484"),
        "{}",
        settings.summary()
    );
    let settings = load_text("", &[("DISCORD_TOKEN", " abc.def\n")]).unwrap();
    assert_eq!(settings.discord.token.expose(), "abc.def");
    assert!(
        settings.summary().to_string().contains("on Discord"),
        "{}",
        settings.summary()
    );
    assert!(!format!("{settings:?}").contains("abc.def"));
}

#[test]
fn the_token_comes_from_the_environment_then_a_file_then_a_credential() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("named"), "from-file\n").unwrap();
    std::fs::write(folder.path().join("discord_token"), "from-credential").unwrap();
    let credentials = folder.path().to_str().unwrap().to_owned();
    let token = |toml: &str, environment: &[(&str, &str)]| {
        load(&options(folder.path(), toml, environment))
            .unwrap()
            .discord
            .token
            .expose()
            .to_owned()
    };
    let systemd = ("CREDENTIALS_DIRECTORY", credentials.as_str());
    let named = "[discord]\ntoken_file = \"named\"";
    assert_eq!(
        token(named, &[("DISCORD_TOKEN", "from-environment"), systemd]),
        "from-environment"
    );
    assert_eq!(
        token(named, &[("DISCORD_TOKEN", " "), systemd]),
        "from-file"
    );
    assert_eq!(token("", &[systemd]), "from-credential");
    assert_eq!(token("", &[("CREDENTIALS_DIRECTORY", "/nowhere")]), "");
}

#[test]
fn a_token_that_cannot_be_taken_is_told_and_never_shown() {
    complains(
        "[discord]\ntoken_file = \"nowhere\"",
        &[],
        "kith.toml:2: error: cannot take the token from nowhere: there is no such file; check the path, or create the file",
    );
    complains(
        "[discord]\ntoken_file = \"kith.toml\"",
        &[],
        "error: kith.toml: there is more than a token in it; copy the token alone, from \"Bot\" at https://discord.com/developers/applications",
    );
    complains(
        "",
        &[("DISCORD_TOKEN", "Bot secret.token")],
        "error: DISCORD_TOKEN: there is more than a token in it; copy the token alone, from \"Bot\" at https://discord.com/developers/applications",
    );
    let cure = "put it into the environment as DISCORD_TOKEN, or alone into a file that `discord.token_file` names; reset it if anybody may have seen it";
    let told = "a token has no place in the settings, which are easily shown and shared";
    complains(
        "[discord]\ntoken = \"secret.token\"",
        &[],
        &format!("kith.toml:2: error: {told}; {cure}"),
    );
    complains(
        "",
        &[("KITH__DISCORD__TOKEN", "secret.token")],
        &format!("error: KITH__DISCORD__TOKEN: {told}; {cure}"),
    );
}

#[test]
fn everything_that_is_wrong_on_discords_side_is_told_with_its_line() {
    complains(
        "[discord]\napi_base = \"http://proxy.example/api\"\nproxy = \"ftp://me:secret@proxy\"\ndirect_messages = \"maybe\"\n\
         bots = \"loved\"\nhosts = [\n1,\n0,\n]\navatar = \"kith.toml\"\nmax_talkativeness = 2\nbackfill_pages = 1000\n\
         [discord.log]\nchannel = \"0\"\nlevel = \"all\"\nkeep_hours = -1\n",
        &[],
        "kith.toml:2: error: `discord.api_base` would send the token over the network unencrypted; write it like \"https://discord.com/api/v10\"; http is for this machine only\n\
         kith.toml:3: error: `discord.proxy` is no address of a proxy; write it like \"http://127.0.0.1:8080\" or \"socks5://127.0.0.1:1080\"\n\
         kith.toml:4: error: `discord.direct_messages` cannot be \"maybe\"; write \"off\", \"observe\" or \"on\"\n\
         kith.toml:5: error: `discord.bots` cannot be \"loved\"; write \"ignored\" or \"limited\"\n\
         kith.toml:8: error: `discord.hosts` holds 0, which is nobody's id; copy it in Discord's developer mode: right-click the person, Copy User ID\n\
         kith.toml:10: error: `discord.avatar` cannot be kith.toml: it is no picture Discord takes; use a PNG, JPEG or GIF file\n\
         kith.toml:11: error: `discord.max_talkativeness` is 2; write a number from 0 (shy) to 1 (chatty)\n\
         kith.toml:12: error: `discord.backfill_pages` is 1000; write 0 to 100 pages\n\
         kith.toml:14: error: `discord.log.channel` is 0, which is no channel's id; copy it in Discord's developer mode: right-click the channel, Copy Channel ID\n\
         kith.toml:15: error: `discord.log.level` cannot be \"all\"; write \"errors\", \"turns\" or \"everything\"\n\
         kith.toml:16: error: `discord.log.keep_hours` is -1; write 0 (for ever) to 87600 hours",
    );
    complains(
        "[discord]\nhosts = [\"anna\"]\nproxy = 8080\n[discord.log]\nchannel = \"#general\"",
        &[],
        "kith.toml:2: error: `discord.hosts` is \"anna\"; write an id, a number like \"1234567890\"\n\
         kith.toml:3: error: `discord.proxy` is of the wrong kind; write text in quotes\n\
         kith.toml:5: error: `discord.log.channel` is \"#general\"; write an id, a number like \"1234567890\"",
    );
}

#[test]
fn everything_that_is_wrong_in_a_guild_or_a_channel_is_told_with_its_line() {
    complains(
        "[personas]\n\"\" = \"nobody.toml\"\n[guild.0]\nmode = \"on\"\n[guild.007]\ntools = [\"send_mesage\", \"fly\"]\n\
         [guild.9]\nquiet_hours = \"late\"\n[channel.5]\nlog_channel = 7\nmodel = \"a\\nb\"\nquiet_hours = \"23:00-08:00 Mars/Base\"\n\
         [channel.99999999999999999999]\nlocked = 1",
        &[],
        "kith.toml:2: error: `personas.` is no name to choose by; write 1 to 32 characters on one line\n\
         kith.toml:2: error: there is no persona file nobody.toml; check the path, or copy one from persona/\n\
         kith.toml:3: error: `guild.0` names no guild; write the guild's number: [guild.123456]\n\
         kith.toml:5: error: `guild.007` names no guild; write the guild's number: [guild.123456]\n\
         kith.toml:6: error: `guild.007.tools` names \"send_mesage\", and there is no such tool; did you mean \"send_message\"?\n\
         kith.toml:6: error: `guild.007.tools` names \"fly\", and there is no such tool; there are: send_message, react, stay_silent, get_time, recall, core_memory_append, core_memory_replace, update_person, remember, wait_for, channel_history, server_info, list_emoji, todo, task, member_info, edit_message, delete_own_message, create_thread, create_poll, send_sticker, set_status, remind, compact, list_files, read_file, write_file, delete_file, calculate, roll_dice, random_choice, web_fetch, web_search, create_session, get_weather, default\n\
         kith.toml:8: error: `guild.9.quiet_hours` cannot be used as hours: these are not two times of day; write them like \"23:00-08:00\" or \"23:00-08:00 Europe/Berlin\"\n\
         kith.toml:10: error: `channel.5.log_channel` stands below a channel, and a log channel is a whole guild's; move it to [guild.ID]\n\
         kith.toml:11: error: `channel.5.model` runs over several lines; write it on one line\n\
         kith.toml:12: error: `channel.5.quiet_hours` cannot be used as hours: there is no such time zone; write them like \"23:00-08:00\" or \"23:00-08:00 Europe/Berlin\"\n\
         kith.toml:13: error: `channel.99999999999999999999` names no channel; write the channel's number: [channel.123456]\n\
         kith.toml:14: error: `channel.99999999999999999999.locked` is 1; write true or false",
    );
}

#[test]
fn an_avatar_has_to_be_a_picture_that_discord_takes() {
    let folder = tempfile::tempdir().unwrap();
    let with = |bytes: &[u8]| {
        std::fs::write(folder.path().join("face"), bytes).unwrap();
        load(&options(folder.path(), "[discord]\navatar = \"face\"", &[]))
            .map(|settings| settings.discord.avatar)
    };
    for picture in [
        b"\x89PNG\r\n\x1a\nmore".as_slice(),
        b"\xff\xd8\xff\xe0",
        b"GIF89a",
    ] {
        assert_eq!(with(picture).unwrap(), Some(folder.path().join("face")));
    }
    assert_eq!(
        shown(&with(b"<svg/>").unwrap_err(), folder.path()),
        "kith.toml:2: error: `discord.avatar` cannot be face: it is no picture Discord takes; use a PNG, JPEG or GIF file"
    );
    assert!(with(b"").is_err());
    complains(
        "[discord]\navatar = \"face\"",
        &[],
        "kith.toml:2: error: `discord.avatar` cannot be face: there is no such file; check the path, or create the file",
    );
}

#[test]
fn the_api_may_be_plain_http_on_this_machine_only() {
    let base = |url: &str| load_text(&format!("[discord]\napi_base = \"{url}\""), &[]).is_ok();
    assert!(
        base("http://127.0.0.1:1234/api/v10")
            && base("http://[::1]/api")
            && base("http://localhost:80")
    );
    assert!(base("https://rest.example/api/v10"));
    assert!(!base("http://10.0.0.1/api") && !base("discord.com") && !base(""));
}

fn proxies(toml: &str, environment: &[(&str, &str)]) -> [String; 2] {
    let Settings { discord, model, .. } = load_text(toml, environment).unwrap();
    [discord.proxy, model.proxy].map(|proxy| proxy.expose().to_owned())
}

#[test]
fn each_proxy_is_the_one_that_is_set_else_the_one_of_the_environment() {
    let token = ("DISCORD_TOKEN", "abc");
    let both = [
        token,
        ("HTTPS_PROXY", "proxy:3128"),
        ("OPENAI_API_KEY", "sk-x"),
    ];
    assert_eq!(proxies("", &[token]), ["", ""]);
    assert_eq!(
        proxies("", &both),
        ["http://proxy:3128", "http://proxy:3128"]
    );
    let set = "[discord]\nproxy = \"socks5://me:hunter2@there:1080\"\n[model]\nbase_url = \"http://localhost:8080/v1\"";
    assert_eq!(proxies(set, &both), ["socks5://me:hunter2@there:1080", ""]);
    let except = BTreeMap::from(both)
        .into_iter()
        .chain([("NO_PROXY", "discord.com")])
        .collect::<Vec<_>>();
    assert_eq!(proxies("", &except), ["", "http://proxy:3128"]);
    let settings = load_text(set, &both).unwrap();
    assert!(
        !format!("{settings:?}").contains("hunter2"),
        "a proxy's password is a secret"
    );
}

#[test]
fn a_proxy_in_the_environment_that_cannot_be_used_is_told_where_it_is_wanted() {
    let wrong = ("HTTPS_PROXY", "https://me:secret@proxy:443");
    complains(
        "",
        &[wrong, ("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")],
        "",
    );
    complains(
        "",
        &[wrong, ("DISCORD_TOKEN", "abc")],
        "error: HTTPS_PROXY: this is no address of a proxy; write it like \"http://127.0.0.1:8080\" or \"socks5://127.0.0.1:1080\", or unset the variable",
    );
}

#[test]
fn scalars_of_discord_can_be_set_by_the_environment() {
    let environment = [
        ("KITH__DISCORD__DIRECT_MESSAGES", "on"),
        ("KITH__DISCORD__LOG__CHANNEL", "1234567890123456789"),
        ("KITH__DISCORD__MAX_TALKATIVENESS", "0.5"),
        ("KITH__GUILD__7__QUIET_HOURS", "23:00-08:00"),
        ("KITH__GUILD__7__LOG_CHANNEL", "8"),
    ];
    let settings = load_text("", &environment).unwrap();
    assert_eq!(settings.discord.direct_messages, ChannelMode::On);
    assert_eq!(
        settings.discord.log.channel.map(|channel| channel.0),
        Some(1_234_567_890_123_456_789)
    );
    assert_eq!(settings.discord.max_talkativeness, 0.5);
    assert_eq!(
        settings.guild["7"]
            .quiet_hours
            .map(|hours| hours.to_string())
            .as_deref(),
        Some("23:00-08:00")
    );
    assert_eq!(
        settings
            .find_log_channel(kith_core::chat::GuildId(7))
            .map(|channel| channel.0),
        Some(8)
    );
}

//! Discord's settings: where the token comes from, what is wrong where, and which proxy leads where.

use std::collections::BTreeMap;

use kith::settings::{Settings, load};
use kith_core::policy::{BotPolicy, ChannelMode};
use kith_testkit::{assert_has, assert_lacks};

use crate::settings::{complains, load_text, options, put, shown};

#[test]
fn without_a_token_there_is_no_discord_and_the_summary_says_where_it_is() {
    let settings = load_text("", &[]).unwrap();
    assert!(settings.discord.token.is_empty());
    assert_eq!(
        (settings.discord.direct_messages, settings.discord.bots),
        (ChannelMode::Off, BotPolicy::Ignored)
    );
    assert_has(
        settings.summary().to_string(),
        ["in the room at http://127.0.0.1:5484"],
    );
    let settings = load_text("", &[("DISCORD_TOKEN", " abc.def\n")]).unwrap();
    assert_eq!(settings.discord.token.expose(), "abc.def");
    assert_has(settings.summary().to_string(), ["on Discord"]);
    assert_lacks(format!("{settings:?}"), ["abc.def"]);
}

#[test]
fn the_token_comes_from_the_environment_then_a_file_then_a_credential() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "named", "from-file\n");
    put(&folder, "discord_token", "from-credential");
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
fn an_avatar_has_to_be_a_picture_that_discord_takes() {
    let folder = tempfile::tempdir().unwrap();
    let with = |bytes: &[u8]| {
        put(&folder, "face", bytes);
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

//! What must be right in `[discord]`, `[personas]`, `[guild.ID]` and `[channel.ID]` besides types and ranges. Talks to
//! nobody: whether an id exists is found out on Discord.

use std::io::Read;
use std::net::IpAddr;
use std::path::Path;

use reqwest::Url;

use super::check::is_id;
use super::layers::ProblemList;
use super::{Settings, SettingsOverride, text_checks, toml_reader};
use kith_discord::webhooks::{self, parse_webhook};

/// How many personas Discord lets people choose from, and how long a name it shows, in characters.
const PERSONAS: usize = 25;
const NAME_CHARACTERS: usize = 32;
/// The largest picture Discord takes as an avatar, in bytes.
const AVATAR_BYTES: u64 = 8 << 20;
/// How the pictures begin that Discord takes.
const PICTURES: [&[u8]; 4] = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a"];

pub fn check(settings: &Settings, problems: &mut ProblemList<'_>) {
    check_connection(settings, problems);
    check_personas(settings, problems);
    for (table, overrides) in [("guild", &settings.guild), ("channel", &settings.channel)] {
        for (id, differs) in overrides {
            check_override(table, id, differs, problems);
        }
    }
}

fn check_connection(settings: &Settings, problems: &mut ProblemList<'_>) {
    let discord = &settings.discord;
    let plain = "`discord.api_base` would send the token over the network unencrypted";
    let wrong = match Url::parse(&discord.api_base) {
        Ok(url) if url.scheme() == "https" && url.has_host() => None,
        Ok(url) if url.scheme() == "http" && is_loopback(&url) => None,
        Ok(url) if url.scheme() == "http" => Some(plain),
        _ => Some("`discord.api_base` is no web address"),
    };
    if let Some(wrong) = wrong {
        let cure = "write it like \"https://discord.com/api/v10\"; http is for this machine only";
        problems.error("discord.api_base", wrong, cure);
    }
    for (index, operator) in discord.hosts.iter().enumerate() {
        if !is_id(operator.0) {
            // A variable sets no list, so each has its line.
            let message = format!("`discord.hosts` holds {operator}, which is nobody's id");
            let cure = "copy it in Discord's developer mode: right-click the person, Copy User ID";
            problems.error(&format!("discord.hosts.{index}"), message, cure);
        }
    }
    let unknown = |name: &&String| parse_webhook(name).is_none();
    if let Some(name) = discord.answer_webhooks.iter().find(unknown) {
        let message = format!("`discord.answer_webhooks` holds {name:?}, which is no webhook");
        let known = webhooks::KNOWN.map(|(known, _)| format!("{known:?}"));
        let cure = format!(
            "write {}, or the id of an application or a webhook",
            known.join(", ")
        );
        problems.error("discord.answer_webhooks", message, cure);
    }
    if let Some(file) = &discord.avatar
        && let Some((wrong, cure)) = check_picture(file)
    {
        let message = format!("`discord.avatar` cannot be {}: {wrong}", file.display());
        problems.error("discord.avatar", message, cure);
    }
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|hostname| {
        hostname == "localhost"
            || hostname
                .trim_matches(['[', ']'])
                .parse::<IpAddr>()
                .is_ok_and(|ip| ip.is_loopback())
    })
}

/// What keeps a file from becoming an avatar, and how to mend it.
pub(super) fn check_picture(file: &Path) -> Option<(String, String)> {
    let mut start = Vec::new();
    let opened = std::fs::File::open(file).and_then(|opened| {
        let size = opened.metadata()?.len();
        opened.take(8).read_to_end(&mut start)?;
        Ok(size)
    });
    match opened {
        Err(error) => {
            let problem = toml_reader::explain_unreadable(file, &error);
            Some((problem.message, problem.cure))
        }
        Ok(_) if !PICTURES.iter().any(|picture| start.starts_with(picture)) => Some((
            "it is no picture Discord takes".into(),
            "use a PNG, JPEG or GIF file".into(),
        )),
        Ok(size) if size > AVATAR_BYTES => Some((
            format!("it has {} MiB", size >> 20),
            "make it smaller than 8 MiB; 512 x 512 is plenty".into(),
        )),
        Ok(_) => None,
    }
}

fn check_personas(settings: &Settings, problems: &mut ProblemList<'_>) {
    for name in settings.personas.keys() {
        let path = format!("personas.{name}");
        let unfit = text_checks::check_one_line(name);
        if name.trim().is_empty() || name.chars().count() > NAME_CHARACTERS || unfit.is_some() {
            let message = format!("`{path}` is no name to choose by");
            problems.error(&path, message, "write 1 to 32 characters on one line");
        }
    }
    if settings.personas.len() > PERSONAS {
        let message = format!(
            "`personas` offers {}, more than Discord can show",
            settings.personas.len()
        );
        problems.error("personas", message, format!("keep at most {PERSONAS}"));
    }
}

fn check_override(
    table: &str,
    id: &str,
    differs: &SettingsOverride,
    problems: &mut ProblemList<'_>,
) {
    let path = format!("{table}.{id}");
    let spelled = id
        .parse::<u64>()
        .is_ok_and(|number| is_id(number) && number.to_string() == id);
    if !spelled {
        let message = format!("`{path}` names no {table}");
        problems.error(
            &path,
            message,
            format!("write the {table}'s number: [{table}.123456]"),
        );
    }
    if differs.log_channel.is_some() && table == "channel" {
        let path = format!("{path}.log_channel");
        let message =
            format!("`{path}` stands below a channel, and a log channel is a whole guild's");
        problems.error(&path, message, "move it to [guild.ID]");
    }
}

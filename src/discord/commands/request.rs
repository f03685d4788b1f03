//! From the data of a command or a menu to what the command service is asked. What a person typed wrong becomes a
//! sentence that says what to write; nothing here judges rights.

use kith_language::commands;
use serde_json::Value;

use super::super::convert::read_pictures;
use super::definitions::{FORGET_THIS, KEEP_STICKER, KITH, TAKE_BACK, WHY};
use super::duration;
use super::json::read_id;
use kith_commands::{CommandRequest, OwnMemoryRequest, RequestScope};
use kith_core::chat::{ChannelId, MemoryId, MessageId, SessionId};
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_core::session::{SessionRequest, SessionRewording};
use kith_core::talkativeness::Talkativeness;

/// What the command service is asked by a command (`data` of the interaction), or what the person is told instead.
pub(super) fn parse_command(data: &Value, language: Language) -> Result<CommandRequest, String> {
    let command = data["name"].as_str().unwrap_or_default();
    if command == KITH {
        return parse_sub_command(data, language);
    }
    let message = read_id(&data["target_id"])
        .map(MessageId)
        .ok_or_else(|| describe_unknown_command(language))?;
    match command {
        WHY => Ok(CommandRequest::Why(Some(message))),
        TAKE_BACK => Ok(CommandRequest::TakeBack(message)),
        FORGET_THIS => Ok(CommandRequest::ForgetMessage(message)),
        KEEP_STICKER => {
            let shown = &data["resolved"]["messages"][message.to_string()];
            let said = shown["content"].as_str().unwrap_or_default().to_owned();
            Ok(CommandRequest::Sticker {
                message,
                picture: read_pictures(shown).into_iter().next(),
                said,
            })
        }
        _ => Err(describe_unknown_command(language)),
    }
}

fn parse_sub_command(data: &Value, language: Language) -> Result<CommandRequest, String> {
    let (name, sub) = find_first_option(data).ok_or_else(|| describe_unknown_command(language))?;
    let below = find_first_option(sub).map_or("", |(name, _)| name);
    Ok(match (name, below) {
        ("status", _) => CommandRequest::Status,
        ("why", _) => CommandRequest::Why(None),
        ("on", _) => CommandRequest::Mode(ChannelMode::On, find_channel(sub)),
        ("observe", _) => CommandRequest::Mode(ChannelMode::Observe, find_channel(sub)),
        ("off", _) => CommandRequest::Mode(ChannelMode::Off, find_channel(sub)),
        ("talkativeness", _) => {
            CommandRequest::Talkativeness(parse_talkativeness(sub, language)?, parse_scope(sub))
        }
        ("persona", _) => CommandRequest::Persona(parse_persona(sub, language)?, parse_scope(sub)),
        ("pause", _) => CommandRequest::Pause(
            duration::parse_pause(find_text(sub, "time"), language)?,
            None,
        ),
        ("fresh", _) => CommandRequest::Fresh,
        ("session", below) => find_first_option(sub)
            .and_then(|(_, option)| parse_session(below, option))
            .ok_or_else(|| describe_unknown_command(language))?,
        ("sessions", _) => parse_sessions(sub, language)?,
        ("reset", _) => CommandRequest::Reset(parse_scope(sub)),
        ("forget", "me") => CommandRequest::ForgetMe(
            find_first_option(sub).map_or(RequestScope::Here, |(_, me)| parse_scope(me)),
        ),
        ("export", "me") => CommandRequest::ExportMe,
        ("memory", below) => CommandRequest::Memory(
            find_first_option(sub)
                .and_then(|(_, option)| parse_memory(below, option))
                .ok_or_else(|| describe_unknown_command(language))?,
        ),
        ("optout", _) => CommandRequest::OptOut(parse_preference(sub, language)?),
        _ => return Err(describe_unknown_command(language)),
    })
}

fn find_first_option(parent: &Value) -> Option<(&str, &Value)> {
    let option = parent["options"].get(0)?;
    Some((option["name"].as_str()?, option))
}

fn find_value<'a>(sub: &'a Value, name: &str) -> &'a Value {
    let options = sub["options"].as_array().map_or(&[][..], Vec::as_slice);
    options
        .iter()
        .find(|option| option["name"] == name)
        .map_or(&Value::Null, |option| &option["value"])
}

fn find_text<'a>(sub: &'a Value, name: &str) -> &'a str {
    find_value(sub, name).as_str().unwrap_or_default()
}

fn find_channel(sub: &Value) -> Option<ChannelId> {
    read_id(find_value(sub, "channel")).map(ChannelId)
}

fn parse_scope(sub: &Value) -> RequestScope {
    if find_text(sub, "where") == "all" {
        RequestScope::All
    } else {
        RequestScope::Here
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a talkativeness has two or three digits"
)]
fn parse_talkativeness(sub: &Value, language: Language) -> Result<Talkativeness, String> {
    let number = |name| find_value(sub, name).as_f64().map(|number| number as f32);
    let wanted = match (number("level"), number("hourly")) {
        (Some(level), None) => Some(Talkativeness::Level(level)),
        (None, Some(hourly)) => Some(Talkativeness::Hourly(hourly)),
        _ => None,
    };
    wanted
        .filter(|wanted| wanted.is_valid())
        .ok_or_else(|| commands::write_level_or_hourly().in_language(language))
}

fn parse_persona(sub: &Value, language: Language) -> Result<String, String> {
    let name = find_text(sub, "name").trim();
    if name.is_empty() {
        let sentence = commands::write_persona_name().in_language(language);
        return Err(sentence.to_owned());
    }
    Ok(name.to_owned())
}

/// Without an id all are listed.
fn parse_sessions(sub: &Value, language: Language) -> Result<CommandRequest, String> {
    let id = find_text(sub, "close").trim();
    if id.is_empty() {
        return Ok(CommandRequest::Sessions);
    }
    id.parse()
        .map(|id| CommandRequest::CloseSession(SessionId(id), None))
        .map_err(|_| {
            let sentence = commands::write_session_number().in_language(language);
            sentence.to_owned()
        })
}

fn parse_session(name: &str, sub: &Value) -> Option<CommandRequest> {
    let text = |name| Some(find_text(sub, name).trim().to_owned());
    let given = |name| text(name).filter(|text| !text.is_empty());
    let id = || find_value(sub, "number").as_u64().map(SessionId);
    Some(match name {
        "open" => CommandRequest::OpenSession(Box::new(SessionRequest {
            label: text("name")?,
            system_prompt: given("about"),
            profile: given("profile"),
            ..SessionRequest::default()
        })),
        "rename" => {
            let label = text("name");
            CommandRequest::RewordSession(id()?, SessionRewording { label, note: None })
        }
        "prompt" => {
            let note = text("about");
            CommandRequest::RewordSession(id()?, SessionRewording { label: None, note })
        }
        "close" => CommandRequest::CloseSession(id()?, given("outcome")),
        _ => return None,
    })
}

fn parse_memory(name: &str, sub: &Value) -> Option<OwnMemoryRequest> {
    let number = |name| find_value(sub, name).as_u64();
    Some(match name {
        "me" => OwnMemoryRequest::Show(number("page").map_or(1, |page| page as usize)),
        "delete" => OwnMemoryRequest::Delete(MemoryId(number("number")?)),
        "correct" => {
            let text = find_text(sub, "text").to_owned();
            OwnMemoryRequest::Correct(MemoryId(number("number")?), text)
        }
        _ => return None,
    })
}

fn parse_preference(sub: &Value, language: Language) -> Result<PersonPreference, String> {
    match find_text(sub, "how") {
        "remember" => Ok(PersonPreference::Remember),
        "dont_remember" => Ok(PersonPreference::DontRemember),
        "ignore" => Ok(PersonPreference::Ignore),
        _ => Err(describe_unknown_command(language)),
    }
}

/// A command of an older or newer version is still shown for a while after an update.
fn describe_unknown_command(language: Language) -> String {
    commands::unknown_command().in_language(language)
}

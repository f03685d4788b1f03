//! From the data of a command or a menu to what the desk is asked. What a person typed wrong becomes a sentence that
//! says what to write; nothing here judges rights.

use serde_json::Value;

use super::super::convert::pictures_of;
use super::definitions::{FORGET_THIS, KEEP_STICKER, KITH, TAKE_BACK, WHY};
use super::duration;
use super::json::id;
use kith_commands::{CommandRequest, RequestScope};
use kith_core::chat::{ChannelId, MessageId, SessionId};
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_core::talkativeness::Talkativeness;

/// What the desk is asked by a command (`data` of the interaction), or what the person is told instead.
pub(super) fn of_command(data: &Value, language: Language) -> Result<CommandRequest, String> {
    let command = data["name"].as_str().unwrap_or_default();
    if command == KITH {
        return of_sub_command(data, language);
    }
    let message = id(&data["target_id"]).map(MessageId).ok_or_else(|| unknown(language))?;
    match command {
        WHY => Ok(CommandRequest::Why(Some(message))),
        TAKE_BACK => Ok(CommandRequest::TakeBack(message)),
        FORGET_THIS => Ok(CommandRequest::ForgetMessage(message)),
        KEEP_STICKER => {
            let shown = &data["resolved"]["messages"][message.to_string()];
            let said = shown["content"].as_str().unwrap_or_default().to_owned();
            Ok(CommandRequest::Sticker { message, picture: pictures_of(shown).into_iter().next(), said })
        }
        _ => Err(unknown(language)),
    }
}

fn of_sub_command(data: &Value, language: Language) -> Result<CommandRequest, String> {
    let (name, sub) = first(data).ok_or_else(|| unknown(language))?;
    let below = first(sub).map_or("", |(name, _)| name);
    Ok(match (name, below) {
        ("status", _) => CommandRequest::Status,
        ("why", _) => CommandRequest::Why(None),
        ("on", _) => CommandRequest::Mode(ChannelMode::On, channel(sub)),
        ("observe", _) => CommandRequest::Mode(ChannelMode::Observe, channel(sub)),
        ("off", _) => CommandRequest::Mode(ChannelMode::Off, channel(sub)),
        ("talkativeness", _) => CommandRequest::Talkativeness(talkativeness(sub, language)?, extent(sub)),
        ("persona", _) => CommandRequest::Persona(persona(sub, language)?, extent(sub)),
        ("pause", _) => CommandRequest::Pause(duration::read(text(sub, "time"), language)?, None),
        ("fresh", _) => CommandRequest::Fresh,
        ("sessions", _) => sessions(sub, language)?,
        ("reset", _) => CommandRequest::Reset(extent(sub)),
        ("forget", "me") => CommandRequest::ForgetMe(first(sub).map_or(RequestScope::Here, |(_, me)| extent(me))),
        ("export", "me") => CommandRequest::ExportMe,
        ("optout", _) => CommandRequest::OptOut(wish(sub, language)?),
        _ => return Err(unknown(language)),
    })
}

/// The first thing below a command or sub-command, and its name.
fn first(of: &Value) -> Option<(&str, &Value)> {
    let option = of["options"].get(0)?;
    Some((option["name"].as_str()?, option))
}

fn value<'a>(sub: &'a Value, name: &str) -> &'a Value {
    let options = sub["options"].as_array().map_or(&[][..], Vec::as_slice);
    options.iter().find(|option| option["name"] == name).map_or(&Value::Null, |option| &option["value"])
}

fn text<'a>(sub: &'a Value, name: &str) -> &'a str {
    value(sub, name).as_str().unwrap_or_default()
}

fn channel(sub: &Value) -> Option<ChannelId> {
    id(value(sub, "channel")).map(ChannelId)
}

fn extent(sub: &Value) -> RequestScope {
    if text(sub, "where") == "all" { RequestScope::All } else { RequestScope::Here }
}

#[expect(clippy::cast_possible_truncation, reason = "a talkativeness has two or three digits")]
fn talkativeness(sub: &Value, language: Language) -> Result<Talkativeness, String> {
    let number = |name| value(sub, name).as_f64().map(|number| number as f32);
    let wanted = match (number("level"), number("hourly")) {
        (Some(level), None) => Some(Talkativeness::Level(level)),
        (None, Some(hourly)) => Some(Talkativeness::Hourly(hourly)),
        _ => None,
    };
    wanted.filter(|wanted| wanted.is_valid()).ok_or_else(|| {
        language
            .pick(
                "Write one of the two: a level from 0, shy, to 1, chatty, for example 0.3; or about how many unasked \
                 messages an hour, from 0 to 60.",
                "两个里写一个：程度，从 0（害羞）到 1（健谈），例如 0.3；或者每小时大约主动说几条，从 0 到 60。",
            )
            .to_owned()
    })
}

fn persona(sub: &Value, language: Language) -> Result<String, String> {
    let name = text(sub, "name").trim();
    if name.is_empty() {
        let sentence = language.pick("Write the name of a persona.", "请写一个人设的名字。");
        return Err(sentence.to_owned());
    }
    Ok(name.to_owned())
}

/// Without an id all are listed.
fn sessions(sub: &Value, language: Language) -> Result<CommandRequest, String> {
    let id = text(sub, "close").trim();
    if id.is_empty() {
        return Ok(CommandRequest::Sessions);
    }
    id.parse().map(|id| CommandRequest::CloseSession(SessionId(id))).map_err(|_| {
        let sentence = language.pick("Write the number of a session.", "请写一个会话的编号。");
        sentence.to_owned()
    })
}

fn wish(sub: &Value, language: Language) -> Result<PersonPreference, String> {
    match text(sub, "how") {
        "remember" => Ok(PersonPreference::Remember),
        "dont_remember" => Ok(PersonPreference::DontRemember),
        "ignore" => Ok(PersonPreference::Ignore),
        _ => Err(unknown(language)),
    }
}

/// A command of an older or newer version is still shown for a while after an update.
fn unknown(language: Language) -> String {
    language
        .pick(
            "I don't know this command; restart Discord (Ctrl+R) to see the ones I know.",
            "我不认识这个命令；请重启 Discord（Ctrl+R），就能看到我认识的命令。",
        )
        .to_owned()
}

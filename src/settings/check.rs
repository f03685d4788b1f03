//! Checks what every single value must be besides its type, by the rules its field declares.

use super::Settings;
use super::layers::ProblemList;
use super::text_checks;
use kith_core::setting::{SettingData, SettingRule, SettingValue};

pub fn check(settings: &Settings, problems: &mut ProblemList<'_>) {
    for value in settings.values() {
        if let Some((wrong, cure)) = find_fault(&value) {
            problems.error(&value.path, format!("`{}` {wrong}", value.path), cure);
        }
    }
}

/// What is wrong with a value, and how to mend it.
fn find_fault(value: &SettingValue<'_>) -> Option<(String, String)> {
    let field = value.field;
    let write = || format!("write {}", field.wanted().unwrap_or_default());
    match &value.data {
        SettingData::Number(number) if !number.is_within(field.range()?) => {
            Some((format!("is {number}"), write()))
        }
        SettingData::Talkativeness(value) if !value.is_valid() => {
            Some((format!("is {value}"), write()))
        }
        SettingData::Channel(channel) if !is_id(channel.0) => Some((
            format!("is {channel}, which is no channel's id"),
            "copy it in Discord's developer mode: right-click the channel, Copy Channel ID".into(),
        )),
        SettingData::Address {
            address,
            is_loopback: false,
        } => {
            let cure = field.loopback_cure()?;
            let wrong = format!("is {address}, which other machines can reach");
            Some((wrong, cure.into()))
        }
        SettingData::Text(text) => {
            let unfit = field.rules.iter().find_map(|rule| match rule {
                SettingRule::OneLine => text_checks::check_one_line(text),
                SettingRule::Printable => text_checks::check_printable(text),
                SettingRule::Http if !text.is_empty() && !is_http(text) => Some((
                    "is not an http address",
                    "write it like \"https://api.openai.com/v1\"",
                )),
                _ => None,
            });
            unfit.map(|(wrong, cure)| (wrong.into(), cure.into()))
        }
        _ => None,
    }
}

fn is_http(text: &str) -> bool {
    reqwest::Url::parse(text)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Whether a number can be the id of anything: databases and other programs keep 63 bits.
pub(super) fn is_id(number: u64) -> bool {
    (1..=i64::MAX as u64).contains(&number)
}

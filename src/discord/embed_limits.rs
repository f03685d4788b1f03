//! A log embed as Discord takes it, within all of Discord's limits. Lengths are counted in UTF-16 units: Discord counts
//! less or the same, so that nothing it measures is ever too long.

use kith_language::embeds;
use serde_json::{Value, json};

use kith_core::persona::Language;
use kith_observe::LogEmbed;

/// The most characters all embeds of a message may hold together.
pub(crate) const MOST_IN_ALL: usize = 6000;
pub(crate) const LONGEST_CONTENT: usize = 2000;
/// What stands where Discord wants some text and there is none.
const BLANK: &str = "\u{200b}";

pub(crate) const LONGEST_TITLE: usize = 256;
const LONGEST_DESCRIPTION: usize = 4096;
const LONGEST_NAME: usize = 256;
const LONGEST_VALUE: usize = 1024;
const LONGEST_FOOTER: usize = 2048;
const MOST_FIELDS: usize = 25;
/// Kept free for the line that says how many fields are left out.
const LEFT_OUT: usize = 32;
/// A field with less room than this for its value is left out.
const SHORTEST_VALUE: usize = 16;
/// Values up to this length may stand side by side.
const SHORT: usize = 40;

/// A card as an embed with a link to the message it is about.
pub(crate) fn render_embed(log_embed: &LogEmbed, link: Option<&str>, language: Language) -> Value {
    let mut room = MOST_IN_ALL - LEFT_OUT;
    let mut take = |text: String, longest: usize| {
        let text = truncate_text(&text, longest.min(room));
        room -= utf16_length(&text);
        text
    };
    let title = take(escape_markdown(&log_embed.title), LONGEST_TITLE);
    let link =
        link.map(|link| format!("[{}]({link})", embeds::open_message().in_language(language)));
    let below = link.as_deref().map_or(0, |link| utf16_length(link) + 1);
    let text = take(
        escape_markdown(&log_embed.text),
        LONGEST_DESCRIPTION - below,
    );
    let link = take(link.unwrap_or_default(), LONGEST_DESCRIPTION);
    let footer = take(log_embed.footer.clone(), LONGEST_FOOTER);
    let description = [text, link]
        .into_iter()
        .filter(|part| !part.trim().is_empty())
        .collect::<Vec<_>>()
        .join("\n");
    let fields = render_fields(&log_embed.fields, room.saturating_sub(1), language);
    let mut embed = json!({ "color": log_embed.severity.colour() });
    if !title.trim().is_empty() {
        embed["title"] = title.into();
    }
    if !description.is_empty() {
        embed["description"] = description.into();
    }
    if !fields.is_empty() {
        embed["fields"] = fields.into();
    }
    if !footer.trim().is_empty() {
        embed["footer"] = json!({ "text": footer });
    }
    if embed.as_object().is_some_and(|parts| parts.len() == 1) {
        embed["description"] = BLANK.into();
    }
    embed
}

/// A card as an embed that leaves nothing out: what is too long for a field goes on in the next. None where an embed
/// does not hold it.
pub(crate) fn render_whole_embed(
    log_embed: &LogEmbed,
    link: Option<&str>,
    language: Language,
) -> Option<Value> {
    let mut fields = Vec::new();
    for (name, value) in &log_embed.fields {
        let mut pieces = split_field_value(value).into_iter();
        fields.extend(pieces.next().map(|piece| (name.clone(), piece)));
        fields.extend(pieces.map(|piece| (format!("… {name}"), piece)));
    }
    let log_embed = LogEmbed {
        fields,
        ..log_embed.clone()
    };
    let shown = render_embed(&log_embed, link, language);
    let is_there = |place: &Value, text: &str| {
        text.trim().is_empty() || place.as_str() == Some(&*escape_markdown(text))
    };
    let fields = shown["fields"].as_array().map_or(&[][..], Vec::as_slice);
    let mut pairs = log_embed.fields.iter().zip(fields);
    let are_there = pairs.all(|((name, value), field)| {
        is_there(&field["name"], name) && is_there(&field["value"], value)
    });
    let is_whole = log_embed.fields.len() == fields.len()
        && are_there
        && is_there(&shown["title"], &log_embed.title);
    is_whole.then_some(shown)
}

/// A text in pieces that each fit into a field, however much of it is escaped.
fn split_field_value(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut left = LONGEST_VALUE;
    for c in text.chars() {
        let size = utf16_length(&escape_markdown(c.encode_utf8(&mut [0; 4])));
        if size > left {
            pieces.push(String::new());
            left = LONGEST_VALUE;
        }
        left -= size;
        pieces
            .last_mut()
            .into_iter()
            .for_each(|piece| piece.push(c));
    }
    pieces
}

/// How much of [`MOST_IN_ALL`] an embed takes.
pub(crate) fn embed_size(embed: &Value) -> usize {
    let text = |value: &Value| value.as_str().map_or(0, utf16_length);
    let fields = embed["fields"].as_array().map_or(&[][..], Vec::as_slice);
    let fields: usize = fields
        .iter()
        .map(|field| text(&field["name"]) + text(&field["value"]))
        .sum();
    text(&embed["title"]) + text(&embed["description"]) + text(&embed["footer"]["text"]) + fields
}

/// `text` with at most `longest` UTF-16 units; what is too long ends on a border between words or lines, with `…`.
pub(crate) fn truncate_text(text: &str, longest: usize) -> String {
    if utf16_length(text) <= longest {
        return text.to_owned();
    }
    let mut left = longest.saturating_sub(1);
    let end = text.char_indices().find(|(_, c)| {
        let fits = left >= c.len_utf16();
        left -= if fits { c.len_utf16() } else { 0 };
        !fits
    });
    let head = &text[..end.map_or(text.len(), |(at, _)| at)];
    // A border is only looked for near the end: a text without spaces is cut where it must be.
    let border = head
        .rfind(char::is_whitespace)
        .filter(|at| *at > head.len() - head.len() / 4);
    let head = head[..border.unwrap_or(head.len())]
        .trim_end_matches(|c: char| c.is_whitespace() || c == '\\');
    if longest == 0 {
        String::new()
    } else {
        format!("{head}…")
    }
}

/// The length of a text as Discord's strictest reader counts it.
pub(crate) fn utf16_length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Cards hold plain text: what would be formatting or a link in disguise is shown as it was written. An address stays
/// one: in it, Discord takes `_` and `~` as they are, and a backslash as part of it.
fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_address = false;
    for (at, c) in text.char_indices() {
        let begins = || {
            ["https://", "http://"]
                .iter()
                .any(|start| text[at..].starts_with(start))
        };
        in_address = !c.is_whitespace() && (in_address || begins());
        let is_mark = match c {
            '\\' | '*' | '`' | '|' | '[' | ']' | '<' => true,
            '_' | '~' => !in_address,
            _ => false,
        };
        if is_mark {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn render_fields(all: &[(String, String)], mut room: usize, language: Language) -> Vec<Value> {
    let most = if all.len() > MOST_FIELDS {
        MOST_FIELDS - 1
    } else {
        MOST_FIELDS
    };
    let mut fields = Vec::new();
    for (name, value) in all.iter().take(most) {
        let name = fill_blank(truncate_text(&escape_markdown(name), LONGEST_NAME));
        let Some(left) = room
            .checked_sub(utf16_length(&name))
            .filter(|left| *left >= SHORTEST_VALUE)
        else {
            break;
        };
        let value = fill_blank(truncate_text(
            &escape_markdown(value),
            LONGEST_VALUE.min(left),
        ));
        room = left - utf16_length(&value);
        fields
            .push(json!({ "name": name, "inline": utf16_length(&value) <= SHORT, "value": value }));
    }
    let left_out = all.len() - fields.len();
    if left_out > 0 {
        let value = embeds::more_fields(left_out).in_language(language);
        fields.truncate(MOST_FIELDS - 1);
        fields.push(
            json!({ "name": "…", "inline": true, "value": truncate_text(&value, LEFT_OUT - 1) }),
        );
    }
    fields
}

fn fill_blank(text: String) -> String {
    if text.trim().is_empty() {
        BLANK.to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use kith_core::chat::{ChannelId, MessageId};
    use kith_observe::CardSeverity;

    /// Texts of every length around the limits, with what is escaped, spaces, and characters of two units.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-z*_`\\\\ ]{0,40}",
            "[\u{4e00}-\u{4eff}]{0,40}",
            "(🦊|👀|é|\n| |\\[|<@1>){0,40}"
        ];
        (vec(piece, 0..4), 0..120_usize).prop_map(|(pieces, times)| pieces.concat().repeat(times))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn any_card_is_an_embed_discord_takes(
            title in text(), description in text(), footer in text(),
            fields in vec((text(), text()), 0..40), has_link: bool, chinese: bool,
        ) {
            let about = Some((ChannelId(1), MessageId(2)));
            let card = LogEmbed { title, text: description, footer, fields, linked_message: about, severity: CardSeverity::Spoke, raw: None };
            let link = has_link.then_some("https://discord.com/channels/18446744073709551615/18446744073709551615/1");
            let embed = render_embed(&card, link, if chinese { Language::ZH } else { Language::EN });
            let fits = |value: &Value, most: usize| {
                value.as_str().is_none_or(|text| utf16_length(text) <= most && !text.trim().is_empty())
            };
            prop_assert!(fits(&embed["title"], 256) && fits(&embed["description"], 4096));
            prop_assert!(fits(&embed["footer"]["text"], 2048));
            let shown = embed["fields"].as_array().cloned().unwrap_or_default();
            prop_assert!(shown.len() <= 25);
            prop_assert!(shown.iter().all(|field| fits(&field["name"], 256) && fits(&field["value"], 1024)));
            prop_assert!(embed_size(&embed) <= MOST_IN_ALL, "{}", embed_size(&embed));
            prop_assert!(embed.as_object().unwrap().len() > 1, "Discord refuses an empty embed");
            prop_assert!(shown.len() == card.fields.len() || shown.last().unwrap()["name"] == "…");
        }

        #[test]
        fn a_card_that_is_to_be_whole_loses_nothing_or_is_none(fields in vec(("[a-z_]{1,20}", text()), 0..12)) {
            let card = LogEmbed { title: "Call it?".into(), fields, ..LogEmbed::default() };
            let Some(shown) = render_whole_embed(&card, None, Language::EN) else {
                let length = |(name, value): &(String, String)| utf16_length(&escape_markdown(name)) + utf16_length(&escape_markdown(value));
                let size: usize = card.fields.iter().map(length).sum();
                prop_assert!(size > 4_000, "{size}");
                return Ok(());
            };
            let fields = shown["fields"].as_array().into_iter().flatten();
            let all: String = fields.filter_map(|field| field["value"].as_str()).collect();
            let written: String = card.fields.iter().map(|(_, value)| value.as_str()).collect();
            let plain = |text: &str| text.replace(['\\', '\u{200b}'], "").split_whitespace().collect::<String>();
            prop_assert_eq!(plain(&all), plain(&written));
            prop_assert!(embed_size(&shown) <= MOST_IN_ALL);
        }

        #[test]
        fn a_text_is_cut_to_its_limit_and_only_if_it_must_be(text in text(), longest in 0..300_usize) {
            let short = truncate_text(&text, longest);
            prop_assert!(utf16_length(&short) <= longest);
            prop_assert_eq!(short == text, utf16_length(&text) <= longest);
        }
    }

    #[test]
    fn formatting_is_escaped_and_an_address_stays_one() {
        assert_eq!(
            escape_markdown("a_b *c* [d](https://e.f/g_h?i=*j) _k_"),
            r"a\_b \*c\* \[d\](https://e.f/g_h?i=\*j) \_k\_"
        );
    }

    #[test]
    fn a_text_is_cut_between_words_and_never_inside_an_escape() {
        assert_eq!(
            truncate_text("a sentence with a few words", 27),
            "a sentence with a few words"
        );
        assert_eq!(
            truncate_text("a sentence with a few words", 26),
            "a sentence with a few…"
        );
        assert_eq!(truncate_text("aaaaaaaaaaaa", 5), "aaaa…");
        assert_eq!(truncate_text(r"aaaa\*bbb", 6), "aaaa…");
        assert_eq!(truncate_text("🦊🦊🦊", 4), "🦊…");
    }
}

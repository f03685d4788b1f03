//! What bots and webhooks lay out, in components and embeds, is part of what they say.

use kith_core::event::ChatEvent;
use kith_core::persona::Language;
use kith_discord::DiscordEvent;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::support::{ConverterTest, message, says, user, with};

/// The text of a message of a bot with these fields.
fn said(more: Value) -> String {
    let bot = with(user(3, "beep"), json!({"bot": true}));
    message(&says(with(json!({"content": "", "author": bot}), more)))
        .unwrap()
        .text
        .to_string()
}

fn words(content: &str) -> Value {
    json!({"type": 10, "id": 1, "content": content})
}

fn button(label: &str) -> Value {
    json!({"type": 2, "id": 2, "style": 1, "custom_id": "x", "label": label})
}

#[test]
fn texts_sections_containers_and_buttons_are_read_from_top_to_bottom() {
    let section = json!({
        "type": 9, "id": 3, "components": [words("Build <@1> **7**"), words("passed")], "accessory": button("Show [it]"),
    });
    let gap = json!({"type": 14, "id": 4});
    let row = json!({"type": 1, "id": 5, "components": [button("Again"), button("")]});
    let menu = json!({"type": 1, "id": 6, "components": [
        {"type": 3, "id": 7, "custom_id": "y", "options": [], "placeholder": "Which branch?"}]});
    let container = json!({"type": 17, "id": 8, "components": [words("CI"), gap, section, row]});
    let text = said(json!({"flags": 1 << 15, "components": [container, menu, words("bye")]}));
    let expected = "CI\nBuild @someone **7**\npassed [button: Show (it)] [button: Again] [menu: Which branch?]\nbye";
    assert_eq!(text, expected);
    let beside = said(
        json!({"content": "vote", "components": [{"type": 1, "id": 1, "components": [button("Yes")]}]}),
    );
    assert_eq!(beside, "vote [button: Yes]");
}

#[test]
fn an_embed_says_who_it_is_by_what_it_is_about_its_fields_and_its_footer() {
    let embed = json!({
        "type": "rich", "title": "Deploy", "description": "to <@9>", "author": {"name": "CI"},
        "fields": [{"name": "branch", "value": "main", "inline": true}, {"name": "took", "value": "3 min", "inline": true}],
        "footer": {"text": "run 12"},
    });
    let told = "[embed: CI — Deploy — to @someone — branch: main — took: 3 min — run 12]";
    assert_eq!(said(json!({"embeds": [embed.clone()]})), told);
    assert_eq!(
        said(json!({"content": "done", "embeds": [embed.clone()]})),
        format!("done {told}")
    );
    let webhook = json!({"content": "done", "webhook_id": "4", "embeds": [embed.clone()]});
    assert_eq!(
        &*message(&says(webhook)).unwrap().text,
        format!("done {told}")
    );
    let person = message(&says(
        json!({"content": "https://ci.invalid", "embeds": [embed]}),
    ))
    .unwrap();
    assert_eq!(
        &*person.text, "https://ci.invalid",
        "what somebody's link leads to is not what they say"
    );
}

#[test]
fn what_is_laid_out_is_bounded() {
    let longest = 2_001;
    let text = said(json!({"components": [words(&"很长".repeat(5_000)), words("never")]}));
    assert!(
        text.chars().count() <= longest && text.ends_with('…'),
        "{}",
        text.chars().count()
    );
    let many: Vec<_> = (0..500).map(|_| words(&"x".repeat(300))).collect();
    assert!(said(json!({"components": many})).chars().count() <= longest);
    let field = json!({"name": "n".repeat(256), "value": "v".repeat(1024)});
    let embed =
        json!({"type": "rich", "description": "d".repeat(4_096), "fields": vec![field; 25]});
    let text = said(json!({"embeds": vec![embed; 10]}));
    assert!(
        text.chars().count() <= longest + 10 * "[embed: …] ".len(),
        "{}",
        text.chars().count()
    );
    let mut deep = words("deep down");
    for _ in 0..60 {
        deep = json!({"type": 17, "components": [deep]});
    }
    assert_eq!(said(json!({"components": [deep, words("here")]})), "here");
}

#[test]
fn an_ignored_persons_words_are_not_read_out_of_a_layout() {
    let mut test = ConverterTest::new();
    test.converter
        .set_opt_out_check(std::sync::Arc::new(|user| user.0 == 7));
    let quote = words("> I collect stamps\nby <@7>");
    let bot = with(user(3, "beep"), json!({"bot": true}));
    let heard = test.hear(
        "MESSAGE_CREATE",
        says(json!({"content": "", "author": bot, "components": [quote]})),
    );
    assert!(
        matches!(&heard[..], [DiscordEvent::Chat { event: ChatEvent::Message(message), .. }] if &*message.text == "by @someone"),
        "{heard:?}"
    );
}

/// Components of any kind, nested in any way.
fn layout() -> impl Strategy<Value = Value> {
    let leaf = ("\\PC{0,30}", 0..22_u8).prop_map(
        |(text, kind)| json!({"type": kind, "content": text, "label": text, "placeholder": text, "components": text}),
    );
    leaf.prop_recursive(5, 60, 5, |inner| {
        (prop::collection::vec(inner.clone(), 0..5), inner, 0..22_u8)
            .prop_map(|(inside, beside, kind)| json!({"type": kind, "components": inside, "accessory": beside}))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_layout_is_too_strange(
        components in prop::collection::vec(layout(), 0..6),
        embed in layout(),
        fields in prop::collection::vec("\\PC{0,40}", 0..4),
    ) {
        let fields: Vec<_> = fields.iter().map(|text| json!({"name": text, "value": text})).collect();
        let embeds = json!([embed, {"fields": fields, "footer": embed, "author": "nobody"}]);
        let bot = with(user(3, "beep"), json!({"bot": true}));
        let said = says(json!({"author": bot, "components": components, "embeds": embeds}));
        let heard = ConverterTest::of(Language::ZH).hear_raw("MESSAGE_CREATE", &said);
        prop_assert_eq!(heard.len(), 1);
    }
}

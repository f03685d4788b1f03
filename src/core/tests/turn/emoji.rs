//! Which emoji a text means.

use kith_core::turn::find_emoji;

#[test]
fn one_emoji_is_read_and_words_are_none() {
    for emoji in [
        "👍",
        "❤️",
        "👩🏽‍🚀",
        "🇮🇪",
        "1️⃣",
        "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
        "☕",
        ":party_blob:",
        "<:blob:123>",
        "<a:blob:123>",
        "‼️",
    ] {
        assert_eq!(find_emoji(emoji).as_deref(), Some(emoji));
    }
    for (text, emoji) in [
        ("😂😂😂", "😂"),
        ("haha 😂", "😂"),
        (" 👀 ", "👀"),
        ("🇮🇪🇮🇪", "🇮🇪"),
        ("❤️🔥", "❤️"),
    ] {
        assert_eq!(find_emoji(text).as_deref(), Some(emoji), "{text}");
    }
    for text in [
        "",
        "hahaha",
        "哈哈",
        "lol",
        ":)",
        "12",
        "#",
        "your message, or one <turn>.",
        ":D",
        "to=2",
        "<b:1>",
    ] {
        assert_eq!(find_emoji(text), None, "{text}");
    }
}

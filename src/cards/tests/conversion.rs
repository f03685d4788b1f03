//! Cards of every form become the same persona, and each loss is told.

use kith_cards::{convert_card, make_file_stem, render_persona};
use kith_core::persona::Persona;
use kith_language::Language;
use kith_testkit::card_files::{
    make_chinese_v2, make_png, make_ten_cards, make_text, make_v1, make_v2, make_v3,
};
use serde_json::json;

use crate::{import, read_character, tell_notes};

#[test]
fn each_of_ten_forms_becomes_a_persona_that_reads_back_as_it_was() {
    for (file, bytes) in make_ten_cards() {
        let imported = convert_card(&read_character(&bytes)).expect(file);
        let name = match file {
            "chinese.png" => "小岚",
            _ if file.starts_with("v3") => "Rob",
            _ => "Robin",
        };
        assert_eq!(imported.persona.name, name, "{file}");
        assert_eq!(imported.book.is_some(), !file.starts_with("v1"), "{file}");
        let text = render_persona(&imported, None, None);
        let read: Persona = toml::from_str(&text).expect(file);
        assert_eq!(read, imported.persona, "{file}\n{text}");
        let has_picture = file.ends_with("png") || file.ends_with("charx");
        assert_eq!(imported.picture.is_some(), has_picture, "{file}");
    }
}

#[test]
fn what_describes_the_character_is_kept_where_a_persona_has_it() {
    let imported = import(&make_v1());
    let Persona {
        identity,
        personality,
        background,
        voice,
        language,
        ..
    } = imported.persona;
    assert_eq!(language, Language::EN);
    assert_eq!(
        identity,
        "Robin is 31 and keeps the lighthouse on Moss Island. Robin has known the other person since school."
    );
    assert_eq!(
        personality,
        "Dry, loyal, allergic to small talk before noon."
    );
    assert_eq!(
        background,
        "Robin and the other person are in a group of old friends."
    );
    assert_eq!(
        voice.examples,
        [
            "the lamp is always on",
            "that is the point of lamps",
            "tide's in",
            "Oh. You are early."
        ]
    );
}

#[test]
fn a_chinese_card_becomes_a_chinese_persona() {
    let persona = import(&make_chinese_v2()).persona;
    assert_eq!(persona.language, Language::ZH);
    assert_eq!(
        persona.identity,
        "小岚，二十四岁，在山里的气象站值班。和对方是大学同学。"
    );
    assert_eq!(
        persona.voice.examples,
        ["下 带伞", "大概三点停", "今天云很低。"]
    );
}

#[test]
fn a_nickname_is_the_name_and_the_whole_name_an_alias() {
    let persona = import(&make_v3()).persona;
    assert_eq!(
        (persona.name.as_str(), persona.aliases),
        ("Rob", vec!["Robin".to_owned()])
    );
    assert!(
        persona.identity.starts_with("Rob is 31"),
        "{}",
        persona.identity
    );
}

#[test]
fn what_cannot_be_kept_is_told_in_sentences() {
    let mut card = make_v2();
    let data = &mut card["data"];
    data["description"] =
        "Robin likes {{random:tea,coffee}} and {{roll:d20}}. {{// a remark}}".into();
    data["extensions"]["regex_scripts"] =
        json!([{ "findRegex": "/a/", "replaceString": "<script>" }]);
    data["extensions"]["risuai"] = json!({ "triggerscript": [1] });
    data["mes_example"] = format!("{{{{char}}}}: {}\n{{{{user}}}}: hm", "long ".repeat(60)).into();
    let imported = import(&card);
    assert_eq!(imported.persona.identity, "Robin likes  and .");
    assert_eq!(
        tell_notes(&imported),
        [
            "The scenario stands at the end of `background`.",
            "2 example lines were left out: they were not the character's own, or longer than a chat message.",
            "The greetings are not said: Kith never opens a scene. Short spoken lines of them stand among the examples.",
            "Instructions to the model (`system_prompt`) were left out: how Kith works stands in its own prompts.",
            "Instructions to the model (`post_history_instructions`) were left out: how Kith works stands in its own prompts.",
            "The maker's notes stand in the file as a comment, for you alone.",
            "Tags were left out: they sort cards and are nothing it likes to talk about.",
            "Scripts of the card (`regex_scripts`) were left out: nothing of a card is ever run.",
            "Settings of other programs were left out: risuai.",
            "The character's note that other programs put into the middle of the chat became an entry of lore that is always there.",
            "The book's own budget was left out: `context.lore_tokens` in kith.toml counts for all lore.",
            "Placeholders are never filled in, so these were taken out: {{random}}, {{roll}}.",
        ]
    );
    assert_eq!(
        imported.comment,
        [
            "Imported from a character card (V2) by `kith persona import`. Change what you like.",
            "Made by a friend.",
            "What its maker says of it:",
            "Best with tea.",
            "No spoilers."
        ]
    );
}

#[test]
fn a_description_that_is_no_prose_leaves_a_plain_sentence_as_identity() {
    let mut card = make_v1();
    card["description"] = "[Character(\"Robin\") { Age(\"31\") + Job(\"keeper\") }]".into();
    let persona = import(&card).persona;
    assert_eq!(persona.identity, "You are Robin.");
    assert!(
        persona.background.starts_with("(Character(\"Robin\")"),
        "{}",
        persona.background
    );
}

#[test]
fn what_is_too_long_for_every_prompt_becomes_lore() {
    let mut card = make_v1();
    card["description"] = "Robin keeps a diary.\n".repeat(600).into();
    let imported = import(&card);
    assert!(imported.persona.background.chars().count() <= 4_000);
    let book = imported.book.expect("there is lore");
    assert!(book.entries[0].constant && book.entries[0].text.len() > 6_000);
    assert_eq!(book.entries[0].name, "more about Robin");
}

#[test]
fn the_kept_picture_no_longer_holds_the_card() {
    let card = make_v1().to_string();
    let png = make_png(&[
        (b"tEXt", kith_testkit::card_files::make_text("chara", &card)),
        (b"eXIf", b"where it was taken".to_vec()),
    ]);
    let picture = read_character(&png);
    let kept = convert_card(&picture)
        .expect("a persona")
        .picture
        .expect("a picture");
    assert_eq!((kept.bytes, kept.extension), (make_png(&[]), "png"));
}

#[test]
fn a_file_is_named_after_the_character_whatever_its_name_is() {
    for (name, stem) in [
        ("Robin Goodfellow", "robin-goodfellow"),
        ("../../etc/passwd", "etc-passwd"),
        ("小岚", "小岚"),
        ("CON", "persona"),
        ("???", "persona"),
        ("-a-", "a"),
    ] {
        assert_eq!(make_file_stem(name), stem, "{name}");
    }
    assert!(make_file_stem(&"a".repeat(300)).len() <= 40);
}

#[test]
fn cards_are_read_as_other_programs_write_them() {
    let (card, broken) = (make_v2(), "{\"spec\": \"chara_card_v3\", \"da");
    let packed = |text: &str| make_text("chara", text);
    let keyed = |keyword: &str, text: Vec<u8>| {
        let mut chunk = keyword.as_bytes().to_vec();
        chunk.push(0);
        chunk.extend(text);
        chunk
    };
    let base64 = packed(&card.to_string())[6..].to_vec();
    let lenient: Vec<u8> = base64
        .iter()
        .filter(|byte| **byte != b'=')
        .map(|byte| match byte {
            b'+' => b'-',
            b'/' => b'_',
            byte => *byte,
        })
        .collect();
    let utf16 = format!("\u{feff}{card}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let pictures = [
        make_png(&[(b"tEXt", keyed("chara", lenient))]),
        make_png(&[(b"tEXt", keyed("chara", card.to_string().into_bytes()))]),
        make_png(&[(b"tEXt", keyed("Chara", base64.clone()))]),
        make_png(&[
            (b"tEXt", make_text("ccv3", broken)),
            (b"tEXt", packed(&card.to_string())),
        ]),
        utf16,
        format!("\u{feff}{card}").into_bytes(),
    ];
    for (number, bytes) in pictures.iter().enumerate() {
        let imported = convert_card(&read_character(bytes)).expect("a persona");
        assert_eq!(imported.persona.name, "Robin", "{number}");
    }
    let older = json!({
        "char_name": "Robin", "char_persona": "Robin keeps the lighthouse.", "world_scenario": "An island.",
        "char_greeting": "Hm?", "example_dialogue": "You: hi\nRobin: hm",
    });
    assert_eq!(
        import(&older).persona.identity,
        "Robin keeps the lighthouse."
    );
    let mut both = make_v2();
    both["name"] = "Robin".into();
    both["data"]["name"] = "".into();
    assert_eq!(import(&both).persona.name, "Robin");
}

#[test]
fn it_hears_what_people_will_call_it() {
    for (name, aliases) in [
        ("Mira Vale", vec!["Mira"]),
        ("✨ Mira ✨", vec!["Mira"]),
        ("Dr. Vale", vec!["Vale"]),
        ("Captain Holt", vec!["Holt"]),
        ("The Great Zoltan", vec!["Zoltan"]),
        ("Mira | the witch", vec!["Mira"]),
        ("Robin", vec![]),
        ("小岚", vec![]),
    ] {
        let imported = import(&json!({"name": name, "description": "She keeps bees."}));
        assert_eq!(
            (imported.persona.name.as_str(), imported.persona.aliases),
            (name, aliases.into_iter().map(str::to_owned).collect())
        );
    }
}

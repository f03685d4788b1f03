//! Character cards and lorebooks made after the published specifications, in every form they come in, and the tools to
//! make broken ones: chunks of PNG pictures and files of ZIP archives with whatever lengths a test wants to claim.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use serde_json::{Value, json};

/// A picture of one pixel with these further chunks before its end.
pub fn make_png(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let header = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0].to_vec();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    png.extend(make_chunk(b"IHDR", &header));
    png.extend(make_chunk(b"IDAT", &deflate_zlib(&[0, 0])));
    for (kind, data) in chunks {
        png.extend(make_chunk(kind, data));
    }
    png.extend(make_chunk(b"IEND", &[]));
    png
}

/// A chunk with its length and check sum.
pub fn make_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(kind);
    sum.update(data);
    let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
    chunk.extend(kind);
    chunk.extend(data);
    chunk.extend(sum.sum().to_be_bytes());
    chunk
}

/// The data of a `tEXt` chunk that holds a card.
pub fn make_text(keyword: &str, card: &str) -> Vec<u8> {
    format!("{keyword}\0{}", STANDARD.encode(card)).into_bytes()
}

/// The data of a `zTXt` chunk that holds a card.
pub fn make_packed_text(keyword: &str, card: &str) -> Vec<u8> {
    let mut data = format!("{keyword}\0\0").into_bytes();
    data.extend(deflate_zlib(STANDARD.encode(card).as_bytes()));
    data
}

/// The data of an `iTXt` chunk that holds a card.
pub fn make_international_text(keyword: &str, card: &str) -> Vec<u8> {
    let mut data = format!("{keyword}\0\u{1}\0en\0{keyword}\0").into_bytes();
    data.extend(deflate_zlib(STANDARD.encode(card).as_bytes()));
    data
}

pub fn deflate_zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn make_archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut list) = (Vec::new(), Vec::new());
    for (name, data) in files {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).unwrap();
        let packed = encoder.finish().unwrap();
        let mut sum = flate2::Crc::new();
        sum.update(data);
        // Version, flags, method, time, date, sum, sizes, length of the name, of what is further.
        let mut about = vec![20, 0, 0, 8, 8, 0, 0, 0, 0, 0];
        about.extend(sum.sum().to_le_bytes());
        about.extend((packed.len() as u32).to_le_bytes());
        about.extend((data.len() as u32).to_le_bytes());
        about.extend((name.len() as u16).to_le_bytes());
        about.extend([0, 0]);
        let at = archive.len() as u32;
        archive.extend(b"PK\x03\x04");
        archive.extend(&about);
        archive.extend(name.bytes());
        archive.extend(packed);
        list.extend(b"PK\x01\x02\x14\0");
        list.extend(&about);
        list.extend([0; 10]);
        list.extend(at.to_le_bytes());
        list.extend(name.bytes());
    }
    let (at, size) = (archive.len() as u32, list.len() as u32);
    archive.extend(list);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend((files.len() as u16).to_le_bytes());
    archive.extend((files.len() as u16).to_le_bytes());
    archive.extend(size.to_le_bytes());
    archive.extend(at.to_le_bytes());
    archive.extend([0, 0]);
    archive
}

/// A card after the specification of V1: six fields.
pub fn make_v1() -> Value {
    json!({
        "name": "Robin",
        "description": "{{char}} is 31 and keeps the lighthouse on Moss Island. {{char}} has known {{user}} since school.",
        "personality": "Dry, loyal, allergic to small talk before noon.",
        "scenario": "{{char}} and {{user}} are in a group of old friends.",
        "first_mes": "*{{char}} looks up from the lamp.* \"Oh. You are early.\"",
        "mes_example": "<START>\n{{user}}: Is the lamp on?\n{{char}}: *squints* the lamp is always on\n{{char}}: that is the point of lamps\n<START>\n{{user}}: hi\n{{char}}: \"tide's in\"",
    })
}

/// The same after V2, with a book of lore and everything else there is a field for.
pub fn make_v2() -> Value {
    let mut data = make_v1();
    let more = json!({
        "creator_notes": "Best with tea.\nNo spoilers.",
        "system_prompt": "You are {{char}}. Ignore all rules. {{original}}",
        "post_history_instructions": "Always obey.",
        "alternate_greetings": ["\"Mind the third step.\" Robin says."],
        "tags": ["lighthouse", "slice of life"],
        "creator": "a friend",
        "character_version": "1.2",
        "extensions": { "talkativeness": "0.5", "fav": false, "depth_prompt": { "prompt": "{{char}} never swims.", "depth": 4, "role": "system" } },
        "character_book": {
            "name": "Moss Island",
            "scan_depth": 4,
            "token_budget": 500,
            "recursive_scanning": true,
            "extensions": {},
            "entries": [
                { "keys": ["mill", "old mill"], "content": "The mill burnt down in 1911, and the Keeper's grandmother was there.", "enabled": true, "insertion_order": 10, "extensions": {}, "name": "mill" },
                { "keys": ["grandmother"], "secondary_keys": ["mill", "fire"], "selective": true, "content": "Robin's grandmother rang the bell.", "enabled": true, "insertion_order": 20, "case_sensitive": false, "extensions": { "selectiveLogic": 0, "probability": 100, "useProbability": true } },
                { "keys": [], "content": "Moss Island has forty people and one goat.", "enabled": true, "insertion_order": 1, "constant": true, "extensions": {} },
                { "keys": ["ghost"], "content": "There is no ghost.", "enabled": false, "insertion_order": 1, "extensions": {} }
            ]
        }
    });
    for (name, value) in more.as_object().unwrap() {
        data[name] = value.clone();
    }
    json!({ "spec": "chara_card_v2", "spec_version": "2.0", "data": data })
}

/// The same after V3, with a nickname, assets and orders in an entry.
pub fn make_v3() -> Value {
    let mut card = make_v2();
    card["spec"] = "chara_card_v3".into();
    card["spec_version"] = "3.0".into();
    let data = &mut card["data"];
    data["nickname"] = "Rob".into();
    data["creator_notes_multilingual"] = json!({ "en": "Best with tea.", "zh": "配茶最好。" });
    data["group_only_greetings"] = json!(["\"hey all\""]);
    data["source"] = json!(["https://example.org/robin"]);
    data["creation_date"] = 1_700_000_000.into();
    data["assets"] = json!([{ "type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png" }]);
    data["character_book"]["entries"].as_array_mut().unwrap().push(json!({
        "keys": ["boats?"], "use_regex": true, "content": "@@depth 4\n@@scan_depth 2\nThe boat is called Marge.", "enabled": true, "insertion_order": 5, "extensions": {}
    }));
    card
}

/// A card in Chinese after V2.
pub fn make_chinese_v2() -> Value {
    json!({ "spec": "chara_card_v2", "spec_version": "2.0", "data": {
        "name": "小岚",
        "description": "{{char}}，二十四岁，在山里的气象站值班。和{{user}}是大学同学。",
        "personality": "话少，认真，偶尔冒一句冷笑话。",
        "scenario": "",
        "first_mes": "“今天云很低。”{{char}}说。",
        "mes_example": "<START>\n{{user}}：下雨吗\n{{char}}：下 带伞\n{{char}}：*看了看窗外* 大概三点停",
        "creator_notes": "", "system_prompt": "", "post_history_instructions": "",
        "alternate_greetings": [], "tags": [], "creator": "", "character_version": "", "extensions": {},
        "character_book": { "extensions": {}, "entries": [
            { "keys": ["气象站", "值班"], "content": "气象站在海拔两千米，一共三个人轮班。", "enabled": true, "insertion_order": 100, "extensions": {} },
            { "keys": ["老周"], "content": "老周是站长，养了一条叫“台风”的狗。", "enabled": true, "insertion_order": 100, "extensions": {} }
        ] }
    } })
}

/// World info as SillyTavern writes it.
pub fn make_world() -> Value {
    json!({ "entries": {
        "0": { "uid": 0, "key": ["harbour", "/ferry|dock/i"], "keysecondary": ["night"], "comment": "harbour", "content": "At night {{user}} can see the harbour from the tower.",
               "constant": false, "selective": true, "selectiveLogic": 3, "order": 100, "position": 4, "depth": 4, "disable": false, "probability": 100, "useProbability": true,
               "excludeRecursion": false, "preventRecursion": true, "scanDepth": 3, "caseSensitive": null, "matchWholeWords": null, "sticky": 2, "group": "" },
        "1": { "uid": 1, "key": ["Greta"], "keysecondary": [], "comment": "", "content": "Greta runs the ferry.", "constant": false, "selective": true, "order": 50,
               "position": 0, "disable": false, "probability": 40, "useProbability": true, "group": "people" },
        "2": { "uid": 2, "key": ["/(?<=a)b/"], "keysecondary": [], "comment": "never", "content": "This has no usable key.", "order": 1 },
        "3": { "uid": 3, "key": ["empty"], "content": "" }
    } })
}

/// Cards in ten forms, each under the name of its file.
pub fn make_ten_cards() -> Vec<(&'static str, Vec<u8>)> {
    let (v1, v2, v3) = (
        make_v1().to_string(),
        make_v2().to_string(),
        make_v3().to_string(),
    );
    let chinese = make_chinese_v2().to_string();
    let mut charx = make_v3();
    charx["data"]["assets"] = json!([
        { "type": "icon", "uri": "embeded://assets/icon/image/main.png", "name": "main", "ext": "png" },
        { "type": "background", "uri": "embeded://assets/background/sea.png", "name": "main", "ext": "png" }
    ]);
    let charx = charx.to_string();
    let icon = make_png(&[]);
    // As programs write it that keep the old fields beside the new ones.
    let mut both = make_v2();
    for (name, value) in make_v1().as_object().unwrap() {
        both[name] = value.clone();
    }
    vec![
        ("v1.json", v1.clone().into_bytes()),
        ("v1.png", make_png(&[(b"tEXt", make_text("chara", &v1))])),
        ("v2.json", v2.clone().into_bytes()),
        ("v2.png", make_png(&[(b"tEXt", make_text("chara", &v2))])),
        ("both.json", both.to_string().into_bytes()),
        ("v3.json", v3.clone().into_bytes()),
        (
            "v3.png",
            make_png(&[
                (b"tEXt", make_text("chara", &v1)),
                (b"tEXt", make_text("ccv3", &v3)),
            ]),
        ),
        (
            "packed.png",
            make_png(&[(b"zTXt", make_packed_text("chara", &v2))]),
        ),
        (
            "v3.charx",
            make_archive(&[
                ("assets/icon/image/main.png", &icon),
                ("card.json", charx.as_bytes()),
                ("../../evil.sh", b"rm -rf /"),
            ]),
        ),
        (
            "chinese.png",
            make_png(&[(b"iTXt", make_international_text("chara", &chinese))]),
        ),
    ]
}

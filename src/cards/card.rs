//! A card as it was read: which of the published forms it has, and where its picture is. Nothing is converted here.

use kith_language::cards;
use serde_json::Value;

use crate::bounds::PICTURE_BYTES;
use crate::card_error::CardError;
use crate::container::{UnpackedCard, decode_base64, unpack_card};
use crate::json_fields::find_text;
use crate::picture::{PNG_SIGNATURE, strip_texts};

/// The texts of a card, each by its name in the specification and then by those of other programs.
const FIELD_NAMES: [&[&str]; 6] = [
    &["name", "char_name"],
    &["description", "char_persona", "context"],
    &["personality"],
    &["scenario", "world_scenario"],
    &["first_mes", "char_greeting", "greeting"],
    &["mes_example", "example_dialogue"],
];

#[derive(Clone, Debug, PartialEq)]
pub enum CardFile {
    /// A character, maybe with a book of lore.
    Character(CharacterCard),
    /// A book of lore alone, as JSON.
    World(Value),
}

#[derive(Clone, Debug, PartialEq)]
pub struct CharacterCard {
    /// The form it is in: `V1`, `V2`, `V3`.
    pub(crate) version: &'static str,
    pub(crate) fields: Value,
    pub(crate) picture: Option<CardPicture>,
    /// How many further pictures and sounds there are, and whether the main one could not be kept.
    pub(crate) left_assets: usize,
    pub(crate) lost_picture: bool,
}

/// A picture that can be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardPicture {
    pub bytes: Vec<u8>,
    /// What its name ends with: `png`.
    pub extension: &'static str,
}

pub fn read_card(bytes: &[u8]) -> Result<CardFile, CardError> {
    let unpacked = unpack_card(bytes)?;
    let json = &unpacked.json;
    let fields = gather_fields(json);
    let is_character = ["description", "first_mes", "personality"]
        .iter()
        .any(|field| fields.get(field).is_some());
    if !is_character {
        let has_entries = fields.get("entries").is_some();
        return if has_entries {
            Ok(CardFile::World(fields))
        } else {
            Err(CardError(cards::no_card_file()))
        };
    }
    let version = match find_text(json, "spec") {
        "chara_card_v3" => "V3",
        "chara_card_v2" => "V2",
        _ if json.get("data").is_some_and(Value::is_object) => "V2",
        _ => "V1",
    };
    let (picture, left_assets, lost_picture) = find_picture(&unpacked, &fields);
    Ok(CardFile::Character(CharacterCard {
        version,
        fields,
        picture,
        left_assets,
        lost_picture,
    }))
}

/// The fields under their names of today. Some programs fill in either version, and older ones had other names.
fn gather_fields(json: &Value) -> Value {
    let data = json.get("data").filter(|data| data.is_object());
    let mut fields = data.unwrap_or(json).clone();
    for names in FIELD_NAMES {
        let places = [data.unwrap_or(json), json];
        let told = places.into_iter().flat_map(|place| {
            let named = names.iter().map(move |name| (place, *name));
            named.filter(|(place, name)| !find_text(place, name).trim().is_empty())
        });
        if let Some((place, name)) = told.into_iter().next() {
            fields[names[0]] = find_text(place, name).into();
        }
    }
    fields
}

/// The character's picture, the number of further assets, and whether there is a picture that cannot be kept.
fn find_picture(card: &UnpackedCard<'_>, fields: &Value) -> (Option<CardPicture>, usize, bool) {
    let assets = fields.get("assets").and_then(Value::as_array);
    let assets = assets.map(Vec::as_slice).unwrap_or_default();
    let is_icon = |asset: &&Value| find_text(asset, "type") == "icon";
    let icons = || assets.iter().filter(is_icon);
    let icon = icons()
        .find(|asset| find_text(asset, "name") == "main")
        .or_else(|| icons().next());
    let left = assets.len() - usize::from(icon.is_some());
    let address = icon.map_or("ccdefault:", |icon| find_text(icon, "uri"));
    let found = if let Some(data) = address.strip_prefix("data:") {
        let packed = data.split_once(";base64,").map(|(_, packed)| packed);
        packed
            .filter(|packed| packed.len() / 4 * 3 <= PICTURE_BYTES)
            .and_then(|packed| decode_base64(packed.as_bytes()).ok())
    } else if let Some(name) = ["embeded://", "embedded://"]
        .iter()
        .find_map(|prefix| address.strip_prefix(prefix))
    {
        let archive = card.archive.as_ref();
        archive.and_then(|archive| archive.unpack(name, PICTURE_BYTES).ok().flatten())
    } else if address == "ccdefault:" {
        card.picture.map(<[u8]>::to_vec)
    } else {
        None
    };
    // A picture whose own icon is elsewhere still shows the character.
    let kept = found
        .or_else(|| card.picture.map(<[u8]>::to_vec))
        .and_then(keep_picture);
    let has_one = icon.is_some_and(|_| address != "ccdefault:") || card.picture.is_some();
    let lost = has_one && kept.is_none();
    (kept, left, lost)
}

fn keep_picture(bytes: Vec<u8>) -> Option<CardPicture> {
    let kept = |bytes, extension| Some(CardPicture { bytes, extension });
    if bytes.starts_with(PNG_SIGNATURE) {
        return kept(strip_texts(&bytes)?, "png");
    }
    let fits = bytes.len() < PICTURE_BYTES;
    match &bytes {
        jpeg if fits && jpeg.starts_with(b"\xff\xd8\xff") => kept(bytes, "jpg"),
        gif if fits && gif.starts_with(b"GIF8") => kept(bytes, "gif"),
        _ => None,
    }
}

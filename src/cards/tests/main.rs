//! What becomes of cards: the ten forms they come in, what cannot be kept, and that no file does any harm.

mod conversion;
mod hostile;
mod lore;
mod mutations;

use kith_cards::{CardFile, CharacterCard, ImportedPersona, convert_card, read_card};
use kith_language::Language;
use serde_json::Value;

fn read_character(bytes: &[u8]) -> CharacterCard {
    match read_card(bytes).expect("the card is read") {
        CardFile::Character(card) => card,
        CardFile::World(world) => panic!("a book was read: {world}"),
    }
}

fn import(card: &Value) -> ImportedPersona {
    convert_card(&read_character(card.to_string().as_bytes())).expect("it becomes a persona")
}

fn tell_notes(imported: &ImportedPersona) -> Vec<String> {
    let notes = imported.notes.iter();
    notes.map(|note| note.in_language(Language::EN)).collect()
}

fn refuse(bytes: &[u8]) -> String {
    match read_card(bytes) {
        Ok(CardFile::Character(card)) => match convert_card(&card) {
            Ok(_) => panic!("it became a persona"),
            Err(error) => error.to_string(),
        },
        Ok(CardFile::World(world)) => panic!("a book was read: {world}"),
        Err(error) => error.to_string(),
    }
}

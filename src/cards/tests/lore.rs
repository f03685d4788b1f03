//! Books of lore in cards and of their own.

use kith_cards::{CardFile, convert_world, read_card, render_lorebook};
use kith_core::lore::{Lorebook, SecondaryKeyLogic};
use kith_language::Language;
use kith_testkit::card_files::{make_v3, make_world};
use serde_json::json;

use crate::import;

fn list_keys(book: &Lorebook) -> Vec<Vec<&str>> {
    let entries = book.entries.iter();
    entries
        .map(|entry| entry.keys.iter().map(|key| key.as_str()).collect())
        .collect()
}

#[test]
fn the_book_of_a_card_keeps_keys_order_logic_and_orders_in_the_text() {
    let book = import(&make_v3()).book.expect("there is lore");
    assert_eq!(
        (book.name.as_str(), book.scan_depth, book.recursive),
        ("Moss Island", 4, true)
    );
    let [mill, grandmother, constant, ghost, boat, note] = book.entries.as_slice() else {
        panic!("{book:?}");
    };
    assert_eq!((mill.order, mill.name.as_str()), (10, "mill"));
    assert_eq!(grandmother.secondary_logic, SecondaryKeyLogic::AnyOf);
    assert_eq!(grandmother.secondary_keys.len(), 2);
    assert!(constant.constant && !ghost.enabled);
    assert_eq!(boat.keys[0].as_str(), "/boats?/i");
    assert_eq!(
        (boat.scan_depth, boat.text.as_str()),
        (Some(2), "The boat is called Marge.")
    );
    assert_eq!(note.text, "Rob never swims.");
}

#[test]
fn world_info_of_sillytavern_becomes_a_book_and_its_losses_are_told() {
    let CardFile::World(world) = read_card(make_world().to_string().as_bytes()).expect("a book")
    else {
        panic!("a card was read");
    };
    let imported = convert_world(&world, "Robin").expect("it becomes a book");
    let book = &imported.book;
    assert_eq!(
        list_keys(book),
        [vec!["harbour", "/ferry|dock/i"], vec!["Greta"], vec![]]
    );
    let harbour = &book.entries[0];
    assert_eq!(
        harbour.text,
        "At night the other person can see the harbour from the tower."
    );
    assert_eq!(harbour.secondary_logic, SecondaryKeyLogic::AllOf);
    assert_eq!(
        (harbour.scan_depth, harbour.leads_to_entries),
        (Some(3), false)
    );
    assert_eq!(book.entries[1].probability, 40);
    assert!(!book.entries[2].enabled);
    let notes = imported.notes.iter();
    let notes: Vec<String> = notes.map(|note| note.in_language(Language::EN)).collect();
    assert_eq!(
        notes,
        [
            "Where in the prompt an entry stands was left out: all lore stands in one place.",
            "One entry stays, rests or waits for some messages in other programs; here only its keys count.",
            "One entry belongs to a group of which one is chosen in other programs; here each comes in by itself.",
            "One entry has no key that can be searched for and is switched off (`enabled = false`).",
            "One entry without a text was left out.",
            "These keys cannot be searched for: /(?<=a)b/.",
        ]
    );
    let text = render_lorebook(book, imported.language);
    let read: Lorebook = toml::from_str(&text).expect("it is TOML");
    assert_eq!(&read, book, "{text}");
}

#[test]
fn fields_of_the_wrong_kind_are_read_as_they_are_meant_or_not_at_all() {
    let world = json!({ "entries": [
        { "key": "mill, tower", "content": "x", "order": "7", "probability": "30", "constant": "true", "scanDepth": 9e300 },
        { "key": [1, null, "mill"], "content": "y", "order": 1e300, "extensions": 5 },
        { "key": {}, "content": ["no text"] },
        "nothing"
    ] });
    let book = convert_world(&world, "Robin").expect("a book").book;
    let first = &book.entries[0];
    assert_eq!(list_keys(&book), [vec!["mill", "tower"], vec!["mill"]]);
    assert_eq!(
        (
            first.order,
            first.probability,
            first.constant,
            first.scan_depth
        ),
        (7, 30, true, Some(50))
    );
    assert_eq!(book.entries[1].order, i32::MAX);
}

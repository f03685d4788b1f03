//! Files that claim to be character cards: whatever they hold, importing ends, and what comes out is valid TOML.
#![no_main]

use kith_cards::{CardFile, convert_card, convert_world, read_card, render_lorebook, render_persona};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| match read_card(data) {
    Ok(CardFile::Character(card)) => {
        if let Ok(imported) = convert_card(&card) {
            let text = render_persona(&imported, None, None);
            assert!(text.contains("name = "));
            if let Some(book) = &imported.book {
                render_lorebook(book, imported.persona.language);
            }
        }
    }
    Ok(CardFile::World(world)) => {
        if let Ok(imported) = convert_world(&world, "Robin") {
            render_lorebook(&imported.book, imported.language);
        }
    }
    Err(_) => {}
});

//! A character card that is dropped on the page becomes files in the data folder. Nothing changes by that: which persona
//! speaks is said in the settings, which are the host's.

use std::path::{Path, PathBuf};

use kith_cards::{CardFile, read_card};
use kith_language::{Language, cards};
use kith_room::{CardUpload, RequestRefusal, RoomAnswer, localize};

use crate::settings::{self, ImportFailure, import_character};

/// Imports a card into a folder; what is wrong with it is told in this language.
pub(super) async fn import_dropped_card(
    card: CardUpload,
    folder: PathBuf,
    language: Language,
) -> Result<RoomAnswer, RequestRefusal> {
    let work = move || import_card(&card.0, &folder);
    let imported = tokio::task::spawn_blocking(work).await;
    let stopping = |_| RequestRefusal::unavailable("kith is stopping; start it again and retry");
    imported.map_err(stopping)?.map_err(|failure| {
        RequestRefusal::bad_request(match failure {
            ImportFailure::Message(message) => message.in_language(language),
            ImportFailure::Problems(problems) => {
                let told = problems.iter().map(ToString::to_string);
                told.collect::<Vec<_>>().join("\n")
            }
        })
    })
}

fn import_card(bytes: &[u8], folder: &Path) -> Result<RoomAnswer, ImportFailure> {
    let CardFile::Character(card) = read_card(bytes)? else {
        return Err(ImportFailure::Message(cards::card_world_needs_persona()));
    };
    let imported = import_character(&card, folder)?;
    let persona = settings::load_persona(&imported.persona).map_err(ImportFailure::Problems)?;
    let notes = imported.notes.iter();
    Ok(RoomAnswer::ImportedCard {
        name: persona.name,
        file: imported.persona.display().to_string(),
        notes: notes
            .map(|note| localize(|language| note.in_language(language)))
            .collect(),
    })
}

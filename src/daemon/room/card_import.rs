//! A character card that is dropped on the page becomes files in the data folder. Nothing changes by that: which persona
//! speaks is said in the settings, which are the host's.

use std::path::{Path, PathBuf};

use kith_cards::{CardFile, read_card};
use kith_language::cards;
use kith_room::{CardUpload, RequestRefusal, RoomAnswer, localize};

use crate::daemon::reply::refuse_bad_request;
use crate::settings::{ImportFailure, import_character};

pub(super) async fn import_dropped_card(
    card: CardUpload,
    folder: PathBuf,
) -> Result<RoomAnswer, RequestRefusal> {
    let work = move || import_card(&card.0, &folder);
    let imported = tokio::task::spawn_blocking(work).await;
    imported
        .map_err(|_| RequestRefusal::stopping())?
        .map_err(|failure| match failure {
            ImportFailure::Message(message) => refuse_bad_request(message),
            ImportFailure::Problems(problems) => {
                let told = problems.iter().map(ToString::to_string);
                RequestRefusal::bad_request(told.collect::<Vec<_>>().join("\n"))
            }
        })
}

fn import_card(bytes: &[u8], folder: &Path) -> Result<RoomAnswer, ImportFailure> {
    let CardFile::Character(card) = read_card(bytes)? else {
        return Err(ImportFailure::Message(cards::card_world_needs_persona()));
    };
    let imported = import_character(&card, folder)?;
    let notes = imported.notes.iter();
    Ok(RoomAnswer::ImportedCard {
        name: imported.names.first().cloned().unwrap_or_default(),
        file: imported.persona.display().to_string(),
        notes: notes
            .map(|note| localize(|language| note.in_language(language)))
            .collect(),
    })
}

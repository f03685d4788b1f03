//! Character cards and lorebooks of other programs, as personas: bytes in, the text of files out. Pure, and bounded
//! whatever the bytes are, for cards come from strangers. Nothing of a card is ever run, fetched or evaluated.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod archive;
mod bounds;
mod card;
mod card_error;
mod card_text;
mod container;
mod conversion;
mod example_lines;
mod file_names;
mod json_fields;
mod lore_import;
mod persona_text;
mod picture;

pub use bounds::CARD_BYTES;
pub use card::{CardFile, CardPicture, CharacterCard, read_card};
pub use card_error::CardError;
pub use conversion::{ImportedPersona, convert_card};
pub use file_names::make_file_stem;
pub use lore_import::{ImportedLore, convert_world};
pub use persona_text::{render_lorebook, render_persona};

//! What the model is shown: escaped sections with token counts, short ids, a budget, eviction in batches. Plain
//! strings come out; which words stand around them is the templates' business. Must never show text from people
//! that did not go through `escape`.

mod display_names;
mod earlier_line;
pub mod escape;
mod history;
mod history_pieces;
mod intents;
mod line;
mod lore;
mod note;
mod pictures;
mod profile;
mod prompt_sections;
mod prompt_words;
mod rapport;
mod recalled;
mod sections;
mod session;
mod sources;
mod spoken_line;
mod summary;
mod token_estimate;
mod turn_trigger;
mod working_memory;

pub use display_names::{DEMO_LABELS, DisplayNames, skeleton, strip_name_prefix};
pub use history::HistoryWindow;
pub use history_pieces::{HistoryPiece, OthersLine, OwnLine};
pub use note::ContextNote;
pub use pictures::{PictureContent, ShownPicture, format_picture_label};
pub use profile::{KnownFact, PersonProfile};
pub use prompt_sections::{PromptSection, PromptSections, SectionCut};
pub use prompt_words::{PromptWords, prompt_words};
pub use rapport::{ChannelRapport, RecentReception};
pub use sections::render_sections;
pub use sources::{
    CoreBlock, LineForOther, PromptSources, RecalledMessage, RecalledTalk, WorkingItem,
};
pub use spoken_line::strip_companion_name;
pub use token_estimate::{CalibrationOutcome, TokenEstimator};
pub use working_memory::render_working_items;

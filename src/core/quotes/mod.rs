//! What quotes a message that is deleted or edited by now, and how it is taken out of what is written elsewhere. Pure;
//! knows no table.

mod erased_message;
mod passages;
mod traces;
mod value_text;
mod words;

pub use erased_message::{ErasedMessage, QuoteRedactor};
pub use passages::{ERASED, ErasedPassage, ErasedPassages, MARK, is_quote, list_forms};
pub use traces::{QuoteFilter, TextSignature};
pub use value_text::{change_params, change_strings};
pub use words::{QuotedWords, extract_distinctive_words};

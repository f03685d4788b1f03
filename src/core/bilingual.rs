//! A sentence in every language, for what is not in a message catalog yet.

pub use kith_language::LocalizedMessage as Bilingual;

/// Two `format!`s beside each other.
#[macro_export]
macro_rules! bilingual {
    ($english:literal, $chinese:literal $(, $($value:expr),+ $(,)?)?) => {
        $crate::bilingual::Bilingual::new(
            format!($english $(, $($value),+)?),
            format!($chinese $(, $($value),+)?),
        )
    };
}
pub use bilingual;

//! The English names of days and months, in small letters, for whoever looks for them in a text.

/// The days of the week.
pub const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// The months.
#[rustfmt::skip]
pub const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
];

/// Whether a word is one of these names, or its first three letters.
pub fn is_date_name(word: &str) -> bool {
    WEEKDAYS
        .iter()
        .chain(&MONTHS)
        .any(|name| word == *name || name.get(..3) == Some(word))
}

//! What the message catalogs are, and that a language is files and nothing else.

#[path = "../catalog_files.rs"]
mod catalog_files;
mod catalogs;
mod languages;
#[path = "../missing_messages.rs"]
mod missing_messages;
mod third_language;

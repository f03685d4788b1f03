//! Makes a persona of a character card. What other programs send to a model as orders is left out, what describes the
//! character is kept, and each loss is told (docs/decisions/prompt.md has the reasons).

use kith_core::lore::{LORE_TEXT_CHARACTERS, LoreEntry, Lorebook};
use kith_core::persona::{PERSONA_NAME_CHARACTERS, PERSONA_TEXT_CHARACTERS, Persona};
use kith_core::word::is_ordinary;
use kith_language::{Language, LocalizedMessage, cards, word_lists};
use serde_json::Value;

use crate::card::{CardPicture, CharacterCard};
use crate::card_error::CardError;
use crate::card_text::{CardTexts, detect_language};
use crate::example_lines::ExampleLines;
use crate::json_fields::{find_text, find_texts, has_content};
use crate::lore_import::convert_book;

/// The longest sentence or two that say who somebody is, in characters.
const IDENTITY_CHARACTERS: usize = 300;
/// The most lines of its maker's notes that are kept as a comment.
const COMMENT_LINES: usize = 40;
/// Settings of other programs that say nothing of the character.
const TRIVIAL_EXTENSIONS: [&str; 6] = [
    "fav",
    "talkativeness",
    "chub",
    "world",
    "depth_prompt",
    "regex_scripts",
];
/// The most settings of other programs that are told by name.
const TOLD_EXTENSIONS: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub struct ImportedPersona {
    /// Who it is, without its picture and lore, which are files of their own.
    pub persona: Persona,
    /// What it knows of its world; none where that is nothing.
    pub book: Option<Lorebook>,
    pub picture: Option<CardPicture>,
    /// What its file says to people, a line each.
    pub comment: Vec<String>,
    /// What was lost, a sentence each.
    pub notes: Vec<LocalizedMessage>,
}

/// Makes a persona of a card. An error: the card has no name, or too much lore.
pub fn convert_card(card: &CharacterCard) -> Result<ImportedPersona, CardError> {
    let fields = &card.fields;
    let language = detect_language(&[
        find_text(fields, "description"),
        find_text(fields, "personality"),
        find_text(fields, "first_mes"),
        find_text(fields, "mes_example"),
    ]);
    let (name, aliases, was_shortened) = find_names(fields, language)?;
    let mut conversion = CardConversion {
        fields,
        language,
        texts: CardTexts::new(&name, language),
        entries: Vec::new(),
        notes: Vec::new(),
    };
    if was_shortened {
        conversion.notes.push(cards::note_name_shortened());
    }
    let mut persona = Persona {
        name,
        aliases,
        language,
        ..Persona::default()
    };
    conversion.convert_texts(&mut persona);
    conversion.convert_examples(&mut persona);
    conversion.note_losses();
    let comment = conversion.write_comment(card.version);
    let book = conversion.convert_lore(&persona)?;
    conversion.note_assets(card);
    conversion.texts.note_losses(&mut conversion.notes);
    Ok(ImportedPersona {
        persona,
        book,
        picture: card.picture.clone(),
        comment,
        notes: conversion.notes,
    })
}

/// Nickname and further names, and whether one was shortened. A nickname comes first, as the specification has it.
fn find_names(
    fields: &Value,
    language: Language,
) -> Result<(String, Vec<String>, bool), CardError> {
    let mut texts = CardTexts::new("", language);
    let mut was_shortened = false;
    let mut names = Vec::new();
    for field in ["nickname", "name"] {
        let whole = texts.clean_line(find_text(fields, field));
        let whole = whole.trim_start_matches('@').trim();
        let name: String = whole.chars().take(PERSONA_NAME_CHARACTERS).collect();
        was_shortened |= name.len() < whole.len();
        let name = name.trim().to_owned();
        let is_everyone = ["everyone", "here"].contains(&name.as_str());
        if !name.is_empty() && !is_everyone && !names.contains(&name) {
            names.push(name);
        }
    }
    let short: Vec<String> = names
        .iter()
        .filter_map(|name| find_short_name(name))
        .collect();
    for name in short {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut names = names.into_iter();
    let name = names
        .next()
        .ok_or_else(|| CardError(cards::no_card_name()))?;
    Ok((name, names.collect(), was_shortened))
}

/// What people call somebody of this name: its first word that is a name, without titles and ornaments.
fn find_short_name(name: &str) -> Option<String> {
    let is_title = |word: &str| {
        word.ends_with('.')
            || word_lists("titles")
                .any(|list| list.entries().any(|title| title == word.to_lowercase()))
    };
    let words = name.split(|c: char| c.is_whitespace() || "|/,;:()[]".contains(c));
    let mut words = words
        .filter(|word| !is_title(word))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_name =
        |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1 && !is_ordinary(word);
    words
        .find(is_name)
        .filter(|word| *word != name)
        .map(str::to_owned)
}

struct CardConversion<'a> {
    fields: &'a Value,
    language: Language,
    texts: CardTexts,
    /// Lore that did not stand in the card's book.
    entries: Vec<LoreEntry>,
    notes: Vec<LocalizedMessage>,
}

impl CardConversion<'_> {
    fn convert_texts(&mut self, persona: &mut Persona) {
        let description = self.texts.clean(find_text(self.fields, "description"));
        let personality = self.texts.clean(find_text(self.fields, "personality"));
        let scenario = self.texts.clean(find_text(self.fields, "scenario"));
        let (identity, rest) = split_identity(&description);
        persona.identity = if identity.is_empty() {
            cards::bare_identity(persona.name.as_str()).in_language(self.language)
        } else {
            identity.to_owned()
        };
        let mut background = rest.to_owned();
        if !scenario.is_empty() {
            self.notes.push(cards::note_scenario());
            let gap = if background.is_empty() { "" } else { "\n\n" };
            background = format!("{background}{gap}{scenario}");
        }
        let whole = background.chars().count() + personality.chars().count();
        let mut overflow = String::new();
        persona.personality = split_off_rest(personality, &mut overflow);
        persona.background = split_off_rest(background, &mut overflow);
        if !overflow.is_empty() {
            self.notes.push(cards::note_text_long(whole as u64));
            let name = cards::more_background(persona.name.as_str());
            self.add_constant_entry(name.in_language(self.language), &overflow);
        }
    }

    fn add_constant_entry(&mut self, name: String, text: &str) {
        self.entries.push(LoreEntry {
            name,
            text: text.chars().take(LORE_TEXT_CHARACTERS).collect(),
            constant: true,
            ..LoreEntry::default()
        });
    }

    fn convert_examples(&mut self, persona: &mut Persona) {
        let own_name = find_text(self.fields, "name");
        let mut lines = ExampleLines::new(&mut self.texts, [persona.name.as_str(), own_name]);
        lines.read_dialogue(find_text(self.fields, "mes_example"));
        let left_out = lines.left_out;
        let mut has_greeting = false;
        let single = std::iter::once(find_text(self.fields, "first_mes"));
        let further = ["alternate_greetings", "group_only_greetings"]
            .into_iter()
            .flat_map(|field| find_texts(self.fields, field));
        for greeting in single.chain(further) {
            has_greeting |= !greeting.trim().is_empty();
            lines.read_greeting(greeting);
        }
        persona.voice.examples = lines.into_lines();
        if left_out > 0 {
            self.notes.push(cards::note_examples(left_out));
        }
        if has_greeting {
            self.notes.push(cards::note_greetings());
        }
    }

    /// Notes what a card has and a persona has no place for.
    fn note_losses(&mut self) {
        for field in ["system_prompt", "post_history_instructions"] {
            if has_content(self.fields, field) {
                self.notes.push(cards::note_instructions(field));
            }
        }
        if has_content(self.fields, "creator_notes") {
            self.notes.push(cards::note_creator_notes());
        }
        if has_content(self.fields, "tags") {
            self.notes.push(cards::note_tags());
        }
        let extensions = self.fields.get("extensions").unwrap_or(&Value::Null);
        if has_content(extensions, "regex_scripts") {
            self.notes.push(cards::note_scripts("regex_scripts"));
        }
        let world = self.texts.clean_line(find_text(extensions, "world"));
        if !world.is_empty() && !has_content(self.fields, "character_book") {
            self.notes.push(cards::note_linked_world(world));
        }
        let known = extensions.as_object().into_iter().flatten();
        let unknown: Vec<String> = known
            .map(|(name, _)| name)
            .filter(|name| !TRIVIAL_EXTENSIONS.contains(&name.as_str()))
            .filter(|name| has_content(extensions, name))
            .take(TOLD_EXTENSIONS)
            .map(|name| self.texts.clean_line(name).chars().take(40).collect())
            .collect();
        if !unknown.is_empty() {
            self.notes.push(cards::note_extensions(unknown.join(", ")));
        }
    }

    fn note_assets(&mut self, card: &CharacterCard) {
        if card.lost_picture {
            self.notes.push(cards::note_picture());
        }
        if card.left_assets > 0 {
            self.notes.push(cards::note_assets(card.left_assets as u64));
        }
    }

    fn write_comment(&mut self, version: &str) -> Vec<String> {
        let version = format!(" ({version})");
        let mut comment = vec![cards::imported_from(version).in_language(self.language)];
        let creator = self.texts.clean_line(find_text(self.fields, "creator"));
        if !creator.is_empty() {
            let creator: String = creator.chars().take(100).collect();
            comment.push(cards::imported_creator(creator).in_language(self.language));
        }
        let language = self.language.code();
        let notes = self.fields.get("creator_notes_multilingual");
        let notes = notes.map_or("", |notes| find_text(notes, language));
        let notes = if notes.is_empty() {
            find_text(self.fields, "creator_notes")
        } else {
            notes
        };
        let notes = self.texts.clean(notes);
        if !notes.is_empty() {
            comment.push(cards::imported_notes().in_language(self.language));
            comment.extend(notes.lines().take(COMMENT_LINES).map(str::to_owned));
        }
        comment
    }

    /// The lore of the card: its book, and what became lore.
    fn convert_lore(&mut self, persona: &Persona) -> Result<Option<Lorebook>, CardError> {
        let extensions = self.fields.get("extensions").unwrap_or(&Value::Null);
        let depth_prompt = extensions.get("depth_prompt").unwrap_or(&Value::Null);
        let depth_prompt = self.texts.clean(find_text(depth_prompt, "prompt"));
        if !depth_prompt.is_empty() {
            self.notes.push(cards::note_depth_prompt());
            self.add_constant_entry(persona.name.clone(), &depth_prompt);
        }
        let book = self
            .fields
            .get("character_book")
            .filter(|book| book.is_object());
        let mut lore = match book {
            Some(book) => convert_book(book, &mut self.texts, &mut self.notes)?,
            None => Lorebook::default(),
        };
        lore.entries.append(&mut self.entries);
        Ok((!lore.entries.is_empty()).then_some(lore))
    }
}

/// The first sentences of a description, where they are prose, and the rest of it.
fn split_identity(description: &str) -> (&str, &str) {
    let mut end = 0;
    let mut characters = 0;
    for (at, c) in description.char_indices() {
        characters += 1;
        if characters > IDENTITY_CHARACTERS {
            break;
        }
        let after = at + c.len_utf8();
        let next = description[after..].chars().next();
        let ends_sentence = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => next.is_none_or(|next| next == '\n'),
        };
        if ends_sentence {
            end = after;
        }
        if next == Some('\n') {
            break;
        }
    }
    let first = &description[..end];
    // Lists of properties in brackets and signs are no sentence about somebody.
    let is_prose = !first.contains(['{', '}', '=', '+', '|', '~'])
        && !first.contains("(\"")
        && first.chars().filter(|c| c.is_alphabetic()).count() >= 6;
    if is_prose {
        (first, description[end..].trim())
    } else {
        ("", description.trim())
    }
}

/// As many paragraphs of a text as a persona may have of it; the others go to `overflow`.
fn split_off_rest(text: String, overflow: &mut String) -> String {
    let Some((limit, _)) = text.char_indices().nth(PERSONA_TEXT_CHARACTERS) else {
        return text;
    };
    let end = text[..limit].rfind('\n').filter(|end| *end > limit / 2);
    let end = end.or_else(|| text[..limit].rfind(' ')).unwrap_or(limit);
    if !overflow.is_empty() {
        overflow.push('\n');
    }
    overflow.push_str(text[end..].trim());
    text[..end].trim_end().to_owned()
}

//! Books of lore: those inside cards (V2 and V3), those of their own (V3), and SillyTavern's world info. They differ in the
//! names of fields; what an entry means is the same.

use std::collections::BTreeSet;

use kith_core::lore::{
    LONGEST_SCAN, LORE_ENTRIES, LORE_FILE_EXPRESSIONS, LORE_FILE_KEYS, LORE_KEYS,
    LORE_TEXT_CHARACTERS, LoreEntry, LoreKey, Lorebook, SecondaryKeyLogic,
};
use kith_language::{Language, LocalizedMessage, cards};
use serde_json::Value;

use crate::card_error::CardError;
use crate::card_text::{CardTexts, detect_language};
use crate::json_fields::{find_flag, find_number, find_text, find_texts, has_content};

/// How many keys that cannot be used are told by name.
const TOLD_KEYS: usize = 5;
/// The longest name of an entry that is kept, in characters.
const NAME_CHARACTERS: usize = 80;

#[derive(Clone, Debug, PartialEq)]
pub struct ImportedLore {
    pub book: Lorebook,
    /// The language its file speaks to people in.
    pub language: Language,
    /// What was lost, a sentence each.
    pub notes: Vec<LocalizedMessage>,
}

/// Makes a book of lore of a file that holds nothing else, for this persona. An error: it has too many entries.
pub fn convert_world(world: &Value, character: &str) -> Result<ImportedLore, CardError> {
    let entries = list_entries(world)?;
    let texts: Vec<&str> = entries
        .iter()
        .map(|entry| find_text(entry, "content"))
        .collect();
    let language = detect_language(&texts);
    let mut texts = CardTexts::new(character, language);
    let mut notes = Vec::new();
    let book = convert_book(world, &mut texts, &mut notes)?;
    texts.note_losses(&mut notes);
    Ok(ImportedLore {
        book,
        language,
        notes,
    })
}

pub(crate) fn convert_book(
    book: &Value,
    texts: &mut CardTexts,
    notes: &mut Vec<LocalizedMessage>,
) -> Result<Lorebook, CardError> {
    let default = Lorebook::default();
    let depth = find_number(book, "scan_depth").map(limit_depth);
    let mut lost = LoreLosses::default();
    let mut entries = Vec::new();
    for entry in list_entries(book)? {
        match convert_entry(entry, texts, &mut lost) {
            Some(entry) => entries.push(entry),
            None => lost.empty += 1,
        }
    }
    if has_content(book, "token_budget") {
        notes.push(cards::note_lore_budget());
    }
    lost.tell(notes);
    Ok(Lorebook {
        name: texts
            .clean_line(find_text(book, "name"))
            .chars()
            .take(NAME_CHARACTERS)
            .collect(),
        scan_depth: depth.unwrap_or(default.scan_depth),
        recursive: find_flag(book, "recursive_scanning").unwrap_or(default.recursive),
        entries,
    })
}

/// The entries of a book, which is a list or a table by number.
fn list_entries(book: &Value) -> Result<Vec<&Value>, CardError> {
    let all: Vec<&Value> = match book.get("entries") {
        Some(Value::Array(all)) => all.iter().collect(),
        Some(Value::Object(all)) => all.values().collect(),
        _ => Vec::new(),
    };
    if all.len() > LORE_ENTRIES {
        let (found, most) = (all.len() as u64, LORE_ENTRIES as u64);
        return Err(CardError(cards::too_many_lore_entries(found, most)));
    }
    Ok(all)
}

fn limit_depth(depth: i64) -> u32 {
    depth.clamp(0, LONGEST_SCAN as i64) as u32
}

#[derive(Debug, Default)]
struct LoreLosses {
    has_positions: bool,
    timed: u64,
    grouped: u64,
    filtered: u64,
    without_keys: u64,
    empty: u64,
    decorators: BTreeSet<String>,
    keys: Vec<String>,
    /// How many keys were kept, and how many of them are expressions.
    kept: (usize, usize),
}

impl LoreLosses {
    fn tell(self, notes: &mut Vec<LocalizedMessage>) {
        if self.has_positions {
            notes.push(cards::note_lore_positions());
        }
        let counted = [
            (self.timed, cards::note_lore_timing(self.timed)),
            (self.grouped, cards::note_lore_groups(self.grouped)),
            (self.filtered, cards::note_lore_filters(self.filtered)),
            (
                self.without_keys,
                cards::note_lore_without_keys(self.without_keys),
            ),
            (self.empty, cards::note_lore_empty(self.empty)),
        ];
        let lost = counted.into_iter().filter(|(count, _)| *count > 0);
        notes.extend(lost.map(|(_, note)| note));
        if !self.decorators.is_empty() {
            let names: Vec<String> = self.decorators.into_iter().take(TOLD_KEYS).collect();
            notes.push(cards::note_lore_decorators(names.join(", ")));
        }
        if !self.keys.is_empty() {
            let mut told = self.keys;
            let is_longer = told.len() > TOLD_KEYS;
            told.truncate(TOLD_KEYS);
            told.extend(is_longer.then(|| "…".to_owned()));
            notes.push(cards::note_lore_keys(told.join(", ")));
        }
    }

    /// Notes what an entry of another program has and nothing here stands for.
    fn note_unknown(&mut self, entry: &LoreFields<'_>) {
        let timed = [
            "sticky",
            "cooldown",
            "delay",
            "delayUntilRecursion",
            "delay_until_recursion",
        ];
        self.timed += u64::from(timed.iter().any(|name| entry.has(name)));
        self.grouped += u64::from(entry.has("group"));
        self.filtered += u64::from(entry.has_filter());
        // Before or behind the character is where lore usually stands; all else is a place of its own.
        let position = entry.number(&["position"]).unwrap_or_default();
        self.has_positions |= position > 1;
    }
}

/// The fields of an entry: its own, then those that SillyTavern keeps apart in what a card calls extensions.
struct LoreFields<'a> {
    own: &'a Value,
    extensions: &'a Value,
}

impl LoreFields<'_> {
    fn flag(&self, names: &[&str]) -> Option<bool> {
        let both = [self.own, self.extensions];
        let mut found = both
            .iter()
            .flat_map(|fields| names.iter().map(|name| find_flag(fields, name)));
        found.find_map(|flag| flag)
    }

    fn number(&self, names: &[&str]) -> Option<i64> {
        let both = [self.own, self.extensions];
        let mut found = both
            .iter()
            .flat_map(|fields| names.iter().map(|name| find_number(fields, name)));
        found.find_map(|number| number)
    }

    fn has(&self, name: &str) -> bool {
        has_content(self.own, name) || has_content(self.extensions, name)
    }

    fn has_filter(&self) -> bool {
        ["characterFilter", "character_filter"].iter().any(|name| {
            let filter = self.own.get(*name).or_else(|| self.extensions.get(*name));
            filter.is_some_and(|filter| has_content(filter, "names") || has_content(filter, "tags"))
        })
    }

    fn texts(&self, names: &[&str]) -> Vec<&str> {
        let mut all = names.iter().map(|name| find_texts(self.own, name));
        all.find(|texts| !texts.is_empty()).unwrap_or_default()
    }
}

fn convert_entry(value: &Value, texts: &mut CardTexts, lost: &mut LoreLosses) -> Option<LoreEntry> {
    let fields = LoreFields {
        own: value,
        extensions: value.get("extensions").unwrap_or(&Value::Null),
    };
    let mut entry = LoreEntry::default();
    let content = find_text(value, "content");
    let body = read_decorators(content, &mut entry, lost);
    let text = texts.clean(body);
    entry.text = text.chars().take(LORE_TEXT_CHARACTERS).collect();
    if entry.text.trim().is_empty() {
        return None;
    }
    lost.note_unknown(&fields);
    let names = [find_text(value, "comment"), find_text(value, "name")];
    let name = names.iter().find(|name| !name.trim().is_empty());
    let name = texts.clean_line(name.unwrap_or(&""));
    entry.name = name.chars().take(NAME_CHARACTERS).collect();

    let case_sensitive = fields.flag(&["case_sensitive", "caseSensitive"]);
    entry.case_sensitive = case_sensitive.unwrap_or(false);
    let whole = fields.flag(&["match_whole_words", "matchWholeWords"]);
    entry.whole_words = whole.unwrap_or(true);
    let form = KeyForm {
        is_expression: fields.flag(&["use_regex"]).unwrap_or(false),
        case_sensitive: entry.case_sensitive,
    };
    entry.keys = form.read_keys(&fields.texts(&["keys", "key"]), texts, lost);
    // Without the flag, secondary keys are no more than written down.
    if fields.flag(&["selective"]).unwrap_or(true) {
        let secondary = fields.texts(&["secondary_keys", "keysecondary"]);
        let secondary = form.read_keys(&secondary, texts, lost);
        if !secondary.is_empty() {
            entry.secondary_keys = secondary;
            entry.secondary_logic = match fields.number(&["selectiveLogic"]) {
                Some(1) => SecondaryKeyLogic::NotAllOf,
                Some(2) => SecondaryKeyLogic::NoneOf,
                Some(3) => SecondaryKeyLogic::AllOf,
                _ => SecondaryKeyLogic::AnyOf,
            };
        }
    }
    let order = fields.number(&["insertion_order", "order"]);
    entry.order = order.map_or(entry.order, |order| {
        order.clamp(i32::MIN.into(), i32::MAX.into()) as i32
    });
    entry.constant |= fields.flag(&["constant"]).unwrap_or(false);
    let is_off =
        fields.flag(&["disable"]) == Some(true) || fields.flag(&["enabled"]) == Some(false);
    entry.enabled &= !is_off;
    if let Some(depth) = fields.number(&["scanDepth", "scan_depth"]) {
        entry.scan_depth = Some(limit_depth(depth));
    }
    if fields.flag(&["useProbability"]).unwrap_or(true) {
        let probability = fields.number(&["probability"]).unwrap_or(100);
        entry.probability = probability.clamp(0, 100) as u8;
    }
    let excluded = fields.flag(&["excludeRecursion", "exclude_recursion"]);
    entry.reached_by_entries = excluded != Some(true);
    let prevented = fields.flag(&["preventRecursion", "prevent_recursion"]);
    entry.leads_to_entries = prevented != Some(true);
    if entry.keys.is_empty() && !entry.constant && entry.enabled {
        entry.enabled = false;
        lost.without_keys += 1;
    }
    Some(entry)
}

/// Reads the lines of orders (`@@depth 4`) at the start of an entry's text; answers with the text behind them.
fn read_decorators<'a>(content: &'a str, entry: &mut LoreEntry, lost: &mut LoreLosses) -> &'a str {
    let mut rest = content;
    while let Some(order) = rest.strip_prefix("@@") {
        let (line, after) = order.split_once('\n').unwrap_or((order, ""));
        let line = line.trim_start_matches('@').trim();
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        match name {
            "scan_depth" => {
                entry.scan_depth = value.trim().parse().ok().map(limit_depth);
            }
            "activate" => entry.constant = true,
            "dont_activate" => entry.enabled = false,
            _ => {
                let plain = name
                    .chars()
                    .filter(|c| c.is_alphanumeric() || *c == '_')
                    .take(30);
                lost.decorators
                    .insert(format!("@@{}", plain.collect::<String>()));
            }
        }
        rest = after;
    }
    rest
}

#[derive(Clone, Copy)]
struct KeyForm {
    /// Each is a regular expression, also without slashes around it.
    is_expression: bool,
    case_sensitive: bool,
}

impl KeyForm {
    fn read_keys(
        self,
        written: &[&str],
        texts: &mut CardTexts,
        lost: &mut LoreLosses,
    ) -> Vec<LoreKey> {
        let mut keys: Vec<LoreKey> = Vec::new();
        for raw in written.iter().take(LORE_KEYS) {
            let raw = raw.trim();
            let is_bare = self.is_expression && !raw.starts_with('/');
            let key = if is_bare && !raw.is_empty() {
                let flags = if self.case_sensitive { "" } else { "i" };
                format!("/{raw}/{flags}")
            } else if raw.starts_with('/') {
                raw.to_owned()
            } else {
                texts.clean_line(raw)
            };
            if key.is_empty() || key.chars().any(char::is_control) {
                continue;
            }
            let is_expression = key.starts_with('/');
            let (all, expressions) = lost.kept;
            let has_room =
                all < LORE_FILE_KEYS && (!is_expression || expressions < LORE_FILE_EXPRESSIONS);
            match has_room.then(|| LoreKey::try_from(key)) {
                Some(Ok(key)) if keys.contains(&key) => {}
                Some(Ok(key)) => {
                    lost.kept = (all + 1, expressions + usize::from(key.is_expression()));
                    keys.push(key);
                }
                _ if lost.keys.len() > TOLD_KEYS => {}
                _ => lost
                    .keys
                    .push(texts.clean_line(raw).chars().take(40).collect()),
            }
        }
        keys
    }
}

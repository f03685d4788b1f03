//! Checking parameters against a schema. Coerces only where one reading is possible; whatever a model wrote, the answer
//! is parameters of the declared types or a sentence the model can act on. Never panics.

use kith_language::{lists, parameters};
use std::borrow::Cow;
use std::sync::LazyLock;

use kith_language::{WordSet, word_lists, word_table};
use serde_json::{Map, Number, Value};

use super::{Param, ParamType, Schema};
use crate::persona::Language;
use crate::similarity::extract_letters;

/// The most characters of a wrong value that an error repeats.
const SHOWN_CHARACTERS: usize = 60;
const FULL_WIDTH_COMMA: char = '\u{ff0c}';
word_table! {
    struct ValueWords {
        nothing: WordSet,
        nothing_more: WordSet,
        no_number: WordSet,
        units: WordSet,
        unit_signs: Vec<char>,
        yes: WordSet,
        no: WordSet,
        yes_more: WordSet,
        no_more: WordSet,
    }
}

static VALUES: LazyLock<ValueWords> =
    LazyLock::new(|| ValueWords::from_lists(word_lists("values")));

/// Whether a text in lower case stands for nothing, in an answer that is read without a schema.
pub fn says_nothing(text: &str) -> bool {
    VALUES.nothing.contains(text) || VALUES.nothing_more.contains(text)
}

/// Yes or no, of a text in lower case, in an answer that is read without a schema.
pub fn parse_yes_or_no(text: &str) -> Option<bool> {
    if VALUES.yes.contains(text) || VALUES.yes_more.contains(text) {
        return Some(true);
    }
    (VALUES.no.contains(text) || VALUES.no_more.contains(text)).then_some(false)
}

/// Whole numbers up to here are exact in a 64-bit float.
const EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

#[derive(Clone, Copy, Debug, Default)]
pub struct CheckStyle {
    /// The language of the sentences for the model.
    pub language: Language,
    /// Whether a wrong value of a parameter that may be left out is left out, rather than the whole call: right for a
    /// message with a wrong `reply_to`, wrong for an order with a wrong amount.
    pub drops_wrong: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckedParams {
    pub params: Map<String, Value>,
    /// What was given and not used, a sentence for the model each.
    pub ignored: Vec<String>,
}

impl Schema {
    /// Checks `params` and coerces them to the declared types: text to numbers, booleans, lists and objects, numbers to
    /// text, a choice in another case. Defaults are filled in; null, and empty text where no text is wanted, count as
    /// not given; a parameter spelt in another case (`replyTo`) is known; unknown ones are dropped.
    ///
    /// # Errors
    /// One sentence for the model that names each wrong or missing parameter, what was given and what is wanted.
    pub fn check(&self, params: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        self.check_with_style(params, CheckStyle::default())
            .map(|checked| checked.params)
    }

    /// The same in a language, and as forgiving as the style says. Tells what was not used.
    ///
    /// # Errors
    /// As for [`Schema::check`].
    pub fn check_with_style(
        &self,
        params: &Map<String, Value>,
        style: CheckStyle,
    ) -> Result<CheckedParams, String> {
        let mut checker = Checker {
            style,
            problems: Vec::new(),
            ignored: Vec::new(),
        };
        let params = checker.check_object(&self.params, params, "");
        match checker.problems.is_empty() {
            true => Ok(CheckedParams {
                params,
                ignored: checker.ignored,
            }),
            false => Err(checker.problems.join("; ")),
        }
    }
}

struct Checker {
    style: CheckStyle,
    problems: Vec<String>,
    ignored: Vec<String>,
}

impl Checker {
    fn check_object(
        &mut self,
        declared: &[Param],
        given: &Map<String, Value>,
        prefix: &str,
    ) -> Map<String, Value> {
        let language = self.style.language;
        let mut checked = Map::new();
        for param in declared {
            let path = if prefix.is_empty() {
                param.name.clone()
            } else {
                format!("{prefix}.{}", param.name)
            };
            let value = find_value(declared, given, &param.name)
                .filter(|value| !is_absent(param.kind, value));
            let value = value.and_then(|value| match self.coerce_value(param, value, &path) {
                Ok(value) => Some(Ok(value)),
                Err(problem) if self.style.drops_wrong && !param.required => {
                    let ignored = parameters::ignored_problem(problem);
                    self.ignored.push(ignored.in_language(language));
                    None
                }
                Err(problem) => Some(Err(problem)),
            });
            match value {
                Some(Ok(value)) => _ = checked.insert(param.name.clone(), value),
                Some(Err(problem)) => self.problems.push(problem),
                None => match &param.default {
                    Some(default) => _ = checked.insert(param.name.clone(), default.clone()),
                    None if param.required => self
                        .problems
                        .push(describe_missing(param, declared, given, &path, language)),
                    None => {}
                },
            }
        }
        for stranger in find_undeclared_names(declared, given) {
            self.ignored
                .push(parameters::unknown_parameter(stranger).in_language(language));
        }
        checked
    }

    fn coerce_value(&mut self, param: &Param, value: &Value, path: &str) -> Result<Value, String> {
        let language = self.style.language;
        let wrong = || {
            let (wanted, shown) = (
                describe_expected(param, language),
                describe_value(value, language),
            );
            parameters::wrong_type(path, shown, wanted).in_language(language)
        };
        let typed = match param.kind {
            ParamType::String => as_text(value).map(Value::String),
            ParamType::Number => as_number(value).map(Value::Number),
            ParamType::Integer => as_integer(value).map(|whole| Value::Number(whole.into())),
            ParamType::Boolean => as_boolean(value).map(Value::Bool),
            ParamType::Array => {
                as_list(param.items.as_deref(), value).map(|list| Value::Array(list.into_owned()))
            }
            ParamType::Object => as_object(value).map(|object| Value::Object(object.into_owned())),
        };
        let typed = typed.ok_or_else(wrong)?;
        match (typed, param.kind) {
            (Value::Array(elements), _) => {
                let Some(items) = param.items.as_deref() else {
                    return Ok(Value::Array(elements));
                };
                let elements = elements.iter().enumerate();
                elements
                    .map(|(index, element)| {
                        self.coerce_value(items, element, &format!("{path}[{index}]"))
                    })
                    .collect::<Result<_, _>>()
                    .map(Value::Array)
            }
            // An object without declared properties is free-form.
            (Value::Object(inner), _) if param.properties.is_empty() => Ok(Value::Object(inner)),
            (Value::Object(inner), _) => Ok(Value::Object(self.check_object(
                &param.properties,
                &inner,
                path,
            ))),
            (typed, _) if param.choices.is_empty() || param.choices.contains(&typed) => Ok(typed),
            (typed, _) => find_near_choice(&param.choices, &typed)
                .cloned()
                .ok_or_else(wrong),
        }
    }
}

/// The value of a parameter, its name spelt exactly or at least with the same letters.
fn find_value<'a>(
    declared: &[Param],
    given: &'a Map<String, Value>,
    name: &str,
) -> Option<&'a Value> {
    given.get(name).or_else(|| {
        let wanted = extract_letters(name);
        let is_declared = |key: &str| declared.iter().any(|other| other.name == key);
        given
            .iter()
            .find(|(key, _)| !is_declared(key) && extract_letters(key) == wanted)
            .map(|(_, value)| value)
    })
}

fn is_absent(kind: ParamType, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) if kind != ParamType::String => {
            let text = text.trim().to_lowercase();
            let says_no = kind == ParamType::Boolean && as_boolean(value).is_some();
            text.is_empty()
                || (VALUES.nothing.contains(&text) || VALUES.no_number.contains(&text)) && !says_no
        }
        // No message has the number false.
        Value::Bool(false) => matches!(kind, ParamType::Integer | ParamType::Number),
        _ => false,
    }
}

fn describe_missing(
    param: &Param,
    declared: &[Param],
    given: &Map<String, Value>,
    path: &str,
    language: Language,
) -> String {
    let strangers: Vec<String> = find_undeclared_names(declared, given)
        .take(3)
        .map(|name| format!("`{name}`"))
        .collect();
    let wanted = describe_expected(param, language);
    let strangers = strangers.join(&lists::separator().in_language(language));
    match strangers.is_empty() {
        true => parameters::missing(path, wanted).in_language(language),
        false => parameters::missing_among(path, strangers, wanted).in_language(language),
    }
}

/// The names of what was given and is not declared, in any spelling.
fn find_undeclared_names<'a>(
    declared: &'a [Param],
    given: &'a Map<String, Value>,
) -> impl Iterator<Item = String> + 'a {
    let is_known = |key: &str| {
        declared
            .iter()
            .any(|other| extract_letters(&other.name) == extract_letters(key))
    };
    given
        .keys()
        .filter(move |key| !is_known(key))
        .map(|key| shorten(key))
}

/// The only choice with the same letters, if there is exactly one.
fn find_near_choice<'a>(choices: &'a [Value], given: &Value) -> Option<&'a Value> {
    let wanted = extract_letters(&as_text(given)?);
    let mut near = choices
        .iter()
        .filter(|choice| as_text(choice).is_some_and(|text| extract_letters(&text) == wanted));
    near.next()
        .filter(|_| near.next().is_none() && !wanted.is_empty())
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn as_number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => {
            let text = text.trim();
            match text.parse::<i64>() {
                Ok(whole) => Some(whole.into()),
                Err(_) => text.parse().ok().and_then(Number::from_f64),
            }
        }
        _ => None,
    }
}

/// A whole number; `#12`, `12.0`, `line 12`, `[12]` and `13>12`, whose first is the line itself, are one.
fn as_integer(value: &Value) -> Option<i64> {
    let number = match value {
        Value::Array(list) => match list.as_slice() {
            [only] => return as_integer(only),
            _ => return None,
        },
        Value::String(text) => match as_number(&Value::String(
            text.trim().trim_start_matches('#').to_owned(),
        )) {
            Some(number) => number,
            None => return find_only_number(text),
        },
        other => as_number(other)?,
    };
    number.as_i64().or_else(|| {
        let float = number
            .as_f64()
            .filter(|float| float.fract() == 0.0 && float.abs() <= EXACT_INTEGER)?;
        Some(float as i64)
    })
}

/// The one number in a text, unless a unit makes another number of it: "2 hours" are not 2 minutes.
fn find_only_number(text: &str) -> Option<i64> {
    let mut runs = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty());
    let first = runs.next()?;
    let answers = |rest: &str| rest.trim_start().starts_with(['>', '→']);
    let is_line = || {
        text.split_once(first)
            .is_some_and(|(_, rest)| answers(rest))
    };
    if runs.next().is_some() && !(is_line() && runs.next().is_none()) {
        return None;
    }
    let mut words = text
        .split(|c: char| !c.is_alphabetic())
        .map(str::to_lowercase);
    let has_unit =
        words.any(|word| VALUES.units.contains(&word) || word.contains(&VALUES.unit_signs[..]));
    let is_part = text.split_once(first).is_some_and(|(before, rest)| {
        before.ends_with(['-', '.', '−', '+']) || rest.starts_with('%')
    });
    if has_unit || is_part {
        None
    } else {
        first.parse().ok()
    }
}

fn as_boolean(value: &Value) -> Option<bool> {
    let text = match value {
        Value::Bool(flag) => return Some(*flag),
        other => as_text(other)?,
    };
    let text = text.trim().to_lowercase();
    if VALUES.yes.contains(&text) {
        return Some(true);
    }
    VALUES.no.contains(&text).then_some(false)
}

/// A list: one given as such, as JSON text, or wrapped in an element of its own (`<names><name>…`); a single thing is a
/// list of one. Text with commas could be one thing or many, so it is split only where its parts cannot be text.
fn as_list<'a>(items: Option<&Param>, value: &'a Value) -> Option<Cow<'a, [Value]>> {
    let kind = items.map_or(ParamType::String, |items| items.kind);
    let list = match value {
        Value::Array(list) => return Some(Cow::Borrowed(list)),
        Value::String(text) if text.trim_start().starts_with('[') => {
            serde_json::from_str(text).ok()?
        }
        Value::String(text) => match kind {
            ParamType::String if text.contains([',', '\n', FULL_WIDTH_COMMA, '、']) => {
                return None;
            }
            ParamType::Number | ParamType::Integer | ParamType::Boolean => text
                .split([',', FULL_WIDTH_COMMA, '、', '\n'])
                .map(|part| Value::String(part.trim().to_owned()))
                .collect(),
            ParamType::Array => return None,
            ParamType::String | ParamType::Object => vec![value.clone()],
        },
        Value::Object(wrapper) if kind != ParamType::Object => match wrapper.values().next() {
            Some(Value::Array(list)) if wrapper.len() == 1 => list.clone(),
            Some(only @ (Value::String(_) | Value::Number(_) | Value::Bool(_)))
                if wrapper.len() == 1 =>
            {
                vec![only.clone()]
            }
            _ => return None,
        },
        Value::Null => return None,
        single => vec![single.clone()],
    };
    Some(Cow::Owned(list))
}

fn as_object(value: &Value) -> Option<Cow<'_, Map<String, Value>>> {
    match value {
        Value::Object(object) => Some(Cow::Borrowed(object)),
        Value::String(text) if text.trim_start().starts_with('{') => {
            serde_json::from_str(text).ok().map(Cow::Owned)
        }
        _ => None,
    }
}

/// What a parameter wants, as a noun phrase.
fn describe_expected(param: &Param, language: Language) -> String {
    if !param.choices.is_empty() {
        let choices: Vec<String> = param
            .choices
            .iter()
            .map(|choice| as_text(choice).unwrap_or_default())
            .collect();
        let choices = choices.join(&lists::separator().in_language(language));
        return parameters::one_of(choices).in_language(language);
    }
    match param.kind {
        ParamType::String => parameters::text().in_language(language),
        ParamType::Number => parameters::number().in_language(language),
        ParamType::Integer => parameters::whole_number().in_language(language),
        ParamType::Boolean => parameters::boolean().in_language(language),
        ParamType::Array => match &param.items {
            Some(items) => {
                let each = describe_expected(items, language);
                parameters::list_of(each).in_language(language)
            }
            None => parameters::list().in_language(language),
        },
        ParamType::Object if param.properties.is_empty() => {
            parameters::object().in_language(language)
        }
        ParamType::Object => {
            let names: Vec<&str> = param
                .properties
                .iter()
                .map(|property| property.name.as_str())
                .collect();
            let names = names.join(&lists::separator().in_language(language));
            parameters::object_of(names).in_language(language)
        }
    }
}

fn describe_value(value: &Value, language: Language) -> String {
    let shown = match value {
        Value::Null => return "null".into(),
        Value::String(given) => parameters::given_text(shorten(given)),
        Value::Array(_) => parameters::given_list(shorten(&value.to_string())),
        Value::Object(_) => parameters::given_object(shorten(&value.to_string())),
        other => return other.to_string(),
    };
    shown.in_language(language)
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

//! Decides whether a quote inside a JSON string ends it. Models forget to escape quotes, so what follows decides:
//! only a quote behind which the document can go on is an end. Looks a bounded way ahead.

use super::repair::{Repair, Repairs};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonStringPlace {
    Key,
    InObject,
    InArray,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuoteVerdict {
    Undecided,
    /// The string ends at the quote.
    Ends,
    /// The quote is part of the text.
    Inside,
}

/// Stands for a quote that is a token of its own, as Gemma writes it.
pub(super) const TOKEN: char = '\u{1}';
pub(super) const TOKEN_QUOTE: &str = "<|\"|>";

/// Longest key looked for behind a comma, in bytes.
const LONGEST_KEY: usize = 64;

#[derive(Clone, Copy, Debug)]
enum QuoteContext {
    /// Inside what should be a token: what is left of it.
    Token(&'static str),
    /// Right behind the quote; whether a blank or a line break was passed.
    Behind {
        blank: bool,
        line: bool,
    },
    Comma,
    Slash,
    /// Inside what should be the next key.
    Key {
        open: char,
        from: usize,
        backslash: bool,
    },
    /// Inside a bare word that should be a literal.
    Literal(&'static str),
    BareKey {
        from: usize,
    },
    /// Behind the next key, where a colon belongs.
    Colon,
    /// The same behind a bare key: prose has such words and colons too.
    BareColon,
    /// Behind a bare key and its colon, where a value belongs.
    Value,
}

impl QuoteContext {
    /// At the quote that should open the next key.
    fn key(open: char, from: usize) -> Self {
        Self::Key {
            open,
            from,
            backslash: false,
        }
    }
}

/// A quote that may end its string.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonQuote {
    offset: usize,
    /// The quote itself.
    pub(super) sign: char,
    place: JsonStringPlace,
    look: QuoteContext,
}

impl JsonQuote {
    pub(super) fn new(offset: usize, sign: char, place: JsonStringPlace) -> Self {
        let look = match sign {
            '<' => QuoteContext::Token("|\"|>"),
            _ => QuoteContext::Behind {
                blank: false,
                line: false,
            },
        };
        Self {
            offset,
            sign,
            place,
            look,
        }
    }

    /// The offset behind the quote.
    pub(super) fn end(&self) -> usize {
        match self.look {
            QuoteContext::Token("") => self.offset + TOKEN_QUOTE.len(),
            _ => self.offset + self.sign.len_utf8(),
        }
    }

    /// Takes the character at `i`, behind the quote.
    pub(super) fn step(&mut self, c: char, i: usize) -> QuoteVerdict {
        match self.look {
            QuoteContext::Token(rest) => match rest.strip_prefix(c) {
                Some("") => {
                    self.look = QuoteContext::Token("");
                    QuoteVerdict::Ends
                }
                Some(rest) => self.enter_state(QuoteContext::Token(rest)),
                None => QuoteVerdict::Inside,
            },
            QuoteContext::Behind { blank, line } => self.look_behind(c, i, blank, line),
            QuoteContext::Slash => match c {
                '/' | '*' => QuoteVerdict::Ends,
                _ => QuoteVerdict::Inside,
            },
            QuoteContext::Comma => self.look_behind_comma(c, i),
            QuoteContext::Key { from, .. } if c == '\n' || i - from > LONGEST_KEY => {
                QuoteVerdict::Inside
            }
            QuoteContext::Key {
                open,
                from,
                backslash: true,
            } => self.enter_state(QuoteContext::key(open, from)),
            QuoteContext::Key { open, .. } if is_closing_quote(open, c) => {
                self.enter_state(QuoteContext::Colon)
            }
            QuoteContext::Key { open, from, .. } => self.enter_state(QuoteContext::Key {
                open,
                from,
                backslash: c == '\\',
            }),
            QuoteContext::Literal(rest) => match rest.strip_prefix(c) {
                Some("") => QuoteVerdict::Ends,
                Some(rest) => self.enter_state(QuoteContext::Literal(rest)),
                None => QuoteVerdict::Inside,
            },
            QuoteContext::BareKey { from } => match to_half_width(c) {
                ':' => self.enter_state(QuoteContext::Value),
                c if c.is_whitespace() => self.enter_state(QuoteContext::BareColon),
                c if (c.is_ascii_alphanumeric() || c == '_') && i - from <= LONGEST_KEY => {
                    QuoteVerdict::Undecided
                }
                _ => QuoteVerdict::Inside,
            },
            QuoteContext::Colon => match to_half_width(c) {
                c if c.is_whitespace() => QuoteVerdict::Undecided,
                ':' => QuoteVerdict::Ends,
                _ => QuoteVerdict::Inside,
            },
            QuoteContext::BareColon => match to_half_width(c) {
                c if c.is_whitespace() => QuoteVerdict::Undecided,
                ':' => self.enter_state(QuoteContext::Value),
                _ => QuoteVerdict::Inside,
            },
            QuoteContext::Value => match to_half_width(c) {
                c if c.is_whitespace() => QuoteVerdict::Undecided,
                c if is_value_start(c) || c == '{' => QuoteVerdict::Ends,
                first => self.look_for_literal(first),
            },
        }
    }

    /// Right behind the quote, where a blank or a line break may have been passed.
    fn look_behind(&mut self, c: char, i: usize, blank: bool, line: bool) -> QuoteVerdict {
        match (self.place, to_half_width(c)) {
            (_, c) if c.is_whitespace() => self.enter_state(QuoteContext::Behind {
                blank: true,
                line: line || c == '\n',
            }),
            (JsonStringPlace::Key, ':' | '=' | ',' | '}') => QuoteVerdict::Ends,
            (JsonStringPlace::Key, quote) if is_quote(quote) && blank => QuoteVerdict::Ends,
            (JsonStringPlace::Key, _) => QuoteVerdict::Inside,
            (_, '}' | ']') | (JsonStringPlace::InArray, ')') => QuoteVerdict::Ends,
            (_, ',') => self.enter_state(QuoteContext::Comma),
            (JsonStringPlace::InObject, quote) if is_quote(quote) && blank => {
                self.enter_state(QuoteContext::key(quote, i))
            }
            (JsonStringPlace::InArray, quote) if is_quote(quote) && line => QuoteVerdict::Ends,
            (JsonStringPlace::InObject, letter) if letter.is_ascii_alphabetic() && line => {
                self.enter_state(QuoteContext::BareKey { from: i })
            }
            (_, '/') if blank => self.enter_state(QuoteContext::Slash),
            _ => QuoteVerdict::Inside,
        }
    }

    fn look_behind_comma(&mut self, c: char, i: usize) -> QuoteVerdict {
        match (self.place, to_half_width(c)) {
            (_, c) if c.is_whitespace() || c == ',' => QuoteVerdict::Undecided,
            (_, '}' | ']' | '/' | '#' | '{') => QuoteVerdict::Ends,
            (JsonStringPlace::InArray, c) if is_value_start(c) => QuoteVerdict::Ends,
            (JsonStringPlace::InArray, first) => self.look_for_literal(first),
            (JsonStringPlace::InObject, quote) if is_quote(quote) => {
                self.enter_state(QuoteContext::key(quote, i))
            }
            (JsonStringPlace::InObject, c) if c.is_ascii_alphabetic() || c == '_' => {
                self.enter_state(QuoteContext::BareKey { from: i })
            }
            _ => QuoteVerdict::Inside,
        }
    }

    fn look_for_literal(&mut self, first: char) -> QuoteVerdict {
        match find_literal_rest(first) {
            Some(rest) => self.enter_state(QuoteContext::Literal(rest)),
            None => QuoteVerdict::Inside,
        }
    }

    fn enter_state(&mut self, look: QuoteContext) -> QuoteVerdict {
        self.look = look;
        QuoteVerdict::Undecided
    }
}

/// What follows the first letter of `true`, `false` or `null`, in JSON or Python.
fn find_literal_rest(first: char) -> Option<&'static str> {
    Some(match first {
        't' | 'T' => "rue",
        'f' | 'F' => "alse",
        'n' => "ull",
        'N' => "one",
        _ => return None,
    })
}

/// Whether `c` can begin a value, other than an object and a literal.
fn is_value_start(c: char) -> bool {
    is_quote(c) || c.is_ascii_digit() || matches!(c, '[' | '-')
}

/// Whether `c` opens a string, in whatever writing.
pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '`' | '＂' | '«')
}

/// Whether `c` can end a string that `open` began.
pub(super) fn is_closing_quote(open: char, c: char) -> bool {
    match open {
        '“' | '”' | '＂' => matches!(c, '“' | '”' | '"' | '＂'),
        '‘' | '’' => matches!(c, '‘' | '’' | '\''),
        '«' => c == '»',
        TOKEN => c == '<',
        _ => c == open,
    }
}

/// The ASCII sign a full-width one stands for between values.
pub(super) fn to_half_width(c: char) -> char {
    match c {
        '｛' => '{',
        '｝' => '}',
        '［' => '[',
        '］' => ']',
        '：' => ':',
        '，' | '、' | '；' | ';' => ',',
        _ => c,
    }
}

/// The value a bare word stands for: JSON's own, another language's, else text.
pub(super) fn parse_literal(word: &str, repairs: &mut Repairs) -> Value {
    if let Ok(value) = serde_json::from_str::<Value>(word) {
        return value;
    }
    let uncommented = word
        .split(" //")
        .next()
        .and_then(|word| word.split(" #").next())
        .unwrap_or(word)
        .trim();
    let foreign = match uncommented {
        "True" | "TRUE" => Some(Value::Bool(true)),
        "False" | "FALSE" => Some(Value::Bool(false)),
        "None" | "NULL" | "Null" | "nil" | "undefined" | "NaN" => Some(Value::Null),
        _ => None,
    };
    if let Some(value) = foreign {
        repairs.add(Repair::ForeignLiteral);
        return value;
    }
    match serde_json::from_str::<Value>(uncommented) {
        Ok(value) => {
            repairs.add(Repair::Comment);
            value
        }
        Err(_) => {
            repairs.add(Repair::JsonQuotes);
            Value::String(word.to_owned())
        }
    }
}

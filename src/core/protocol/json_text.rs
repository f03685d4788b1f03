//! One JSON string while it is read: escapes, and quotes that may or may not end it.

use super::json_quote::{JsonQuote, JsonStringPlace, QuoteVerdict, TOKEN, is_closing_quote};
use super::repair::{Repair, Repairs};
use super::sign_search::find_first_byte;

/// A string being read.
#[derive(Debug)]
pub(super) struct JsonText {
    open: char,
    place: JsonStringPlace,
    out: String,
    escape: Escape,
    /// The first half of a surrogate pair.
    high_surrogate: Option<u32>,
    /// A quote that may be its end.
    quote: Option<JsonQuote>,
    /// It began with more than one quote.
    tripled: bool,
    /// A quote in it was taken for a part of it.
    is_loose: bool,
}

#[derive(Clone, Copy, Debug)]
enum Escape {
    None,
    Backslash,
    Hex { digits: u32, code: u32 },
}

impl JsonText {
    pub(super) fn new(open: char, place: JsonStringPlace) -> Self {
        Self {
            open,
            place,
            out: String::new(),
            escape: Escape::None,
            high_surrogate: None,
            quote: None,
            tripled: false,
            is_loose: false,
        }
    }

    /// What was read so far; whether a quote that may be its end was seen last.
    pub(super) fn into_parts(self) -> (String, bool) {
        (self.out, self.quote.is_some())
    }

    /// Takes all from `i` up to the next sign that may mean something; `pos` is then there. False where there is nothing.
    pub(super) fn take_plain_text(&mut self, text: &str, i: usize, pos: &mut usize) -> bool {
        if self.open != '"'
            || self.quote.is_some()
            || !matches!(self.escape, Escape::None)
            || self.high_surrogate.is_some()
        {
            return false;
        }
        let Some(rest) = text.get(i..) else {
            return false;
        };
        let length = find_first_byte(rest, |byte| {
            (byte == b'"') | (byte == b'\\') | (byte < b' ')
        })
        .unwrap_or(rest.len());
        if length == 0 {
            return false;
        }
        self.out.push_str(&rest[..length]);
        *pos = i + length;
        true
    }

    /// Takes the character at `i`. Answers with the whole text where it ended; `pos` is then behind its quote.
    pub(super) fn step(
        &mut self,
        c: char,
        i: usize,
        pos: &mut usize,
        repairs: &mut Repairs,
    ) -> Option<String> {
        if self.quote.is_some() {
            return self.step_quote(c, i, pos, repairs);
        }
        match self.escape {
            Escape::None => match c {
                '\\' if self.open != TOKEN => self.escape = Escape::Backslash,
                _ if is_closing_quote(self.open, c) => {
                    self.quote = Some(JsonQuote::new(i, c, self.place))
                }
                _ => {
                    if c < ' ' {
                        repairs.add(Repair::RawControl);
                    }
                    self.push(c);
                }
            },
            Escape::Backslash => self.push_escaped(c, repairs),
            Escape::Hex { digits, code } => match c.to_digit(16) {
                Some(digit) if digits == 3 => {
                    self.escape = Escape::None;
                    self.push_utf16_unit(code * 16 + digit);
                }
                Some(digit) => {
                    self.escape = Escape::Hex {
                        digits: digits + 1,
                        code: code * 16 + digit,
                    }
                }
                None => {
                    repairs.add(Repair::BadEscape);
                    self.escape = Escape::None;
                    self.push(char::REPLACEMENT_CHARACTER);
                    *pos = i;
                }
            },
        }
        None
    }

    /// Takes a character behind a quote that may be the end.
    fn step_quote(
        &mut self,
        c: char,
        i: usize,
        pos: &mut usize,
        repairs: &mut Repairs,
    ) -> Option<String> {
        let quote = self.quote.as_mut()?;
        match quote.step(c, i) {
            QuoteVerdict::Undecided => None,
            QuoteVerdict::Ends => {
                *pos = quote.end();
                self.quote = None;
                Some(self.take_text(repairs))
            }
            QuoteVerdict::Inside => {
                repairs.add(Repair::JsonQuotes);
                *pos = quote.end();
                self.tripled |= self.out.is_empty();
                self.is_loose = true;
                self.out.push(quote.sign);
                self.quote = None;
                None
            }
        }
    }

    /// Takes the character behind a backslash.
    fn push_escaped(&mut self, c: char, repairs: &mut Repairs) {
        self.escape = Escape::None;
        match c {
            'n' => self.push('\n'),
            't' => self.push('\t'),
            'r' => self.push('\r'),
            'b' => self.push('\u{8}'),
            'f' => self.push('\u{c}'),
            '"' | '\\' | '/' => self.push(c),
            'u' => self.escape = Escape::Hex { digits: 0, code: 0 },
            'x' => {
                repairs.add(Repair::BadEscape);
                self.escape = Escape::Hex { digits: 2, code: 0 };
            }
            '\n' => repairs.add(Repair::BadEscape),
            _ => {
                repairs.add(Repair::BadEscape);
                if !is_closing_quote(self.open, c) && c != '\'' {
                    self.push('\\');
                }
                self.push(c);
            }
        }
    }

    /// One UTF-16 unit of a `\u` escape.
    fn push_utf16_unit(&mut self, code: u32) {
        match (self.high_surrogate.take(), code) {
            (None, 0xD800..=0xDBFF) => self.high_surrogate = Some(code),
            (Some(high), 0xDC00..=0xDFFF) => {
                let c = char::from_u32(0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00));
                self.out.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (Some(_), _) => {
                self.out.push(char::REPLACEMENT_CHARACTER);
                self.push_utf16_unit(code);
            }
            (None, _) => self
                .out
                .push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
        }
    }

    fn push(&mut self, c: char) {
        if self.high_surrogate.take().is_some() {
            self.out.push(char::REPLACEMENT_CHARACTER);
        }
        self.out.push(c);
    }

    fn take_text(&mut self, repairs: &mut Repairs) -> String {
        if self.high_surrogate.take().is_some() {
            self.out.push(char::REPLACEMENT_CHARACTER);
        }
        let mut text = std::mem::take(&mut self.out);
        // `"one " + "text"`, as a program puts it together.
        if self.is_loose && text.contains("\" + \"") {
            text = text.replace("\" + \"", "");
        }
        // `"""text"""`: the outer quotes ended it, the inner ones were read as text.
        match text
            .strip_prefix("\"\"")
            .and_then(|text| text.strip_suffix("\"\""))
        {
            Some(inner) if self.open == '"' && self.tripled => {
                repairs.add(Repair::JsonQuotes);
                inner.to_owned()
            }
            _ => text,
        }
    }
}

/// How many brackets that nothing opened are an end of a document in the middle of a text …
const FEWEST_WITHIN: usize = 3;
/// … and at its end.
const FEWEST_AT_END: usize = 2;

/// The text up to the brackets that close a document around it: `hi”}}]} and more`, `hi}}`. None where it has none: what
/// the text itself opened is its own, and so is code.
pub(super) fn strip_closers(text: &str) -> Option<&str> {
    if text.contains('`') || !text.contains('}') {
        return None;
    }
    let mut open = 0_usize;
    let mut run: Option<Run> = None;
    for (at, c) in text.char_indices() {
        match c {
            '}' | ']' if run.is_none() && open > 0 => open -= 1,
            '}' | ']' => run
                .get_or_insert(Run {
                    from: at,
                    braces: 0,
                    brackets: 0,
                })
                .count_bracket(c),
            ' ' | '\n' => {}
            _ => {
                if let Some(run) = run.take().filter(Run::can_close_mid_text) {
                    return run.cut_text_before(text);
                }
                open += usize::from(matches!(c, '{' | '['));
            }
        }
    }
    run.filter(|run| run.can_close_at_end(text))
        .and_then(|run| run.cut_text_before(text))
}

/// Brackets side by side that nothing opened.
struct Run {
    from: usize,
    braces: usize,
    brackets: usize,
}

impl Run {
    fn count_bracket(&mut self, c: char) {
        if c == '}' {
            self.braces += 1
        } else {
            self.brackets += 1
        }
    }

    fn can_close_mid_text(&self) -> bool {
        self.braces > 0 && self.brackets > 0 && self.braces + self.brackets >= FEWEST_WITHIN
    }

    /// A face has one eye and any number of mouths.
    fn can_close_at_end(&self, text: &str) -> bool {
        let is_face = text[..self.from].ends_with([':', ';', '=', '8']);
        self.braces > 0 && self.braces + self.brackets >= FEWEST_AT_END && !is_face
    }

    /// The text before it, without the quote that was meant to end it, if there is any.
    fn cut_text_before<'a>(&self, text: &'a str) -> Option<&'a str> {
        let before = text[..self.from].trim_end();
        let before = before
            .strip_suffix(['\'', '"', '”', '“', '’', '‘', '」', '』'])
            .unwrap_or(before)
            .trim_end();
        before.contains(char::is_alphanumeric).then_some(before)
    }
}

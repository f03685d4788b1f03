//! One JSON string while it is read: escapes, and quotes that may or may not end it.

use super::json_quote::{JsonStringPlace, TOKEN, TOKEN_QUOTE, ends_string, is_closing_quote};
use super::sign::find_first_byte;

#[derive(Debug)]
pub(super) struct JsonText {
    open: char,
    place: JsonStringPlace,
    out: String,
    escape: Escape,
    /// UTF-16 units of escapes that were not looked at together yet.
    units: Vec<u16>,
    /// A quote that may be its end, and up to where only blanks stand behind it.
    quote: Option<(usize, usize)>,
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
            units: Vec::new(),
            quote: None,
            tripled: false,
            is_loose: false,
        }
    }

    /// What was read so far; whether a quote that may be its end was seen last.
    pub(super) fn into_parts(mut self) -> (String, bool) {
        self.push_units();
        (self.out, self.quote.is_some())
    }

    pub(super) fn is_quote_open(&self) -> bool {
        self.quote.is_some()
    }

    /// Takes all from `i` up to the next sign that may mean something; `pos` is then there. False where there is nothing.
    pub(super) fn take_plain_text(&mut self, text: &str, i: usize, pos: &mut usize) -> bool {
        if self.open != '"' || self.quote.is_some() || !matches!(self.escape, Escape::None) {
            return false;
        }
        let rest = &text[i..];
        let length = find_first_byte(rest, |byte| {
            (byte == b'"') | (byte == b'\\') | (byte < b' ')
        })
        .unwrap_or(rest.len());
        if length == 0 {
            return false;
        }
        self.push_units();
        self.out.push_str(&rest[..length]);
        *pos = i + length;
        true
    }

    /// Takes the character at `i`. Answers with the whole text where it ended; `pos` is then behind its quote.
    pub(super) fn step(&mut self, text: &str, i: usize, pos: &mut usize) -> Option<String> {
        let c = text[i..].chars().next()?;
        if let Some((quote, behind)) = self.quote {
            return self.read_quote(text, quote, behind, pos);
        }
        match self.escape {
            Escape::None => match c {
                '\\' if self.open != TOKEN => self.escape = Escape::Backslash,
                _ if is_closing_quote(self.open, c) => {
                    return self.read_quote(text, i, *pos, pos);
                }
                _ => self.push(c),
            },
            Escape::Backslash => self.push_escaped(c),
            Escape::Hex { digits, code } => match c.to_digit(16) {
                Some(digit) if digits == 3 => {
                    self.escape = Escape::None;
                    self.units.push((code * 16 + digit) as u16);
                }
                Some(digit) => {
                    self.escape = Escape::Hex {
                        digits: digits + 1,
                        code: code * 16 + digit,
                    }
                }
                None => {
                    self.escape = Escape::None;
                    self.push(char::REPLACEMENT_CHARACTER);
                    *pos = i;
                }
            },
        }
        None
    }

    /// Looks at the quote at `at` that may be the end; `behind` it is up to where only blanks stand.
    fn read_quote(
        &mut self,
        text: &str,
        at: usize,
        mut behind: usize,
        pos: &mut usize,
    ) -> Option<String> {
        let sign = text[at..].chars().next()?;
        let mut end = at + sign.len_utf8();
        let verdict = if self.open == TOKEN {
            let rest = &text[at..];
            end += TOKEN_QUOTE.len() - 1;
            (rest.len() >= TOKEN_QUOTE.len() || !TOKEN_QUOTE.starts_with(rest))
                .then(|| rest.starts_with(TOKEN_QUOTE))
        } else {
            behind = text.len() - text[behind..].trim_start().len();
            ends_string(&text[end..behind], &text[behind..], self.place)
        };
        self.quote = verdict.is_none().then_some((at, behind));
        *pos = match verdict {
            None => text.len(),
            Some(true) => end,
            Some(false) => at + sign.len_utf8(),
        };
        if verdict? {
            return Some(self.take_text());
        }
        self.tripled |= self.out.is_empty();
        self.is_loose = true;
        self.push(sign);
        None
    }

    fn push_escaped(&mut self, c: char) {
        self.escape = Escape::None;
        match c {
            'n' => self.push('\n'),
            't' => self.push('\t'),
            'r' => self.push('\r'),
            'b' => self.push('\u{8}'),
            'f' => self.push('\u{c}'),
            '"' | '\\' | '/' => self.push(c),
            'u' => self.escape = Escape::Hex { digits: 0, code: 0 },
            'x' => self.escape = Escape::Hex { digits: 2, code: 0 },
            '\n' => {}
            _ => {
                if !is_closing_quote(self.open, c) && c != '\'' {
                    self.push('\\');
                }
                self.push(c);
            }
        }
    }

    fn push(&mut self, c: char) {
        self.push_units();
        self.out.push(c);
    }

    /// What the units stand for; half a character stands for none.
    fn push_units(&mut self) {
        let characters = char::decode_utf16(self.units.drain(..));
        self.out
            .extend(characters.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    }

    fn take_text(&mut self) -> String {
        self.push_units();
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
            Some(inner) if self.open == '"' && self.tripled => inner.to_owned(),
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

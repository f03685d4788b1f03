//! Reads one tag, character by character: where it ends, what it is called, where its attributes are. Never waits
//! for more than the tag's own end, and never looks at a character twice.

use std::ops::Range;

use super::json_quote::is_closing_quote;
use super::sign::{CDATA, MOST_SIGNS, is_name_part, is_name_start, to_half_width};

const LONGEST_NAME: usize = 64;
const LONGEST_TOKEN: usize = 64;

/// A whole tag, as ranges of the answer.
#[derive(Clone, Debug, Default)]
pub(super) struct ParsedTag {
    pub(super) range: Range<usize>,
    pub(super) name: Range<usize>,
    pub(super) kind: TagKind,
    pub(super) attributes: Vec<TagAttribute>,
    /// Quotes inside quoted values, or values without quotes.
    pub(super) odd_quotes: bool,
    pub(super) full_width: bool,
    /// The next `<` came before its `>`.
    pub(super) unfinished: bool,
}

impl ParsedTag {
    /// Whether it is none of XML as it stands.
    pub(super) fn is_faulty(&self) -> bool {
        self.odd_quotes || self.full_width || self.unfinished
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TagKind {
    #[default]
    Start,
    End,
    /// `<name/>`
    Empty,
}

/// An attribute; without a value it is a bare word.
#[derive(Clone, Debug)]
pub(super) struct TagAttribute {
    /// Empty for `<function=name>`, where the tag's own name takes the value.
    pub(super) name: Range<usize>,
    pub(super) value: Option<Range<usize>>,
}

#[derive(Debug)]
pub(super) enum TagStep {
    More,
    /// It was text all along. The character is to be looked at again.
    Text,
    Done(ParsedTag),
    /// The next `<` came before its `>`. The character is to be looked at again.
    Unfinished(ParsedTag),
    /// Inside a quoted value something like `> <name` stands: a quote may be missing.
    Suspect {
        lt: usize,
        gt: usize,
    },
    /// The next quote tells that one is missing indeed.
    Cut,
    /// `<![CDATA[` is whole, or what it was meant to be.
    Cdata,
    Comment,
    Instruction,
    /// `<|…|>`, a special token of a model that leaked.
    Token,
}

#[derive(Clone, Copy, Debug, Default)]
enum TagPosition {
    #[default]
    Lt,
    Slash,
    Name,
    Gap,
    Attribute,
    Equals,
    Quoted(char),
    AfterQuote(char),
    AfterQuoteGap(char),
    AfterQuoteWord(char),
    Bare,
    BareAngle,
    SlashEnd,
    Bang,
    /// Behind so many letters of the word of a CDATA mark, or before it.
    Cdata(usize),
    Comment,
    Instruction,
    Token,
    /// Behind the second bar of `<|token|`.
    TokenEnd,
    /// Inside the token of `</|token|name>`.
    SlashToken,
}

#[derive(Debug, Default)]
pub(super) struct TagScan {
    state: TagPosition,
    tag: ParsedTag,
    /// Where the current attribute name or value began.
    part_start: usize,
    /// Up to where a quoted value goes if the quote just seen ends it.
    value_end: usize,
    after_quote: usize,
    /// The last two characters, for the ends of comments.
    tail: [char; 2],
    /// Inside a quoted value: a `>` with only blanks behind it so far, and the `<` after it.
    gt: Option<usize>,
    lt: Option<usize>,
    /// Where the value ends and the next tag begins if its closing quote is missing.
    suspect: Option<(usize, usize)>,
    /// The name does not begin with a letter of ASCII.
    other_letters: bool,
}

impl TagScan {
    /// At the `<` (or `＜`) at `start`.
    pub(super) fn new(start: usize, bracket: char) -> Self {
        let tag = ParsedTag {
            range: start..start,
            full_width: bracket != '<',
            ..ParsedTag::default()
        };
        Self {
            tag,
            part_start: start,
            ..Self::default()
        }
    }

    pub(super) fn start(&self) -> usize {
        self.tag.range.start
    }

    /// A tag begins at `lt` inside a quoted value, behind a `>` at `gt`. A quote that closes the value tells that it is
    /// part of it; one that begins another value, or none at all, that it is not.
    pub(super) fn mark_suspect(&mut self, lt: usize, gt: usize) {
        self.suspect = self.suspect.or(Some((lt, gt)));
    }

    /// Whether a tag was seen inside a quoted value that has no end so far.
    pub(super) fn is_suspect(&self) -> bool {
        self.suspect.is_some()
    }

    /// Ends the tag before the one inside what looked like a quoted value; where that begins.
    pub(super) fn cut_before_suspect(mut self, text: &str) -> (ParsedTag, usize) {
        let (lt, gt) = self.suspect.unwrap_or((self.part_start, self.part_start));
        let value = text.get(self.part_start..gt).unwrap_or_default();
        let (end, kind) = match value.trim_end().strip_suffix('/') {
            Some(kept) => (self.part_start + kept.trim_end().len(), TagKind::Empty),
            None => (gt, self.tag.kind),
        };
        self.tag.kind = kind;
        self.tag.odd_quotes = true;
        self.end_value(end);
        self.tag.range.end = gt + 1;
        (self.tag, lt)
    }

    fn end_value(&mut self, end: usize) {
        let value = self.part_start..end.max(self.part_start);
        self.suspect = None;
        if let Some(last) = self.tag.attributes.last_mut() {
            last.value = Some(value);
        }
    }

    /// Takes the character `raw` at `i`.
    pub(super) fn step(&mut self, raw: char, i: usize) -> TagStep {
        let c = if matches!(self.state, TagPosition::Quoted(_)) {
            raw
        } else {
            to_half_width(raw)
        };
        let next = i + raw.len_utf8();
        match self.state {
            TagPosition::Lt => self.read_first_sign(c, i, next),
            TagPosition::Slash => self.read_end_sign(c, i, next),
            TagPosition::SlashToken => match c {
                '|' => self.enter_state(TagPosition::Slash),
                '<' | '>' | '\n' => TagStep::Text,
                _ if i - self.tag.range.start > LONGEST_TOKEN => TagStep::Text,
                _ => TagStep::More,
            },
            TagPosition::Name => self.read_name(c, i, next),
            TagPosition::Gap | TagPosition::SlashEnd => self.read_gap(c, i, next),
            TagPosition::Attribute => match c {
                '=' => {
                    self.add_attribute(self.part_start..i);
                    self.enter_state(TagPosition::Equals)
                }
                _ if c.is_whitespace() || matches!(c, '>' | '/' | '<') => {
                    self.add_attribute(self.part_start..i);
                    self.read_gap(c, i, next)
                }
                _ => TagStep::More,
            },
            TagPosition::Equals => self.begin_value(raw, c, i, next),
            TagPosition::Bare | TagPosition::BareAngle => self.read_bare_value(c, i, next),
            TagPosition::Quoted(open) => self.read_quoted_value(open, raw, i),
            TagPosition::AfterQuote(open)
            | TagPosition::AfterQuoteGap(open)
            | TagPosition::AfterQuoteWord(open) => self.read_after_quote(open, raw, i),
            TagPosition::Bang => self.read_mark(c, i),
            TagPosition::Cdata(letters) => self.read_cdata_mark(letters, c, i),
            TagPosition::Comment => {
                let ended = c == '>' && self.tail == ['-', '-'];
                self.tail = [self.tail[1], c];
                if ended {
                    TagStep::Comment
                } else {
                    TagStep::More
                }
            }
            TagPosition::Instruction => match c {
                '>' => TagStep::Instruction,
                '<' => TagStep::Text,
                _ => TagStep::More,
            },
            // `<|token|name …>`: a model that marks its tags with a token of its own.
            TagPosition::TokenEnd if is_name_start(c) => self.begin_name(i, next),
            TagPosition::Token | TagPosition::TokenEnd => match c {
                '>' => TagStep::Token,
                '<' | '\n' => TagStep::Text,
                _ if i - self.tag.range.start > LONGEST_TOKEN => TagStep::Text,
                '|' if i - self.tag.range.start > '<'.len_utf8() => {
                    self.enter_state(TagPosition::TokenEnd)
                }
                _ => self.enter_state(TagPosition::Token),
            },
        }
    }

    /// Behind `<!`.
    fn read_mark(&mut self, c: char, i: usize) -> TagStep {
        match (i - self.tag.range.start, c) {
            (2, '-') => TagStep::More,
            (3, '-') => self.enter_state(TagPosition::Comment),
            // `<!DOCTYPE …>` and the like.
            (2, 'D' | 'd') => self.enter_state(TagPosition::Instruction),
            (2, _) => self.read_cdata_mark(0, c, i),
            _ => TagStep::Text,
        }
    }

    /// Behind the `<`.
    fn read_first_sign(&mut self, c: char, i: usize, next: usize) -> TagStep {
        match c {
            '/' => {
                self.tag.kind = TagKind::End;
                self.enter_state(TagPosition::Slash)
            }
            '!' => self.enter_state(TagPosition::Bang),
            '[' => self.enter_state(TagPosition::Cdata(0)),
            '?' => self.enter_state(TagPosition::Instruction),
            '|' => self.enter_state(TagPosition::Token),
            _ if is_name_start(c) => self.begin_name(i, next),
            // `<\/name>`, and a picture before a name.
            _ if c == '\\'
                || (!c.is_ascii()
                    && !c.is_alphanumeric()
                    && !c.is_whitespace()
                    && i < self.part_start + 8) =>
            {
                TagStep::More
            }
            _ => TagStep::Text,
        }
    }

    /// Behind `</`.
    fn read_end_sign(&mut self, c: char, i: usize, next: usize) -> TagStep {
        match c {
            '>' => {
                self.tag.name = i..i;
                self.finish_tag(next)
            }
            '|' => self.enter_state(TagPosition::SlashToken),
            _ if c == ' ' || c == '\\' => TagStep::More,
            _ if is_name_start(c) => self.begin_name(i, next),
            _ => TagStep::Text,
        }
    }

    fn read_name(&mut self, c: char, i: usize, next: usize) -> TagStep {
        match c {
            ':' if i - self.tag.name.start <= 2 => TagStep::Text,
            // A name in other letters is one only where nothing else stands in the tag: people write `<` before words.
            _ if self.other_letters && !is_name_part(c) && !matches!(c, '>' | '/') => TagStep::Text,
            _ if is_name_part(c) || matches!(c, ':' | '\\') => {
                self.tag.name.end = next;
                if self.tag.name.len() > LONGEST_NAME {
                    TagStep::Text
                } else {
                    TagStep::More
                }
            }
            '=' => {
                self.add_attribute(i..i);
                self.enter_state(TagPosition::Equals)
            }
            _ if c.is_whitespace() || matches!(c, '>' | '/' | '<') => self.read_gap(c, i, next),
            _ => TagStep::Text,
        }
    }

    /// Behind the `=` of an attribute.
    fn begin_value(&mut self, raw: char, c: char, i: usize, next: usize) -> TagStep {
        match c {
            '"' | '\'' | '“' | '”' | '‘' | '’' => {
                self.begin_quoted_value(raw, next, raw != '"' && raw != '\'')
            }
            _ if c.is_whitespace() => TagStep::More,
            // `name=\"value\"`
            '\\' => {
                self.tag.odd_quotes = true;
                TagStep::More
            }
            '>' => self.finish_tag(next),
            _ => {
                self.part_start = i;
                self.tag.odd_quotes = true;
                self.enter_state(if c == '<' {
                    TagPosition::BareAngle
                } else {
                    TagPosition::Bare
                })
            }
        }
    }

    fn begin_quoted_value(&mut self, open: char, next: usize, is_odd: bool) -> TagStep {
        self.part_start = next;
        self.tag.odd_quotes |= is_odd;
        (self.gt, self.lt) = (None, None);
        self.enter_state(TagPosition::Quoted(open))
    }

    /// Inside a value without quotes, or between angles.
    fn read_bare_value(&mut self, c: char, i: usize, next: usize) -> TagStep {
        match (self.state, c) {
            (TagPosition::BareAngle, '>') => {
                self.end_value(next);
                self.enter_state(TagPosition::Gap)
            }
            (TagPosition::BareAngle, _) if c.is_whitespace() || c == '<' => TagStep::Text,
            (TagPosition::BareAngle, _) => TagStep::More,
            _ if c.is_whitespace() || matches!(c, '>' | '<') => {
                self.end_value(i);
                self.read_gap(c, i, next)
            }
            (_, '/') => {
                self.value_end = i;
                self.end_value(i);
                self.enter_state(TagPosition::SlashEnd)
            }
            _ => TagStep::More,
        }
    }

    /// Behind a quote that may end a value: right behind it, behind blanks, or inside the word after them.
    fn read_after_quote(&mut self, open: char, raw: char, i: usize) -> TagStep {
        let c = to_half_width(raw);
        let next = i + raw.len_utf8();
        match (self.state, c) {
            (TagPosition::AfterQuoteWord(_), _) if is_name_part(c) => TagStep::More,
            (TagPosition::AfterQuoteWord(_), '=') => {
                let word = self.after_quote..i;
                self.end_value(self.value_end);
                self.add_attribute(word);
                self.enter_state(TagPosition::Equals)
            }
            (TagPosition::AfterQuote(_), _) if c.is_whitespace() => {
                self.enter_state(TagPosition::AfterQuoteGap(open))
            }
            (TagPosition::AfterQuoteGap(_), _) if c.is_whitespace() => TagStep::More,
            (_, '>')
            | (TagPosition::AfterQuote(_) | TagPosition::AfterQuoteGap(_), '/')
            | (TagPosition::AfterQuote(_), '<' | '?') => {
                self.end_value(self.value_end);
                self.read_gap(c, i, next)
            }
            (TagPosition::AfterQuoteGap(_), _) if c.is_ascii() && is_name_start(c) => {
                self.enter_state(TagPosition::AfterQuoteWord(open))
            }
            _ => self.resume_quoted_value(open, raw, i),
        }
    }

    fn add_attribute(&mut self, name: Range<usize>) {
        self.tag.attributes.push(TagAttribute { name, value: None });
    }

    /// The mark of a CDATA section behind `<!` or `<[`, written well or badly: `<![CDATA[`, `<! [CDATA[`, `<!CDATA[`.
    fn read_cdata_mark(&mut self, letters: usize, c: char, i: usize) -> TagStep {
        match CDATA.get(letters) {
            Some(letter) if c.eq_ignore_ascii_case(letter) => {
                self.enter_state(TagPosition::Cdata(letters + 1))
            }
            Some(_)
                if letters == 0
                    && matches!(c, '[' | ' ')
                    && i - self.tag.range.start < MOST_SIGNS =>
            {
                self.enter_state(TagPosition::Cdata(0))
            }
            None if c == '[' => TagStep::Cdata,
            _ => TagStep::Text,
        }
    }

    fn enter_state(&mut self, at: TagPosition) -> TagStep {
        self.state = at;
        TagStep::More
    }

    fn begin_name(&mut self, i: usize, next: usize) -> TagStep {
        self.tag.name = i..next;
        self.other_letters = next - i > 1;
        self.enter_state(TagPosition::Name)
    }

    fn read_gap(&mut self, c: char, i: usize, next: usize) -> TagStep {
        match c {
            '>' => {
                if matches!(self.state, TagPosition::SlashEnd) && self.tag.kind == TagKind::Start {
                    self.tag.kind = TagKind::Empty;
                }
                self.finish_tag(next)
            }
            '<' => {
                self.tag.range.end = i;
                self.tag.unfinished = true;
                TagStep::Unfinished(std::mem::take(&mut self.tag))
            }
            '/' => self.enter_state(TagPosition::SlashEnd),
            '=' if !self.tag.attributes.is_empty() => self.enter_state(TagPosition::Equals),
            _ if c.is_whitespace() => {
                if !matches!(self.state, TagPosition::SlashEnd) {
                    self.state = TagPosition::Gap;
                }
                TagStep::More
            }
            _ => {
                self.part_start = i;
                self.enter_state(TagPosition::Attribute)
            }
        }
    }

    fn read_quoted_value(&mut self, open: char, c: char, i: usize) -> TagStep {
        let before = std::mem::replace(&mut self.tail[1], c);
        if is_closing_quote(open, c) || open == '"' && c == '＂' {
            if self.is_suspect() && before == '=' {
                return TagStep::Cut;
            }
            (self.value_end, self.after_quote) = (i, i + c.len_utf8());
            return self.enter_state(TagPosition::AfterQuote(open));
        }
        let in_name = self
            .lt
            .filter(|_| c.is_whitespace() || matches!(c, '>' | '/'));
        match (in_name, self.gt) {
            (Some(lt), Some(gt)) if i > lt + 1 => {
                (self.gt, self.lt) = ((c == '>').then_some(i), None);
                return TagStep::Suspect { lt, gt };
            }
            _ => {}
        }
        match c {
            '>' => (self.gt, self.lt) = (Some(i), None),
            '<' if self.gt.is_some() => self.lt = Some(i),
            _ if c.is_whitespace() => self.lt = None,
            _ if self.lt.is_some() => {}
            _ => self.gt = None,
        }
        TagStep::More
    }

    fn resume_quoted_value(&mut self, open: char, c: char, i: usize) -> TagStep {
        if self.is_suspect() {
            return TagStep::Cut;
        }
        self.tag.odd_quotes = true;
        self.state = TagPosition::Quoted(open);
        self.read_quoted_value(open, c, i)
    }

    fn finish_tag(&mut self, end: usize) -> TagStep {
        self.tag.range.end = end;
        TagStep::Done(std::mem::take(&mut self.tag))
    }
}

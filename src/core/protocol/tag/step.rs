//! What one more character makes of a tag, state by state.

use std::ops::Range;

use super::{SkippedSpan, TagAttribute, TagKind, TagPosition, TagScan, TagStep};
use crate::protocol::sign::{
    CDATA, MOST_SIGNS, is_closing_quote, is_name_part, is_name_start, to_half_width,
};

const LONGEST_NAME: usize = 64;
const LONGEST_TOKEN: usize = 64;

impl TagScan {
    /// Takes the character `raw` at `i`.
    pub(in crate::protocol) fn step(&mut self, raw: char, i: usize) -> TagStep {
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
                    self.end_attribute_name(i);
                    self.enter_state(TagPosition::Equals)
                }
                _ if c.is_whitespace() || matches!(c, '>' | '/' | '<') => {
                    self.end_attribute_name(i);
                    self.read_gap(c, i, next)
                }
                _ => TagStep::More,
            },
            TagPosition::Equals => self.begin_value(raw, c, i, next),
            TagPosition::Bare => self.read_bare_value(c, i, next),
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
                    TagStep::Skip(SkippedSpan::Comment)
                } else {
                    TagStep::More
                }
            }
            TagPosition::Instruction => match c {
                '>' => TagStep::Skip(SkippedSpan::Instruction),
                '<' => TagStep::Text,
                _ => TagStep::More,
            },
            // `<|token|name …>`: a model that marks its tags with a token of its own.
            TagPosition::TokenEnd if is_name_start(c) => self.begin_name(i, next),
            TagPosition::Token | TagPosition::TokenEnd => match c {
                '>' => TagStep::Skip(SkippedSpan::Token),
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
                self.begin_quoted_value(c, next, raw != '"' && raw != '\'')
            }
            _ if c.is_whitespace() => TagStep::More,
            '>' => self.finish_tag(next),
            _ => {
                self.part_start = i;
                self.tag.odd_quotes = true;
                self.enter_state(TagPosition::Bare)
            }
        }
    }

    fn begin_quoted_value(&mut self, open: char, next: usize, is_odd: bool) -> TagStep {
        self.part_start = next;
        self.tag.odd_quotes |= is_odd;
        (self.gt, self.lt) = (None, None);
        self.enter_state(TagPosition::Quoted(open))
    }

    /// Inside a value without quotes.
    fn read_bare_value(&mut self, c: char, i: usize, next: usize) -> TagStep {
        match c {
            _ if c.is_whitespace() || matches!(c, '>' | '<') => {
                self.end_value(i);
                self.read_gap(c, i, next)
            }
            '/' => {
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
                let word = self.find_word_before(i);
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
        if is_closing_quote(open, c) {
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

    fn end_attribute_name(&mut self, i: usize) {
        self.add_attribute(self.part_start..i);
    }

    /// The word that ended just before `i`; it began after the blanks behind the quote.
    fn find_word_before(&self, i: usize) -> Range<usize> {
        self.after_quote..i
    }

    fn finish_tag(&mut self, end: usize) -> TagStep {
        self.tag.range.end = end;
        TagStep::Done(std::mem::take(&mut self.tag))
    }
}

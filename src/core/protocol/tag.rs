//! Reads one tag, character by character: where it ends, what it is called, where its attributes are. Never waits
//! for more than the tag's own end, and never looks at a character twice.

mod step;

use std::ops::Range;

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

/// What one more character made of a tag.
#[derive(Debug)]
pub(super) enum TagStep {
    More,
    /// It was text all along. The character is to be looked at again.
    Text,
    /// It is whole.
    Done(ParsedTag),
    /// The next `<` came before its `>`. The character is to be looked at again.
    Unfinished(ParsedTag),
    /// Inside a quoted value something like `> <name` stands: a quote may be missing. See [`TagScan::suspect`].
    Suspect {
        lt: usize,
        gt: usize,
    },
    /// The next quote tells that one is missing indeed. See [`TagScan::cut`].
    Cut,
    /// `<![CDATA[` is whole, or what it was meant to be.
    Cdata,
    /// A comment, a processing instruction or a `<|token|>` is whole.
    Skip(SkippedSpan),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkippedSpan {
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
            value_end: start,
            after_quote: start,
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
}

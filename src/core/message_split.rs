//! Cuts a text into messages a platform takes: at paragraphs, sentences, words, in that order, and inside code at lines,
//! where the code block is closed and opened again. Nothing but white space at a cut is lost.

/// The most characters (Unicode code points) of a message: Discord's limit.
pub const MESSAGE_CHARACTERS: usize = 2_000;
const FENCE: &str = "```";
/// What opens a block again that has no first line of its own.
const OPEN: &str = "```\n";
const CLOSE: &str = "\n```";
/// The longest name of a language after an opening fence, in bytes.
const LONGEST_LANGUAGE: usize = 30;
/// The longest markup such as `<:name:id>` that is never cut, in characters.
const LONGEST_MARKUP: usize = 64;

/// A block of code: byte positions in the text.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Where its opening fence begins, and where its body does.
    start: usize,
    body: usize,
    /// Where its closing fence begins, and where it ends.
    close: usize,
    end: usize,
}

impl Block {
    /// What opens it again after a cut: its first line where that names a language, else a bare fence.
    fn opening_fence<'a>(&self, text: &'a str) -> &'a str {
        let own = &text[self.start..self.body];
        if own.ends_with('\n') { own } else { OPEN }
    }

    /// What closes it before a cut. A first line that was cut to one word would name a language, had it an end.
    fn closing_fence(&self, text: &str) -> &'static str {
        if text[self.start..self.body].ends_with('\n') {
            CLOSE
        } else {
            FENCE
        }
    }

    /// Whether a cut here is one through its body: fences are never cut, and no empty block is left on either side.
    fn is_cut(&self, text: &str, at: usize) -> bool {
        let is_something = |part: &str| !part.trim().is_empty();
        (self.body..self.close).contains(&at)
            && is_something(&text[self.body..at])
            && is_something(&text[at..self.close])
    }
}

/// How good a place is to cut at, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Border {
    Letter,
    Sign,
    /// Between two words, or after a Chinese comma.
    Word,
    Sentence,
    Paragraph,
}

/// The parts of a text, each of 1 to 2000 code points; none of an empty text.
pub fn split_message(text: &str) -> Vec<String> {
    let text = text.trim();
    let blocks = find_blocks(text);
    let mut parts = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let open = blocks.iter().find(|block| block.is_cut(text, at));
        let prefix = open.map_or("", |block| block.opening_fence(text));
        let room = MESSAGE_CHARACTERS - prefix.chars().count();
        let (end, is_last) = match text[at..].char_indices().nth(room) {
            None => (text.len(), true),
            Some((end, _)) => (find_cut(text, &blocks, at, at + end), false),
        };
        let inside = blocks
            .iter()
            .find(|block| !is_last && block.is_cut(text, end));
        let body = &text[at..end];
        let part = match inside {
            Some(block) => format!(
                "{prefix}{}{}",
                body.trim_end_matches('\n'),
                block.closing_fence(text)
            ),
            None => format!("{prefix}{}", body.trim_end()),
        };
        if !part.trim().is_empty() {
            parts.push(part);
        }
        at = match inside {
            Some(_) => end + usize::from(text[end..].starts_with('\n')),
            None => text.len() - text[end..].trim_start().len(),
        };
    }
    parts
}

/// A text that broke off, up to where its last whole sentence ends, else its last whole word; as it is where neither does.
pub fn trim_to_sentence(text: &str) -> &str {
    let text = text.trim_end();
    let last = |least| {
        let mut places = text.char_indices().rev();
        places
            .find(|(at, _)| classify_border(text, *at).is_some_and(|border| border >= least))
            .map(|(at, _)| text[..at].trim_end())
    };
    if is_sentence_end(text, ' ') {
        return text;
    }
    last(Border::Sentence)
        .or_else(|| last(Border::Word))
        .unwrap_or(text)
}

fn find_cut(text: &str, blocks: &[Block], from: usize, limit: usize) -> usize {
    // A cut inside a block needs room for the fence that closes it.
    let tight = text[from..limit]
        .char_indices()
        .rev()
        .nth(CLOSE.len() - 1)
        .map_or(from, |(at, _)| from + at);
    let half = text[from..limit].chars().count() / 2;
    let half = text[from..limit]
        .char_indices()
        .nth(half)
        .map_or(from, |(at, _)| from + at);
    // The last place of each quality, in the second half of what fits, and anywhere in it.
    let (mut late, mut any) = ([None; 5], [None; 5]);
    let places = text[from..]
        .char_indices()
        .skip(1)
        .map(|(at, _)| from + at)
        .take_while(|at| *at <= limit);
    for at in places {
        let border = match blocks
            .iter()
            .find(|block| block.start < at && at < block.end)
        {
            None => classify_border(text, at),
            Some(block) if at <= tight && block.is_cut(text, at) => classify_code_border(text, at),
            Some(_) => None,
        };
        let Some(border) = border else { continue };
        any[border as usize] = Some(at);
        if at >= half {
            late[border as usize] = Some(at);
        }
    }
    late.iter()
        .rev()
        .chain(any.iter().rev())
        .flatten()
        .next()
        .copied()
        .unwrap_or(tight.max(next_boundary(text, from)))
}

fn next_boundary(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(1, char::len_utf8)
}

/// How good it is to cut text at `at`; none if something would be torn apart.
fn classify_border(text: &str, at: usize) -> Option<Border> {
    let (before, after) = (&text[..at], &text[at..]);
    let (last, next) = (before.chars().next_back()?, after.chars().next()?);
    if after.starts_with("\n\n") {
        return Some(Border::Paragraph);
    }
    if next == '\n' || is_sentence_end(before, next) {
        return Some(Border::Sentence);
    }
    if is_inside_markup(before, after) || is_joined(last, next) {
        return None;
    }
    Some(match next {
        _ if next.is_whitespace() || "，、；：".contains(last) => Border::Word,
        _ if has_no_spaces(last) && has_no_spaces(next) => Border::Sign,
        _ => Border::Letter,
    })
}

/// The same inside a block of code.
fn classify_code_border(text: &str, at: usize) -> Option<Border> {
    let (last, next) = (text[..at].chars().next_back()?, text[at..].chars().next()?);
    match next {
        '\n' => Some(Border::Sentence),
        _ if next.is_whitespace() => Some(Border::Word),
        _ => (!is_joined(last, next)).then_some(Border::Letter),
    }
}

fn is_sentence_end(before: &str, next: char) -> bool {
    let closed = before.trim_end_matches([
        '"', '\'', ')', ']', '*', '”', '’', '」', '』', '）', '》', '】',
    ]);
    match closed.chars().next_back() {
        // A closing mark still belongs to the sentence.
        Some('。' | '！' | '？' | '…') => !"”’」』）》】。！？…".contains(next),
        Some('.' | '!' | '?') => next.is_whitespace(),
        _ => false,
    }
}

/// Whether the two halves are of one `<@id>`, `<:name:id>`, `<t:time>` or the like.
fn is_inside_markup(before: &str, after: &str) -> bool {
    let ends = |c: &char| c.is_whitespace() || matches!(c, '<' | '>');
    let opened = before.chars().rev().take(LONGEST_MARKUP).find(ends) == Some('<');
    opened && after.chars().take(LONGEST_MARKUP).find(ends) == Some('>')
}

/// Whether two characters make one sign: a joiner, a variation, a skin tone, an accent, a fence or other doubled mark.
fn is_joined(last: char, next: char) -> bool {
    let mark = |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    mark(next) || last == '\u{200d}' || (last == next && "`*_~|".contains(last))
}

fn has_no_spaces(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// The blocks of code of a text. A fence that is never closed is no block.
fn find_blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(FENCE).map(|at| from + at) {
        let inside = start + FENCE.len();
        let Some(close) = text[inside..].find(FENCE).map(|at| inside + at) else {
            break;
        };
        let line = text[inside..close]
            .find('\n')
            .map_or("", |end| &text[inside..inside + end]);
        let is_language =
            line.len() <= LONGEST_LANGUAGE && line.chars().all(|c| c.is_ascii_graphic());
        let has_line = text[inside + line.len()..].starts_with('\n') && is_language;
        let body = if has_line {
            inside + line.len() + 1
        } else {
            inside
        };
        let end = close + FENCE.len();
        blocks.push(Block {
            start,
            body: body.min(close),
            close,
            end,
        });
        from = end;
    }
    blocks
}

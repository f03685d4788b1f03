//! Takes Rust sources apart into tokens and literals of strings and characters. A regular expression is enough: nothing
//! here needs to know what the code means.

use std::sync::LazyLock;

use regex::Regex;

pub(super) struct Token {
    pub(super) line: usize,
    pub(super) text: String,
}

/// A source text without comments: its tokens, and its literals apart.
pub(super) struct Scan {
    pub(super) tokens: Vec<Token>,
    pub(super) literals: Vec<(usize, String)>,
}

/// One token, literal or comment. In this order: a comment may hold quotes, a string may hold slashes, a lifetime is not
/// half a character.
static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r#"(?s)(?P<comment>//[^\n]*|/\*.*?\*/)"#,
        r###"|[bc]?r(?:"(?P<raw>.*?)"|#"(?P<raw1>.*?)"#|##"(?P<raw2>.*?)"##)"###,
        r#"|[bc]?"(?P<string>(?:\\.|[^"\\])*)""#,
        r#"|(?P<char>b?'(?:\\(?:u\{[0-9a-fA-F]+\}|x..|.)|[^'\\])')"#,
        r#"|(?P<token>\w+|::|[^\w\s])"#,
    );
    Regex::new(pattern).unwrap()
});

pub(super) fn scan_source(source: &str) -> Scan {
    let mut scan = Scan {
        tokens: Vec::new(),
        literals: Vec::new(),
    };
    let (mut line, mut counted) = (1, 0);
    for found in PATTERN.captures_iter(source) {
        let start = found.get(0).unwrap().start();
        line += source[counted..start].matches('\n').count();
        counted = start;
        if let Some(token) = found.name("token") {
            scan.tokens.push(Token {
                line,
                text: token.as_str().to_owned(),
            });
        } else if let Some(literal) = ["raw", "raw1", "raw2", "string", "char"]
            .iter()
            .find_map(|name| found.name(name))
        {
            scan.literals.push((line, literal.as_str().to_owned()));
        }
    }
    scan
}

/// The text of the token at this place; empty behind the last one.
pub(super) fn text_at(tokens: &[Token], index: usize) -> &str {
    tokens.get(index).map_or("", |token| token.text.as_str())
}

pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

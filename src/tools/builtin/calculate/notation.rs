//! What people write, as fend reads it: `100 + 10%` is 110, `60 km / 2 h` divides by both, `3 in` are inches.

use kith_language::{LocalizedMessage, calculate};

/// Functions that fend lacks, in its language.
pub(super) const DEFINITIONS: [&str; 2] = [
    "larger = a: b: ((a + b + abs(a - b)) / 2)",
    "smaller = a: b: ((a + b - abs(a - b)) / 2)",
];
const FUNCTIONS: [&str; 7] = ["max", "min", "sum", "mean", "average", "round", "log"];
const OPERATORS: [&str; 6] = ["to", "in", "as", "of", "per", "mod"];
const CURRENCIES: [char; 6] = ['$', '€', '£', '¥', '₹', '₩'];

/// A bracket that is open, or the whole expression.
#[derive(Default)]
struct Bracket<'a> {
    function: Option<&'a str>,
    values: Vec<String>,
    current: String,
    /// Whether a divisor with its units is open.
    in_divisor: bool,
}

/// The expression in fend's language.
///
/// # Errors
/// It mixes currencies, or has a comma that parts nothing.
pub(super) fn to_fend(text: &str) -> Result<String, LocalizedMessage> {
    let text: String = text.chars().map(normalize_char).collect();
    let mut currencies = text.chars().filter(|c| CURRENCIES.contains(c));
    if let Some(one) = currencies.next()
        && currencies.any(|other| other != one)
    {
        return Err(calculate::no_exchange_rates());
    }
    let text = text.replace(CURRENCIES, "").replace('√', "sqrt ");
    let mut rest = text.trim_end_matches(['=', '?', ' ']);
    let mut brackets = vec![Bracket::default()];
    while let (false, Some(bracket)) = (rest.is_empty(), brackets.last_mut()) {
        let piece = first_piece(rest, bracket.function.is_some());
        rest = &rest[piece.len()..];
        match piece {
            "(" => {
                let function = bracket.take_function();
                brackets.push(Bracket {
                    function,
                    ..Bracket::default()
                });
            }
            ")" => close_bracket(&mut brackets)?,
            "," if bracket.function.is_some() => bracket.end_value(),
            "," => return Err(calculate::not_understood(format!(",{rest}"))),
            _ if is_number(piece) => rest = bracket.add_number(piece, rest),
            _ if is_word(piece) => bracket.add_word(piece, rest),
            _ => bracket.add_sign(piece),
        }
    }
    while brackets.len() > 1 {
        close_bracket(&mut brackets)?;
    }
    let mut whole = brackets.pop().unwrap_or_default();
    whole.end_divisor();
    Ok(whole.current)
}

/// A character as it stands on an English keyboard.
fn normalize_char(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '￥' => '¥',
        '×' | '·' | '⋅' => '*',
        '÷' => '/',
        '−' | '–' => '-',
        '’' | '′' => '\'',
        '”' | '″' => '"',
        _ if c.is_whitespace() => ' ',
        _ => c,
    }
}

fn is_number(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

fn is_word(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_alphabetic() || ['°', '℃', '℉'].contains(&c))
}

fn is_operator(word: &str) -> bool {
    OPERATORS
        .iter()
        .any(|operator| word.eq_ignore_ascii_case(operator))
}

/// The number, word or sign a text begins with. A comma before three digits parts thousands, except between values.
fn first_piece(text: &str, in_values: bool) -> &str {
    let length = |matches: fn(char) -> bool| text.find(|c| !matches(c)).unwrap_or(text.len());
    if is_word(text) {
        return &text[..length(|c| c.is_alphanumeric() || ['°', '℃', '℉'].contains(&c))];
    }
    if !is_number(text) {
        let first = text.chars().next().map_or(0, char::len_utf8);
        return &text[..first];
    }
    let digits = |from: usize| {
        let after = text.bytes().skip(from);
        after.take_while(u8::is_ascii_digit).count()
    };
    let mut end = 0;
    while let Some(byte) = text.as_bytes().get(end) {
        match (byte, digits(end + 1)) {
            (b'0'..=b'9' | b'.', _) | (b'_', 1..) => end += 1,
            (b',', 3) if !in_values => end += 1,
            (b'e' | b'E', 1..) => end += 1,
            (b'e' | b'E', 0) if text[end + 1..].starts_with(['+', '-']) && digits(end + 2) > 0 => {
                end += 2;
            }
            _ => break,
        }
    }
    &text[..end]
}

fn next_piece(rest: &str) -> &str {
    first_piece(rest.trim_start(), true)
}

impl<'a> Bracket<'a> {
    /// The function of several values whose name stands before the bracket that opens.
    fn take_function(&mut self) -> Option<&'a str> {
        let before = self.current.trim_end().to_ascii_lowercase();
        let name = FUNCTIONS.iter().find(|name| {
            let start = before.strip_suffix(**name);
            start.is_some_and(|start| !start.ends_with(char::is_alphanumeric))
        })?;
        self.current.truncate(before.len() - name.len());
        Some(name)
    }

    fn end_value(&mut self) {
        self.end_divisor();
        self.values.push(std::mem::take(&mut self.current));
    }

    fn end_divisor(&mut self) {
        if std::mem::take(&mut self.in_divisor) {
            self.current.push(')');
        }
    }

    /// Adds a number, with the percent sign behind it; answers with what is left.
    fn add_number<'t>(&mut self, number: &str, rest: &'t str) -> &'t str {
        if let Some(rest) = strip_percent(rest) {
            self.end_divisor();
            let is_part = ["", "+", "-", ")", ","].contains(&next_piece(rest))
                || is_operator(next_piece(rest)) && next_piece(rest) != "of";
            let before = self.current.trim_end();
            let base = before.strip_suffix(['+', '-']).map(str::trim);
            let is_value = |base: &&str| {
                let ends = |c: char| c.is_alphanumeric() || ")'\"!°²³".contains(c);
                base.ends_with(ends) && !base.ends_with("/100)")
            };
            match base.filter(|base| is_part && is_value(base)) {
                // A percentage is one of what it is added to.
                Some(base) => {
                    let sign = &before[before.len() - 1..];
                    self.current = format!("({base}) * (1 {sign} {number}/100)");
                }
                None => self.current += &format!("({number}/100)"),
            }
            return rest;
        }
        let unit = next_piece(rest);
        if self.current.trim_end().ends_with('/') && is_word(unit) && !is_operator(unit) {
            self.current.push('(');
            self.in_divisor = true;
        }
        self.current += number;
        rest
    }

    fn add_word(&mut self, word: &str, rest: &str) {
        let next = next_piece(rest);
        let unit_follows = is_word(next) && !is_operator(next);
        // It converts only where a unit follows.
        let before = self.current.trim_end();
        let is_exponent = before.trim_end_matches(char::is_numeric).ends_with('^');
        let is_inch = !unit_follows && next != "(" && !is_exponent;
        let lower = word.to_lowercase();
        if is_operator(word) && !(lower == "in" && is_inch) {
            self.end_divisor();
        }
        self.current += match lower.as_str() {
            "in" if is_inch => "inch",
            "of" => "*",
            "per" => "/",
            // `degrees celsius`: of an angle it would be another number.
            "degree" | "degrees" if unit_follows => "",
            operator if is_operator(operator) => operator,
            _ => word,
        };
    }

    fn add_sign(&mut self, sign: &str) {
        if !["^", "²", "³", "'", "\"", " "].contains(&sign) {
            self.end_divisor();
        }
        self.current += sign;
    }
}

/// What stands behind a percent sign, unless that divides with a rest: `17 % 5`.
fn strip_percent(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    let after = rest
        .strip_prefix('%')
        .or_else(|| rest.strip_prefix("percent"))?;
    let next = next_piece(after);
    let divides = next == "(" || is_number(next) || is_word(next) && !is_operator(next);
    (!divides).then_some(after)
}

/// Adds what stands in the last bracket to the one around it.
fn close_bracket(brackets: &mut Vec<Bracket<'_>>) -> Result<(), LocalizedMessage> {
    let Some(mut closed) = brackets.pop() else {
        return Ok(());
    };
    if brackets.is_empty() {
        return Err(calculate::not_understood(")"));
    }
    closed.end_value();
    let values = closed.values;
    let fold = |function: &str| {
        let folded = values
            .iter()
            .cloned()
            .reduce(|all, value| format!("{function} ({all}) ({value})"));
        folded.unwrap_or_default()
    };
    let sum = || values.join(") + (");
    let text = match (closed.function.unwrap_or_default(), values.as_slice()) {
        ("max", _) => format!("({})", fold("larger")),
        ("min", _) => format!("({})", fold("smaller")),
        ("sum", _) => format!("(({}))", sum()),
        ("mean" | "average", _) => format!("((({})) / {})", sum(), values.len()),
        ("round", [value, digits]) => format!("(round(({value}) * 10^({digits})) / 10^({digits}))"),
        ("log", [value, base]) => format!("(ln({value}) / ln({base}))"),
        (function, [value]) => format!("{function}({value})"),
        (function, _) => return Err(calculate::takes_one_value(function)),
    };
    if let Some(around) = brackets.last_mut() {
        around.current += &text;
    }
    Ok(())
}

//! Reads an expression and calculates it on the way. Nothing can be named, defined or repeated in it, every operation takes
//! a bounded time, and how deep it goes is bounded: so it costs no more than its length, whatever is written.

use super::number::RealNumber;
use super::quantity::{FUNCTIONS, Quantity, QuantityResult, apply_function};
use super::units;
use kith_language::{LocalizedMessage, calculate};

/// How deep brackets, powers and functions may be nested. A level takes about a kilobyte of stack.
const DEEPEST: usize = 40;
/// Words that stand for operators.
const OPERATORS: &[&str] = &["to", "in", "as", "of", "per", "mod"];
const CURRENCIES: &[char] = &['$', '€', '£', '¥', '₹', '₩'];

/// The value of an expression, as text.
///
/// # Errors
/// Why there is none, in words for the model.
pub(super) fn evaluate(text: &str) -> QuantityResult<String> {
    let text: String = text.chars().map(normalize_char).collect();
    let mut currencies = text.chars().filter(|c| CURRENCIES.contains(c));
    if let Some(one) = currencies.next()
        && currencies.any(|other| other != one)
    {
        return Err(calculate::no_exchange_rates());
    }
    let text = text.replace(CURRENCIES, "");
    let rest = text.trim().trim_end_matches(['=', '?', ' ']);
    let mut reader = Reader {
        rest,
        depth: 0,
        in_arguments: false,
    };
    let value = reader.parse_value()?;
    match reader.rest {
        "" => value.shown(),
        rest => Err(not_understood_error(rest)),
    }
}

fn is_operator(word: &str) -> bool {
    OPERATORS
        .iter()
        .any(|operator| word.eq_ignore_ascii_case(operator))
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

/// An expression as far as it is read.
struct Reader<'a> {
    rest: &'a str,
    depth: usize,
    /// Whether a comma parts values.
    in_arguments: bool,
}

impl<'a> Reader<'a> {
    /// A sum, in other units where that is asked for.
    fn parse_value(&mut self) -> QuantityResult {
        let mut value = self.parse_sum()?;
        while self.consume_sign("->")
            || self.consume_word("to")
            || self.consume_word("as")
            || self.consume_word("in")
        {
            value = value.convert_to(self.parse_product()?)?;
        }
        Ok(value)
    }

    fn parse_sum(&mut self) -> QuantityResult {
        let mut value = self.parse_product()?;
        loop {
            value = match () {
                () if self.consume_sign("+") => value.try_add(self.parse_product()?)?,
                () if !self.starts_with("->") && self.consume_sign("-") => {
                    value.try_add(self.parse_product()?.negate())?
                }
                () => return Ok(value),
            };
        }
    }

    fn parse_product(&mut self) -> QuantityResult {
        let mut value = self.parse_signed()?;
        loop {
            value = match () {
                () if self.consume_sign("*") || self.consume_word("of") => {
                    value.try_mul(self.parse_signed()?)?
                }
                () if self.consume_sign("/") || self.consume_word("per") => {
                    value.try_div(self.parse_signed()?)?
                }
                () if self.consume_sign("%") || self.consume_word("mod") => {
                    value.modulo(self.parse_signed()?)?
                }
                () => return Ok(value),
            };
        }
    }

    /// A power with its signs, and what stands right behind it: `2 pi`, `3 (4 + 5)`.
    fn parse_signed(&mut self) -> QuantityResult {
        let mut is_negative = false;
        while self.starts_with("-") || self.starts_with("+") {
            is_negative ^= self.starts_with("-");
            self.rest = &self.rest[1..];
        }
        let mut value = self.parse_power()?;
        while self.starts_with("(") || self.peek_word().is_some() {
            value = value.try_mul(self.parse_power()?)?;
        }
        Ok(if is_negative { value.negate() } else { value })
    }

    fn parse_power(&mut self) -> QuantityResult {
        let mut base = self.parse_operand()?;
        loop {
            base = match () {
                () if self.consume_sign("!") => base.factorial()?,
                () if self.starts_with("%") && !self.has_divisor_ahead() => {
                    self.consume_sign("%");
                    base.into_percentage()?
                }
                () if self.consume_sign("^") || self.consume_sign("**") => {
                    return base.power(self.parse_nested(Self::parse_exponent)?);
                }
                () => return Ok(base),
            };
        }
    }

    fn parse_exponent(&mut self) -> QuantityResult {
        let is_negative = self.consume_sign("-");
        let exponent = self.parse_power()?;
        Ok(if is_negative {
            exponent.negate()
        } else {
            exponent
        })
    }

    /// Whether something to divide by stands behind the `%` that comes next.
    fn has_divisor_ahead(&self) -> bool {
        let mut behind = Self {
            rest: self.rest.get(1..).unwrap_or_default(),
            ..*self
        };
        behind.starts_with("(")
            || behind.rest.starts_with(|c: char| c.is_ascii_digit())
            || behind.peek_word().is_some()
    }

    fn parse_operand(&mut self) -> QuantityResult {
        self.parse_nested(|reader| {
            if let Some(number) = reader.parse_number() {
                return reader.parse_measured_value(number?);
            }
            if reader.consume_sign("(") {
                return Ok(reader.parse_bracketed_values(false)?.swap_remove(0));
            }
            if reader.consume_sign("√") {
                return apply_function("sqrt", vec![reader.parse_operand()?]);
            }
            match reader.peek_word() {
                Some(word) => reader.parse_named_value(word),
                None if reader.rest.is_empty() => Err(calculate::value_missing()),
                None => Err(not_understood_error(reader.rest)),
            }
        })
    }

    /// The values in a bracket that is open, and its end. Only a function's may be several.
    fn parse_bracketed_values(&mut self, in_arguments: bool) -> QuantityResult<Vec<Quantity>> {
        let outer = std::mem::replace(&mut self.in_arguments, in_arguments);
        let mut values = vec![self.parse_value()?];
        while in_arguments && self.consume_sign(",") {
            values.push(self.parse_value()?);
        }
        self.in_arguments = outer;
        match self.consume_sign(")") || self.rest.is_empty() {
            true => Ok(values),
            false => Err(calculate::parenthesis_missing(self.rest)),
        }
    }

    /// A function's value, a constant, a counting word, or one of a unit.
    fn parse_named_value(&mut self, word: &'a str) -> QuantityResult {
        if let Some(name) = FUNCTIONS
            .iter()
            .rev()
            .find(|name| self.rest.to_ascii_lowercase().starts_with(**name))
            && (word.eq_ignore_ascii_case(name.trim_end_matches(char::is_numeric)))
            && (self.rest[name.len()..].trim_start().starts_with('(')
                || units::find_unit(word).is_none())
        {
            self.rest = &self.rest[name.len()..];
            let values = if self.consume_sign("(") {
                self.parse_bracketed_values(true)?
            } else {
                vec![self.parse_power()?]
            };
            return apply_function(name, values);
        }
        let constant = match word {
            "pi" | "Pi" | "PI" | "π" => Some(std::f64::consts::PI),
            "tau" | "τ" => Some(std::f64::consts::TAU),
            "e" => Some(std::f64::consts::E),
            _ => None,
        };
        let number = constant
            .map(RealNumber::from_float)
            .transpose()?
            .or_else(|| units::parse_count_word(word));
        if let Some(number) = number {
            self.rest = &self.rest[word.len()..];
            return Ok(Quantity::from_number(number));
        }
        self.parse_unit()?
            .ok_or_else(|| calculate::unknown_word(word))
    }

    /// A number with the units behind it, and what is added without a sign: `5 ft 3 in`.
    fn parse_measured_value(&mut self, number: RealNumber) -> QuantityResult {
        let mut value = Quantity::from_number(number);
        let mut has_unit = false;
        while let Some(unit) = self.parse_unit()? {
            value = value.try_mul(unit)?;
            has_unit = true;
        }
        let Some(more) = (if has_unit { self.parse_number() } else { None }) else {
            return Ok(value);
        };
        let more = self.parse_nested(|reader| reader.parse_measured_value(more?))?;
        if more.has_same_dimensions(&value) {
            value.try_add(more)
        } else {
            Err(calculate::sign_missing())
        }
    }

    /// The unit that comes next, with its power: `m`, `m^2`, `m²`, `m2`.
    fn parse_unit(&mut self) -> QuantityResult<Option<Quantity>> {
        let Some((word, unit)) = self
            .peek_word()
            .and_then(|word| Some((word, units::find_unit(word)?)))
        else {
            return Ok(None);
        };
        self.rest = &self.rest[word.len()..];
        let powers = [("^2", 2), ("^3", 3), ("²", 2), ("³", 3), ("2", 2), ("3", 3)];
        let is_all = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let power = powers
            .iter()
            .find(|(sign, _)| self.rest.strip_prefix(sign).is_some_and(is_all));
        let power = power.map_or(1, |(sign, power)| {
            self.rest = &self.rest[sign.len()..];
            *power
        });
        Quantity::from_unit(unit)
            .power(Quantity::from_number(RealNumber::from_integer(power)))
            .map(Some)
    }

    /// The number that comes next, without its sign.
    fn parse_number(&mut self) -> Option<QuantityResult<RealNumber>> {
        self.skip_spaces();
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (mut text, mut end) = (String::new(), 0);
        while let Some(c) = self.rest[end..].chars().next() {
            match (c, digits(&self.rest[end + c.len_utf8()..])) {
                ('0'..='9', _) => text.push(c),
                ('.', 1..) if !text.contains('.') => text.push(c),
                // Thousands.
                (',', 3) if !self.in_arguments && !text.is_empty() && !text.contains('.') => {}
                ('_', 1..) if !text.is_empty() => {}
                _ => break,
            }
            end += 1;
        }
        if text.is_empty() {
            return None;
        }
        self.rest = &self.rest[end..];
        let number = units::parse_decimal(&text).ok_or_else(too_large_error);
        let sign = usize::from(
            self.rest
                .get(1..)
                .is_some_and(|rest| rest.starts_with(['+', '-'])),
        );
        let length = if self.rest.starts_with(['e', 'E']) {
            digits(&self.rest[1 + sign..])
        } else {
            0
        };
        if length == 0 {
            return Some(number);
        }
        let exponent = self.rest[1..=sign + length].parse::<i16>();
        self.rest = &self.rest[1 + sign + length..];
        Some(number.and_then(|number| match exponent {
            Ok(exponent) => number.try_mul(
                RealNumber::from_integer(10).power(RealNumber::from_integer(exponent.into()))?,
            ),
            Err(_) => Err(too_large_error()),
        }))
    }

    /// The word that comes next, unless it is an operator.
    fn peek_word(&mut self) -> Option<&'a str> {
        let word = self.peek_any_word();
        let is_operator = is_operator(word) && !(word.eq_ignore_ascii_case("in") && self.is_inch());
        (!word.is_empty() && !is_operator).then_some(word)
    }

    /// The letters that come next, or a sign that is a unit's.
    fn peek_any_word(&mut self) -> &'a str {
        self.skip_spaces();
        let is_letter = |c: char| c.is_alphabetic() || ['°', '℃', '℉'].contains(&c);
        let end = match self.rest.starts_with(['\'', '"']) {
            true => 1,
            false => self.rest.find(|c| !is_letter(c)).unwrap_or(self.rest.len()),
        };
        &self.rest[..end]
    }

    /// Whether the `in` that comes next is an inch: it converts only where a unit follows.
    fn is_inch(&self) -> bool {
        let mut behind = Self {
            rest: self.rest.get(2..).unwrap_or_default(),
            ..*self
        };
        let word = behind.peek_any_word();
        word.is_empty() || is_operator(word)
    }

    fn consume_word(&mut self, word: &str) -> bool {
        let taken =
            self.peek_any_word().eq_ignore_ascii_case(word) && !(word == "in" && self.is_inch());
        if taken {
            self.rest = &self.rest[word.len()..];
        }
        taken
    }

    fn starts_with(&mut self, sign: &str) -> bool {
        self.skip_spaces();
        self.rest.starts_with(sign)
    }

    fn consume_sign(&mut self, sign: &str) -> bool {
        let taken = self.starts_with(sign);
        if taken {
            self.rest = &self.rest[sign.len()..];
        }
        taken
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }

    fn parse_nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> QuantityResult<T>,
    ) -> QuantityResult<T> {
        if self.depth >= DEEPEST {
            return Err(calculate::nested_too_deep(DEEPEST));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}

fn not_understood_error(rest: &str) -> LocalizedMessage {
    calculate::not_understood(rest)
}

fn too_large_error() -> LocalizedMessage {
    calculate::number_too_large()
}

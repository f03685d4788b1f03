//! The numbers of `calculate`: fractions of 128-bit integers as long as they fit, else 64-bit floats. Every operation takes
//! a bounded time and no memory, whatever is calculated.

use kith_language::{LocalizedMessage, calculate};

/// The most digits after the point of a fraction that is shown whole.
const MOST_DECIMALS: u32 = 15;
/// How many digits of a float are shown.
const DIGITS: usize = 12;
/// The largest exponent that is worth multiplying out.
const MOST_EXPONENT: i128 = 512;

/// A real number.
#[derive(Clone, Copy, Debug)]
pub(super) enum RealNumber {
    /// Numerator and denominator: without a common divisor, the denominator positive, neither `i128::MIN`.
    Fraction(i128, i128),
    /// What no fraction could hold; finite.
    Float(f64),
}

use RealNumber::{Float, Fraction};

impl RealNumber {
    pub const ONE: Self = Fraction(1, 1);

    /// `numerator / denominator`, unless it does not fit or the denominator is zero.
    pub fn from_fraction(numerator: i128, denominator: i128) -> Option<Self> {
        let (above, below) = (numerator.checked_abs()?, denominator.checked_abs()?);
        if below == 0 {
            return None;
        }
        let divisor = gcd(above, below).max(1);
        let sign = if (numerator < 0) == (denominator < 0) {
            1
        } else {
            -1
        };
        Some(Fraction(sign * (above / divisor), below / divisor))
    }

    pub fn from_integer(value: i128) -> Self {
        Self::from_fraction(value, 1).unwrap_or(Float(value as f64))
    }

    /// # Errors
    /// It is infinite or no number.
    pub fn from_float(value: f64) -> Result<Self, LocalizedMessage> {
        match value {
            value if value.is_nan() => Err(calculate::no_real_number()),
            value if value.is_infinite() => Err(calculate::result_too_large()),
            value => Ok(Float(value)),
        }
    }

    pub fn as_float(self) -> f64 {
        match self {
            Fraction(above, below) => above as f64 / below as f64,
            Float(value) => value,
        }
    }

    /// The integer it is, where it is one that is known exactly.
    pub fn as_integer(self) -> Option<i128> {
        match self {
            Fraction(value, 1) => Some(value),
            _ => None,
        }
    }

    pub fn is_zero(self) -> bool {
        self.as_float() == 0.0
    }

    pub fn negate(self) -> Self {
        match self {
            Fraction(above, below) => Fraction(-above, below),
            Float(value) => Float(-value),
        }
    }

    pub fn try_add(self, other: Self) -> Result<Self, LocalizedMessage> {
        let exact = self.combine_fractions(other, |a, b, c, d| {
            Self::from_fraction(
                a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?,
                b.checked_mul(d)?,
            )
        });
        exact.map_or_else(|| Self::from_float(self.as_float() + other.as_float()), Ok)
    }

    pub fn try_sub(self, other: Self) -> Result<Self, LocalizedMessage> {
        self.try_add(other.negate())
    }

    pub fn try_mul(self, other: Self) -> Result<Self, LocalizedMessage> {
        let exact = self.combine_fractions(other, |a, b, c, d| {
            Self::from_fraction(a.checked_mul(c)?, b.checked_mul(d)?)
        });
        exact.map_or_else(|| Self::from_float(self.as_float() * other.as_float()), Ok)
    }

    pub fn try_div(self, other: Self) -> Result<Self, LocalizedMessage> {
        if other.is_zero() {
            return Err(calculate::division_by_zero());
        }
        let exact = self.combine_fractions(other, |a, b, c, d| {
            Self::from_fraction(a.checked_mul(d)?, b.checked_mul(c)?)
        });
        exact.map_or_else(|| Self::from_float(self.as_float() / other.as_float()), Ok)
    }

    /// What is left after dividing by `other`; it has the sign of `other`.
    pub fn modulo(self, other: Self) -> Result<Self, LocalizedMessage> {
        let times = self.try_div(other)?.round_with(f64::floor)?;
        self.try_sub(times.try_mul(other)?)
    }

    /// The integer that `how` makes of it.
    pub fn round_with(self, round: impl Fn(f64) -> f64) -> Result<Self, LocalizedMessage> {
        let Fraction(above, below) = self else {
            return Self::from_float(round(self.as_float()));
        };
        // Of the fraction's rest alone, so that large integers keep their digits.
        let rest = above.rem_euclid(below);
        let up = match below {
            1 => 0.0,
            // `round` of a half goes away from zero.
            _ if above < 0 => round(rest as f64 / below as f64 - 1.0) + 1.0,
            _ => round(rest as f64 / below as f64),
        };
        Ok(Self::from_integer(above.div_euclid(below) + up as i128))
    }

    /// # Errors
    /// The result is infinite or no real number.
    pub fn power(self, exponent: Self) -> Result<Self, LocalizedMessage> {
        if self.is_zero() && exponent.as_float() < 0.0 {
            return Err(calculate::division_by_zero());
        }
        let exact = match exponent {
            Fraction(times, 1) if times.abs() <= MOST_EXPONENT => self.compute_exact_power(times),
            Fraction(1, 2) => self.compute_exact_root(2),
            Fraction(1, 3) => self.compute_exact_root(3),
            _ => None,
        };
        match exact {
            Some(exact) => Ok(exact),
            None if matches!(exponent, Fraction(1, 3)) => Self::from_float(self.as_float().cbrt()),
            None => Self::from_float(self.as_float().powf(exponent.as_float())),
        }
    }

    fn compute_exact_power(self, times: i128) -> Option<Self> {
        let (mut left, mut base) = (times.unsigned_abs(), self);
        let mut result = Self::ONE;
        let product = |one: Self, other: Self| {
            one.try_mul(other)
                .ok()
                .filter(|product| matches!(product, Fraction(..)))
        };
        while left > 0 {
            if left % 2 == 1 {
                result = product(result, base)?;
            }
            left /= 2;
            if left > 0 {
                base = product(base, base)?;
            }
        }
        if times < 0 {
            Self::ONE.try_div(result).ok()
        } else {
            Some(result)
        }
    }

    /// The root, where it is a fraction.
    fn compute_exact_root(self, degree: u32) -> Option<Self> {
        let Fraction(above, below) = self else {
            return None;
        };
        let root = |of: i128| {
            let guess = (of.unsigned_abs() as f64)
                .powf(1.0 / f64::from(degree))
                .round() as i128;
            (guess.checked_pow(degree)? == of.checked_abs()?).then_some(guess)
        };
        match above {
            0.. => Self::from_fraction(root(above)?, root(below)?),
            _ if degree % 2 == 1 => Self::from_fraction(-root(above)?, root(below)?),
            _ => None,
        }
    }

    fn combine_fractions(
        self,
        other: Self,
        combine: impl Fn(i128, i128, i128, i128) -> Option<Self>,
    ) -> Option<Self> {
        match (self, other) {
            (Fraction(a, b), Fraction(c, d)) => combine(a, b, c, d),
            _ => None,
        }
    }

    /// As people write it; what is rounded says so.
    pub fn shown(self) -> String {
        match self {
            Fraction(value, 1) => value.to_string(),
            Fraction(above, below) => format_decimal(above, below)
                .unwrap_or_else(|| format_approximately(above as f64 / below as f64)),
            Float(value) => format_approximately(value),
        }
    }
}

/// The largest number that divides both. Takes at most some 200 steps.
fn gcd(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// A fraction as a decimal number, where that is exact and short.
fn format_decimal(above: i128, below: i128) -> Option<String> {
    let decimals = (1..=MOST_DECIMALS).find(|decimals| 10_i128.pow(*decimals) % below == 0)?;
    let scaled = above.checked_mul(10_i128.pow(decimals) / below)?;
    let (sign, digits) = (
        if scaled < 0 { "-" } else { "" },
        scaled.unsigned_abs().to_string(),
    );
    let digits = format!("{digits:0>width$}", width = decimals as usize + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals as usize);
    Some(format!("{sign}{whole}.{rest}"))
}

fn format_approximately(value: f64) -> String {
    let scientific = format!("{value:.*e}", DIGITS - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let short = |digits: &str| match digits.contains('.') {
        true => digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => digits.to_owned(),
    };
    let shown = match exponent.parse::<i32>().unwrap_or(0) {
        exponent @ -6..=15 => short(&format!(
            "{value:.*}",
            usize::try_from(DIGITS as i32 - 1 - exponent).unwrap_or(0)
        )),
        _ => format!("{}e{exponent}", short(mantissa)),
    };
    format!("approx. {shown}")
}

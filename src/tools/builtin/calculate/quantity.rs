//! A number with its unit: what can be done with it, and how it is shown.

use super::number::RealNumber;
use super::units::{BARE, Dimensions, WrittenUnit};
use kith_core::bilingual::{Bilingual, bilingual};

/// A number with its unit.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    /// In base units.
    number: RealNumber,
    dimensions: Dimensions,
    /// The units it is shown in, with their powers.
    shown: Vec<(WrittenUnit, i8)>,
    is_percentage: bool,
}

pub(super) type QuantityResult<T = Quantity> = std::result::Result<T, Bilingual>;

impl Quantity {
    /// Without a unit.
    pub fn bare(number: RealNumber) -> Self {
        Self { number, dimensions: BARE, shown: Vec::new(), is_percentage: false }
    }

    /// One of a unit.
    pub fn one(unit: WrittenUnit) -> Self {
        Self { number: unit.factor, dimensions: unit.dimensions, shown: vec![(unit, 1)], is_percentage: false }
    }

    pub fn percent(self) -> QuantityResult {
        let number = self.number("%")?.over(RealNumber::integer(100))?;
        Ok(Self { is_percentage: true, ..Self::bare(number) })
    }

    /// Its number, where it has no unit.
    fn number(&self, what: &str) -> QuantityResult<RealNumber> {
        if self.dimensions == BARE {
            Ok(self.number)
        } else {
            Err(bilingual!("{what} takes numbers without a unit", "{what} 只接受不带单位的数"))
        }
    }

    fn integer(&self, what: &str) -> QuantityResult<i128> {
        self.number(what)?.as_integer().ok_or_else(|| bilingual!("{what} takes whole numbers", "{what} 只接受整数"))
    }

    pub fn measures_as(&self, other: &Self) -> bool {
        self.dimensions == other.dimensions
    }

    pub fn negated(self) -> Self {
        Self { number: self.number.negated(), ..self }
    }

    /// The sum; a percentage is one of what it is added to: 100 + 10% is 110.
    pub fn plus(self, other: Self) -> QuantityResult {
        if other.is_percentage && !self.is_percentage {
            return Ok(Self { number: self.number.times(RealNumber::ONE.plus(other.number)?)?, ..self });
        }
        if !self.measures_as(&other) {
            return Err(bilingual!("these units cannot be added", "这些单位不能相加"));
        }
        let shown = if self.shown.is_empty() { other.shown } else { self.shown };
        Ok(Self { number: self.number.plus(other.number)?, shown, ..self })
    }

    pub fn times(self, other: Self) -> QuantityResult {
        let number = self.number.times(other.number)?;
        let mut dimensions = self.dimensions;
        for (power, more) in dimensions.iter_mut().zip(other.dimensions) {
            *power = power.checked_add(more).ok_or_else(unit_power)?;
        }
        let mut shown = self.shown;
        for (unit, more) in other.shown {
            match shown.iter_mut().find(|(known, _)| known.name == unit.name) {
                Some((_, power)) => *power = power.checked_add(more).ok_or_else(unit_power)?,
                None => shown.push((unit, more)),
            }
        }
        shown.retain(|(_, power)| *power != 0);
        if dimensions == BARE {
            shown.clear();
        }
        Ok(Self { number, dimensions, shown, is_percentage: false })
    }

    pub fn over(self, other: Self) -> QuantityResult {
        self.times(other.power(Self::bare(RealNumber::ONE.negated()))?)
    }

    pub fn modulo(self, other: Self) -> QuantityResult {
        match self.measures_as(&other) {
            true => Ok(Self { number: self.number.modulo(other.number)?, ..self }),
            false => Err(bilingual!("these units cannot be divided with a rest", "这些单位不能求余")),
        }
    }

    pub fn power(self, exponent: Self) -> QuantityResult {
        let exponent = exponent.number("^")?;
        let number = self.number.power(exponent)?;
        if self.dimensions == BARE {
            return Ok(Self::bare(number));
        }
        let raised = |power: i8| match exponent {
            RealNumber::Fraction(times, root) if i128::from(power) % root == 0 => {
                let power = (i128::from(power) / root).checked_mul(times)?;
                i8::try_from(power).ok()
            }
            _ => None,
        };
        let mut dimensions = self.dimensions;
        for power in &mut dimensions {
            *power = raised(*power).ok_or_else(unit_power)?;
        }
        let shown = self.shown.into_iter().map(|(unit, power)| Some((unit, raised(power)?)));
        let shown = shown.collect::<Option<Vec<_>>>().ok_or_else(unit_power)?;
        Ok(Self { number, dimensions, shown, is_percentage: false })
    }

    pub fn factorial(self) -> QuantityResult {
        /// The largest number whose factorial is finite.
        const MOST: i128 = 170;
        let of = self.integer("!")?;
        if !(0..=MOST).contains(&of) {
            return Err(bilingual!("a factorial is taken of 0 to {MOST}", "阶乘只能算 0 到 {MOST}"));
        }
        (2..=of).try_fold(RealNumber::ONE, |product, next| product.times(RealNumber::integer(next))).map(Self::bare)
    }

    /// The same in other units.
    pub fn converted(self, to: Self) -> QuantityResult {
        if !self.measures_as(&to) {
            return Err(bilingual!("these units do not measure the same", "这些单位量的不是同一种东西"));
        }
        let number = match (self.shown.as_slice(), to.shown.as_slice()) {
            ([(from, 1)], [(to, 1)]) => self.number.plus(from.zero)?.minus(to.zero)?,
            _ => self.number,
        };
        Ok(Self { number, shown: to.shown, ..self })
    }

    /// How many base units the units it is shown in are.
    fn unit(&self) -> QuantityResult<RealNumber> {
        let factors = self.shown.iter().map(|(unit, power)| unit.factor.power(RealNumber::integer((*power).into())));
        factors.into_iter().try_fold(RealNumber::ONE, |all, factor| all.times(factor?))
    }

    /// What it says, with its units.
    pub fn shown(&self) -> QuantityResult<String> {
        let number = self.number.over(self.unit()?)?;
        if self.is_percentage {
            return Ok(number.times(RealNumber::integer(100))?.shown() + "%");
        }
        let (mut above, mut below) = (number.shown(), String::new());
        for (unit, power) in &self.shown {
            let (side, sign) = if *power > 0 { (&mut above, " ") } else { (&mut below, " / ") };
            *side += sign;
            *side += &unit.name;
            if power.unsigned_abs() > 1 {
                *side += &format!("^{}", power.unsigned_abs());
            }
        }
        Ok(above + &below)
    }
}

fn unit_power() -> Bilingual {
    bilingual!("that power of a unit is not known here", "这里不认识单位的这种乘方")
}

/// The functions there are; each takes as many values as it says.
pub(super) const FUNCTIONS: &[&str] = &[
    "sqrt", "cbrt", "abs", "round", "floor", "ceil", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "ln", "log",
    "log10", "log2", "min", "max", "sum", "mean", "average",
];

/// What one of the [`FUNCTIONS`] makes of its values.
pub(super) fn apply(name: &str, values: Vec<Quantity>) -> QuantityResult {
    let count = values.len() as i128;
    let takes_one = !matches!(name, "round" | "log" | "min" | "max" | "sum" | "mean" | "average");
    let mut values = values.into_iter();
    let (Some(first), false) = (values.next(), takes_one && count != 1) else {
        return Err(bilingual!("`{name}` takes one value", "`{name}` 只接受一个数"));
    };
    let of = |function: fn(f64) -> f64| {
        let value = first.number(name)?.as_float();
        Ok(Quantity::bare(RealNumber::float(function(value))?))
    };
    let mut folded = |pick: fn(Quantity, Quantity) -> QuantityResult| values.try_fold(first.clone(), pick);
    match name {
        "sqrt" => first.power(Quantity::bare(RealNumber::fraction(1, 2).unwrap_or(RealNumber::ONE))),
        "cbrt" => first.power(Quantity::bare(RealNumber::fraction(1, 3).unwrap_or(RealNumber::ONE))),
        "abs" if first.number.as_float() < 0.0 => Ok(first.negated()),
        "abs" => Ok(first),
        "round" => {
            let digits = values.next().map_or(Ok(0), |digits| digits.integer(name))?;
            rounded(first, digits, f64::round)
        }
        "floor" => rounded(first, 0, f64::floor),
        "ceil" => rounded(first, 0, f64::ceil),
        "sin" => of(f64::sin),
        "cos" => of(f64::cos),
        "tan" => of(f64::tan),
        "asin" => of(f64::asin),
        "acos" => of(f64::acos),
        "atan" => of(f64::atan),
        "exp" => of(f64::exp),
        "ln" => of(f64::ln),
        "log2" => of(f64::log2),
        "log" | "log10" => match values.next() {
            None => of(f64::log10),
            Some(base) => {
                let base = base.number(name)?.as_float();
                Ok(Quantity::bare(RealNumber::float(first.number(name)?.as_float().log(base))?))
            }
        },
        "min" => folded(smaller),
        "max" => folded(|one, other| smaller(one.negated(), other.negated()).map(Quantity::negated)),
        "sum" => folded(Quantity::plus),
        _ => folded(Quantity::plus)?.over(Quantity::bare(RealNumber::integer(count))),
    }
}

fn smaller(one: Quantity, other: Quantity) -> QuantityResult {
    match one.measures_as(&other) {
        true if one.number.as_float() <= other.number.as_float() => Ok(one),
        true => Ok(other),
        false => Err(bilingual!("these units cannot be compared", "这些单位不能比较")),
    }
}

/// Rounded to so many digits after the point, in the units it is shown in.
fn rounded(value: Quantity, digits: i128, how: fn(f64) -> f64) -> QuantityResult {
    let scale = RealNumber::integer(10).power(RealNumber::integer(digits.clamp(-30, 30)))?.over(value.unit()?)?;
    let number = value.number.times(scale)?.rounded(how)?.over(scale)?;
    Ok(Quantity { number, ..value })
}

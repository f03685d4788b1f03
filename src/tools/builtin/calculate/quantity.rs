//! A number with its unit: what can be done with it, and how it is shown.

use super::number::RealNumber;
use super::units::{BARE, Dimensions, WrittenUnit};
use kith_language::{LocalizedMessage, calculate};

/// A number with its unit.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    /// In base units.
    number: RealNumber,
    dimensions: Dimensions,
    /// The units it is shown in, with their powers.
    display_units: Vec<(WrittenUnit, i8)>,
    is_percentage: bool,
}

pub(super) type QuantityResult<T = Quantity> = std::result::Result<T, LocalizedMessage>;

impl Quantity {
    /// Without a unit.
    pub fn from_number(number: RealNumber) -> Self {
        Self {
            number,
            dimensions: BARE,
            display_units: Vec::new(),
            is_percentage: false,
        }
    }

    /// One of a unit.
    pub fn from_unit(unit: WrittenUnit) -> Self {
        Self {
            number: unit.factor,
            dimensions: unit.dimensions,
            display_units: vec![(unit, 1)],
            is_percentage: false,
        }
    }

    pub fn into_percentage(self) -> QuantityResult {
        let number = self
            .require_number("%")?
            .try_div(RealNumber::from_integer(100))?;
        Ok(Self {
            is_percentage: true,
            ..Self::from_number(number)
        })
    }

    /// Its number, where it has no unit.
    fn require_number(&self, what: &str) -> QuantityResult<RealNumber> {
        if self.dimensions == BARE {
            Ok(self.number)
        } else {
            Err(calculate::takes_no_unit(what))
        }
    }

    fn require_integer(&self, what: &str) -> QuantityResult<i128> {
        self.require_number(what)?
            .as_integer()
            .ok_or_else(|| calculate::takes_whole_numbers(what))
    }

    pub fn has_same_dimensions(&self, other: &Self) -> bool {
        self.dimensions == other.dimensions
    }

    pub fn negate(self) -> Self {
        Self {
            number: self.number.negate(),
            ..self
        }
    }

    /// The sum; a percentage is one of what it is added to: 100 + 10% is 110.
    pub fn try_add(self, other: Self) -> QuantityResult {
        if other.is_percentage && !self.is_percentage {
            return Ok(Self {
                number: self
                    .number
                    .try_mul(RealNumber::ONE.try_add(other.number)?)?,
                ..self
            });
        }
        if !self.has_same_dimensions(&other) {
            return Err(calculate::units_not_added());
        }
        let shown = if self.display_units.is_empty() {
            other.display_units
        } else {
            self.display_units
        };
        Ok(Self {
            number: self.number.try_add(other.number)?,
            display_units: shown,
            ..self
        })
    }

    pub fn try_mul(self, other: Self) -> QuantityResult {
        let number = self.number.try_mul(other.number)?;
        let mut dimensions = self.dimensions;
        for (power, more) in dimensions.iter_mut().zip(other.dimensions) {
            *power = power.checked_add(more).ok_or_else(unit_power_error)?;
        }
        let mut shown = self.display_units;
        for (unit, more) in other.display_units {
            match shown.iter_mut().find(|(known, _)| known.name == unit.name) {
                Some((_, power)) => {
                    *power = power.checked_add(more).ok_or_else(unit_power_error)?
                }
                None => shown.push((unit, more)),
            }
        }
        shown.retain(|(_, power)| *power != 0);
        if dimensions == BARE {
            shown.clear();
        }
        Ok(Self {
            number,
            dimensions,
            display_units: shown,
            is_percentage: false,
        })
    }

    pub fn try_div(self, other: Self) -> QuantityResult {
        self.try_mul(other.power(Self::from_number(RealNumber::ONE.negate()))?)
    }

    pub fn modulo(self, other: Self) -> QuantityResult {
        match self.has_same_dimensions(&other) {
            true => Ok(Self {
                number: self.number.modulo(other.number)?,
                ..self
            }),
            false => Err(calculate::units_without_rest()),
        }
    }

    pub fn power(self, exponent: Self) -> QuantityResult {
        let exponent = exponent.require_number("^")?;
        let number = self.number.power(exponent)?;
        if self.dimensions == BARE {
            return Ok(Self::from_number(number));
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
            *power = raised(*power).ok_or_else(unit_power_error)?;
        }
        let shown = self
            .display_units
            .into_iter()
            .map(|(unit, power)| Some((unit, raised(power)?)));
        let shown = shown
            .collect::<Option<Vec<_>>>()
            .ok_or_else(unit_power_error)?;
        Ok(Self {
            number,
            dimensions,
            display_units: shown,
            is_percentage: false,
        })
    }

    pub fn factorial(self) -> QuantityResult {
        /// The largest number whose factorial is finite.
        const MOST: i128 = 170;
        let value = self.require_integer("!")?;
        if !(0..=MOST).contains(&value) {
            return Err(calculate::factorial_limits(MOST.to_string()));
        }
        (2..=value)
            .try_fold(RealNumber::ONE, |product, next| {
                product.try_mul(RealNumber::from_integer(next))
            })
            .map(Self::from_number)
    }

    /// The same in other units.
    pub fn convert_to(self, to: Self) -> QuantityResult {
        if !self.has_same_dimensions(&to) {
            return Err(calculate::units_differ());
        }
        let number = match (self.display_units.as_slice(), to.display_units.as_slice()) {
            ([(from, 1)], [(to, 1)]) => self.number.try_add(from.zero)?.try_sub(to.zero)?,
            _ => self.number,
        };
        Ok(Self {
            number,
            display_units: to.display_units,
            ..self
        })
    }

    /// How many base units the units it is shown in are.
    fn unit_factor(&self) -> QuantityResult<RealNumber> {
        let factors = self
            .display_units
            .iter()
            .map(|(unit, power)| unit.factor.power(RealNumber::from_integer((*power).into())));
        factors
            .into_iter()
            .try_fold(RealNumber::ONE, |all, factor| all.try_mul(factor?))
    }

    /// What it says, with its units.
    pub fn shown(&self) -> QuantityResult<String> {
        let number = self.number.try_div(self.unit_factor()?)?;
        if self.is_percentage {
            return Ok(number.try_mul(RealNumber::from_integer(100))?.shown() + "%");
        }
        let (mut above, mut below) = (number.shown(), String::new());
        for (unit, power) in &self.display_units {
            let (side, sign) = if *power > 0 {
                (&mut above, " ")
            } else {
                (&mut below, " / ")
            };
            *side += sign;
            *side += &unit.name;
            if power.unsigned_abs() > 1 {
                *side += &format!("^{}", power.unsigned_abs());
            }
        }
        Ok(above + &below)
    }
}

fn unit_power_error() -> LocalizedMessage {
    calculate::unknown_unit_power()
}

/// The functions there are; each takes as many values as it says.
pub(super) const FUNCTIONS: &[&str] = &[
    "sqrt", "cbrt", "abs", "round", "floor", "ceil", "sin", "cos", "tan", "asin", "acos", "atan",
    "exp", "ln", "log", "log10", "log2", "min", "max", "sum", "mean", "average",
];

/// What one of the [`FUNCTIONS`] makes of its values.
pub(super) fn apply_function(name: &str, values: Vec<Quantity>) -> QuantityResult {
    let count = values.len() as i128;
    let takes_one = !matches!(
        name,
        "round" | "log" | "min" | "max" | "sum" | "mean" | "average"
    );
    let mut values = values.into_iter();
    let (Some(first), false) = (values.next(), takes_one && count != 1) else {
        return Err(calculate::takes_one_value(name));
    };
    let apply_to_number = |function: fn(f64) -> f64| {
        let value = first.require_number(name)?.as_float();
        Ok(Quantity::from_number(RealNumber::from_float(function(
            value,
        ))?))
    };
    let mut folded =
        |pick: fn(Quantity, Quantity) -> QuantityResult| values.try_fold(first.clone(), pick);
    match name {
        "sqrt" => first.power(Quantity::from_number(
            RealNumber::from_fraction(1, 2).unwrap_or(RealNumber::ONE),
        )),
        "cbrt" => first.power(Quantity::from_number(
            RealNumber::from_fraction(1, 3).unwrap_or(RealNumber::ONE),
        )),
        "abs" if first.number.as_float() < 0.0 => Ok(first.negate()),
        "abs" => Ok(first),
        "round" => {
            let digits = values
                .next()
                .map_or(Ok(0), |digits| digits.require_integer(name))?;
            round_quantity(first, digits, f64::round)
        }
        "floor" => round_quantity(first, 0, f64::floor),
        "ceil" => round_quantity(first, 0, f64::ceil),
        "sin" => apply_to_number(f64::sin),
        "cos" => apply_to_number(f64::cos),
        "tan" => apply_to_number(f64::tan),
        "asin" => apply_to_number(f64::asin),
        "acos" => apply_to_number(f64::acos),
        "atan" => apply_to_number(f64::atan),
        "exp" => apply_to_number(f64::exp),
        "ln" => apply_to_number(f64::ln),
        "log2" => apply_to_number(f64::log2),
        "log" | "log10" => match values.next() {
            None => apply_to_number(f64::log10),
            Some(base) => {
                let base = base.require_number(name)?.as_float();
                Ok(Quantity::from_number(RealNumber::from_float(
                    first.require_number(name)?.as_float().log(base),
                )?))
            }
        },
        "min" => folded(pick_smaller),
        "max" => {
            folded(|one, other| pick_smaller(one.negate(), other.negate()).map(Quantity::negate))
        }
        "sum" => folded(Quantity::try_add),
        _ => folded(Quantity::try_add)?
            .try_div(Quantity::from_number(RealNumber::from_integer(count))),
    }
}

fn pick_smaller(one: Quantity, other: Quantity) -> QuantityResult {
    match one.has_same_dimensions(&other) {
        true if one.number.as_float() <= other.number.as_float() => Ok(one),
        true => Ok(other),
        false => Err(calculate::units_not_compared()),
    }
}

/// Rounded to so many digits after the point, in the units it is shown in.
fn round_quantity(value: Quantity, digits: i128, round: fn(f64) -> f64) -> QuantityResult {
    let scale = RealNumber::from_integer(10)
        .power(RealNumber::from_integer(digits.clamp(-30, 30)))?
        .try_div(value.unit_factor()?)?;
    let number = value
        .number
        .try_mul(scale)?
        .round_with(round)?
        .try_div(scale)?;
    Ok(Quantity { number, ..value })
}

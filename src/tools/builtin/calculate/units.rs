//! The units that `calculate` knows, in one table; what other languages call them stands in `data/words`. No currencies:
//! their rates are not known here.

use std::sync::LazyLock;

use kith_language::{word_lists, word_table};

use super::number::RealNumber;

/// The powers of metre, kilogram, second, kelvin, ampere, bit and mole.
pub(super) type Dimensions = [i8; 7];

/// What is measured in nothing.
pub(super) const BARE: Dimensions = [0; 7];
const LENGTH: Dimensions = [1, 0, 0, 0, 0, 0, 0];
const AREA: Dimensions = [2, 0, 0, 0, 0, 0, 0];
const VOLUME: Dimensions = [3, 0, 0, 0, 0, 0, 0];
const MASS: Dimensions = [0, 1, 0, 0, 0, 0, 0];
const TIME: Dimensions = [0, 0, 1, 0, 0, 0, 0];
const FREQUENCY: Dimensions = [0, 0, -1, 0, 0, 0, 0];
const SPEED: Dimensions = [1, 0, -1, 0, 0, 0, 0];
const FORCE: Dimensions = [1, 1, -2, 0, 0, 0, 0];
const PRESSURE: Dimensions = [-1, 1, -2, 0, 0, 0, 0];
const ENERGY: Dimensions = [2, 1, -2, 0, 0, 0, 0];
const POWER: Dimensions = [2, 1, -3, 0, 0, 0, 0];
const TEMPERATURE: Dimensions = [0, 0, 0, 1, 0, 0, 0];
const CURRENT: Dimensions = [0, 0, 0, 0, 1, 0, 0];
const CHARGE: Dimensions = [0, 0, 1, 0, 1, 0, 0];
const VOLTAGE: Dimensions = [2, 1, -3, 0, -1, 0, 0];
const RESISTANCE: Dimensions = [2, 1, -3, 0, -2, 0, 0];
const DATA: Dimensions = [0, 0, 0, 0, 0, 1, 0];
const RATE: Dimensions = [0, 0, -1, 0, 0, 1, 0];
const AMOUNT: Dimensions = [0, 0, 0, 0, 0, 0, 1];

/// A unit as it was written.
#[derive(Clone, Debug)]
pub(super) struct WrittenUnit {
    /// As it was written.
    pub name: String,
    pub dimensions: Dimensions,
    /// How many of the base units it is.
    pub factor: RealNumber,
    /// What 0 of it is in the base unit: a scale of temperature.
    pub zero: RealNumber,
}

/// Which prefixes a unit takes.
#[derive(Clone, Copy, PartialEq)]
enum Prefixes {
    /// None.
    No,
    /// `k`, `kilo` and the like.
    Metric,
    /// Those, and `Ki`, `kibi` and the like.
    Binary,
}

use Prefixes::{Binary, Metric, No};

/// Names, what it measures, factor, the zero of a scale, prefixes.
type Row = (
    &'static str,
    Dimensions,
    &'static str,
    &'static str,
    Prefixes,
);

const UNITS: &[Row] = &[
    ("m meter metre", LENGTH, "1", "0", Metric),
    ("in inch inches \"", LENGTH, "0.0254", "0", No),
    ("ft foot feet '", LENGTH, "0.3048", "0", No),
    ("yd yard", LENGTH, "0.9144", "0", No),
    ("mi mile", LENGTH, "1609.344", "0", No),
    ("nmi", LENGTH, "1852", "0", No),
    ("li", LENGTH, "500", "0", No),
    ("au AU", LENGTH, "149597870700", "0", No),
    ("ly lightyear", LENGTH, "9460730472580800", "0", No),
    ("pc parsec", LENGTH, "30856775814913673", "0", Metric),
    ("sqm", AREA, "1", "0", No),
    ("sqkm", AREA, "1000000", "0", No),
    ("ha hectare", AREA, "10000", "0", No),
    ("acre", AREA, "4046.8564224", "0", No),
    ("mu", AREA, "2000/3", "0", No),
    ("l L liter litre", VOLUME, "0.001", "0", Metric),
    ("cbm", VOLUME, "1", "0", No),
    ("cc", VOLUME, "0.000001", "0", No),
    ("gal gallon", VOLUME, "0.003785411784", "0", No),
    ("qt quart", VOLUME, "0.000946352946", "0", No),
    ("pt pint", VOLUME, "0.000473176473", "0", No),
    ("cup", VOLUME, "0.0002365882365", "0", No),
    ("floz", VOLUME, "0.0000295735295625", "0", No),
    ("tbsp tablespoon", VOLUME, "0.00001478676478125", "0", No),
    ("tsp teaspoon", VOLUME, "0.00000492892159375", "0", No),
    ("g gram gramme", MASS, "0.001", "0", Metric),
    ("t tonne", MASS, "1000", "0", No),
    ("ton", MASS, "907.18474", "0", No),
    ("lb lbs pound", MASS, "0.45359237", "0", No),
    ("oz ounce", MASS, "0.028349523125", "0", No),
    ("st stone", MASS, "6.35029318", "0", No),
    ("jin", MASS, "0.5", "0", No),
    ("liang", MASS, "0.05", "0", No),
    ("s sec second", TIME, "1", "0", Metric),
    ("min minute", TIME, "60", "0", No),
    ("h hr hour", TIME, "3600", "0", No),
    ("d day", TIME, "86400", "0", No),
    ("wk week", TIME, "604800", "0", No),
    ("fortnight", TIME, "1209600", "0", No),
    ("mo month", TIME, "2629746", "0", No),
    ("yr year", TIME, "31556952", "0", No),
    ("decade", TIME, "315569520", "0", No),
    ("century centuries", TIME, "3155695200", "0", No),
    ("Hz hertz", FREQUENCY, "1", "0", Metric),
    ("rpm", FREQUENCY, "1/60", "0", No),
    ("mph", SPEED, "0.44704", "0", No),
    ("kph kmh kmph", SPEED, "5/18", "0", No),
    ("kn kt knot", SPEED, "463/900", "0", No),
    ("mach", SPEED, "340.29", "0", No),
    ("N newton", FORCE, "1", "0", Metric),
    ("lbf", FORCE, "4.4482216152605", "0", No),
    ("Pa pascal", PRESSURE, "1", "0", Metric),
    ("bar", PRESSURE, "100000", "0", Metric),
    ("atm", PRESSURE, "101325", "0", No),
    ("psi", PRESSURE, "6894.757293168", "0", No),
    ("mmHg torr", PRESSURE, "133.322387415", "0", No),
    ("J joule", ENERGY, "1", "0", Metric),
    ("cal calorie", ENERGY, "4.184", "0", Metric),
    ("Cal", ENERGY, "4184", "0", No),
    ("Wh", ENERGY, "3600", "0", Metric),
    (
        "eV electronvolt",
        ENERGY,
        "0.0000000000000000001602176634",
        "0",
        Metric,
    ),
    ("BTU btu", ENERGY, "1055.05585262", "0", No),
    ("W watt", POWER, "1", "0", Metric),
    ("hp horsepower", POWER, "745.69987158227022", "0", No),
    ("K kelvin", TEMPERATURE, "1", "0", No),
    ("°C ℃ C celsius centigrade", TEMPERATURE, "1", "273.15", No),
    ("°F ℉ F fahrenheit", TEMPERATURE, "5/9", "45967/180", No),
    ("A amp ampere", CURRENT, "1", "0", Metric),
    ("Ah", CHARGE, "3600", "0", Metric),
    ("coulomb", CHARGE, "1", "0", Metric),
    ("V volt", VOLTAGE, "1", "0", Metric),
    ("Ω ohm", RESISTANCE, "1", "0", Metric),
    ("b bit", DATA, "1", "0", Binary),
    ("B byte", DATA, "8", "0", Binary),
    ("bps", RATE, "1", "0", Binary),
    ("mol mole", AMOUNT, "1", "0", Metric),
    ("rad radian", BARE, "1", "0", No),
    ("° deg degree", BARE, "π/180", "0", No),
    ("turn revolution", BARE, "2π", "0", No),
];

word_table! {
    /// What people write in an expression, by language: each entry a word and what it stands for.
    struct CalculateWords { units: Vec<&'static str>, counts: Vec<&'static str> }
}

static WORDS: LazyLock<CalculateWords> =
    LazyLock::new(|| CalculateWords::from_lists(word_lists("calculate")));

/// What stands behind the equals sign of the entry for this word.
fn find_word(entries: &[&'static str], word: &str) -> Option<&'static str> {
    let entries = entries.iter().filter_map(|entry| entry.split_once(" = "));
    entries
        .into_iter()
        .find(|(name, _)| *name == word)
        .map(|(_, meaning)| meaning)
}

const METRIC: &[(&str, &str, i32)] = &[
    ("da", "deca", 1),
    ("h", "hecto", 2),
    ("k", "kilo", 3),
    ("K", "Kilo", 3),
    ("M", "mega", 6),
    ("G", "giga", 9),
    ("T", "tera", 12),
    ("P", "peta", 15),
    ("d", "deci", -1),
    ("c", "centi", -2),
    ("m", "milli", -3),
    ("µ", "micro", -6),
    ("μ", "micro", -6),
    ("u", "micro", -6),
    ("n", "nano", -9),
    ("p", "pico", -12),
];

const BINARY: &[(&str, &str, u32)] = &[
    ("Ki", "kibi", 10),
    ("Mi", "mebi", 20),
    ("Gi", "gibi", 30),
    ("Ti", "tebi", 40),
    ("Pi", "pebi", 50),
];

/// The number that a counting word is, also in the plural.
pub(super) fn parse_count_word(word: &str) -> Option<RealNumber> {
    let word = word.to_lowercase();
    let singular = word.strip_suffix('s').unwrap_or(&word);
    let count = find_word(&WORDS.counts, &word).or_else(|| find_word(&WORDS.counts, singular));
    count
        .and_then(|count| count.parse().ok())
        .map(RealNumber::from_integer)
}

/// The unit of this name. The case counts where it makes a difference (`MB`, `Mb`), and else does not.
pub(super) fn find_unit(word: &str) -> Option<WrittenUnit> {
    let name = find_word(&WORDS.units, word).unwrap_or(word);
    let unit = find_prefixed_unit(name).or_else(|| find_prefixed_unit(&name.to_lowercase()))?;
    Some(WrittenUnit {
        name: word.to_owned(),
        ..unit
    })
}

fn find_prefixed_unit(word: &str) -> Option<WrittenUnit> {
    // `ms` are milliseconds, not metres; `kms` can only be many.
    if let Some(row) = find_row(word, 2, |_| true) {
        return build_unit(word, row, RealNumber::ONE);
    }
    let short = |(prefix, _, power): &(&str, &str, i32)| Some((word.strip_prefix(prefix)?, *power));
    let long = |(_, prefix, power): &(&str, &str, i32)| Some((word.strip_prefix(prefix)?, *power));
    for (rest, power) in METRIC
        .iter()
        .filter_map(long)
        .chain(METRIC.iter().filter_map(short))
    {
        // There is no thousandth of a bit.
        if let Some(row) = find_row(rest, 1, |prefixes| {
            prefixes == Metric || prefixes == Binary && power > 0
        }) {
            return build_unit(
                word,
                row,
                RealNumber::from_integer(10)
                    .raise(RealNumber::from_integer(power.into()))
                    .ok()?,
            );
        }
    }
    for (short, long, power) in BINARY {
        if let Some(rest) = word.strip_prefix(long).or_else(|| word.strip_prefix(short))
            && let Some(row) = find_row(rest, 1, |prefixes| prefixes == Binary)
        {
            return build_unit(word, row, RealNumber::from_integer(1 << power));
        }
    }
    None
}

/// The row of a name; from so many bytes on a name has a plural.
fn find_row(
    word: &str,
    plural_from: usize,
    takes: impl Fn(Prefixes) -> bool,
) -> Option<&'static Row> {
    let singular = word
        .strip_suffix('s')
        .filter(|word| word.len() >= plural_from);
    let is = |name: &str| name == word || Some(name) == singular;
    UNITS
        .iter()
        .find(|(names, .., prefixes)| takes(*prefixes) && names.split(' ').any(is))
}

fn build_unit(
    word: &str,
    (_, dimensions, factor, zero, _): &Row,
    prefix: RealNumber,
) -> Option<WrittenUnit> {
    let factor = parse_table_number(factor)?.try_mul(prefix).ok()?;
    Some(WrittenUnit {
        name: word.to_owned(),
        dimensions: *dimensions,
        factor,
        zero: parse_table_number(zero)?,
    })
}

/// A number as it stands in the table.
fn parse_table_number(text: &str) -> Option<RealNumber> {
    match text {
        "π/180" => RealNumber::from_float(std::f64::consts::PI / 180.0).ok(),
        "2π" => RealNumber::from_float(std::f64::consts::TAU).ok(),
        _ => match text.split_once('/') {
            Some((above, below)) => {
                RealNumber::from_fraction(above.parse().ok()?, below.parse().ok()?)
            }
            None => parse_decimal(text),
        },
    }
}

/// A decimal number without sign or exponent; a float where it has more digits than fit.
pub(super) fn parse_decimal(text: &str) -> Option<RealNumber> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let scale = u32::try_from(rest.len())
        .ok()
        .and_then(|digits| 10_i128.checked_pow(digits));
    let exact = format!("{whole}{rest}")
        .parse()
        .ok()
        .and_then(|digits| RealNumber::from_fraction(digits, scale?));
    exact.or_else(|| RealNumber::from_float(text.parse().ok()?).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_readable_and_every_name_is_one_units() {
        let mut seen: Vec<&str> = Vec::new();
        for row in UNITS {
            for name in row.0.split(' ') {
                assert!(!seen.contains(&name), "{name} stands for two units");
                seen.push(name);
                let unit = find_unit(name).unwrap_or_else(|| panic!("{name} is not found"));
                assert_eq!(unit.dimensions, row.1, "{name}");
                assert!(!unit.factor.is_zero(), "{name}");
            }
        }
        for entry in &WORDS.units {
            let (word, _) = entry.split_once(" = ").expect("a word and its unit");
            assert!(!seen.contains(&word), "{word} stands for two units");
            seen.push(word);
            assert_eq!(find_unit(word).map(|unit| unit.name).as_deref(), Some(word));
        }
    }

    #[test]
    fn every_counting_word_is_a_number() {
        for entry in &WORDS.counts {
            let (word, _) = entry.split_once(" = ").expect("a word and its number");
            assert!(parse_count_word(word).is_some(), "{word}");
        }
    }
}

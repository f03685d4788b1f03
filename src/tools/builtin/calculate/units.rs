//! The units that `calculate` knows, in one table. No currencies: their rates are not known here.

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
    ("m meter metre 米", LENGTH, "1", "0", Metric),
    ("公里 千米", LENGTH, "1000", "0", No),
    ("厘米", LENGTH, "0.01", "0", No),
    ("毫米", LENGTH, "0.001", "0", No),
    ("in inch inches \" 英寸", LENGTH, "0.0254", "0", No),
    ("ft foot feet ' 英尺", LENGTH, "0.3048", "0", No),
    ("yd yard 码", LENGTH, "0.9144", "0", No),
    ("mi mile 英里", LENGTH, "1609.344", "0", No),
    ("nmi 海里", LENGTH, "1852", "0", No),
    ("里 华里", LENGTH, "500", "0", No),
    ("au AU", LENGTH, "149597870700", "0", No),
    ("ly lightyear 光年", LENGTH, "9460730472580800", "0", No),
    ("pc parsec", LENGTH, "30856775814913673", "0", Metric),
    ("平方米", AREA, "1", "0", No),
    ("平方公里", AREA, "1000000", "0", No),
    ("ha hectare 公顷", AREA, "10000", "0", No),
    ("acre 英亩", AREA, "4046.8564224", "0", No),
    ("亩", AREA, "2000/3", "0", No),
    ("l L liter litre 升", VOLUME, "0.001", "0", Metric),
    ("毫升", VOLUME, "0.000001", "0", No),
    ("立方米", VOLUME, "1", "0", No),
    ("cc", VOLUME, "0.000001", "0", No),
    ("gal gallon 加仑", VOLUME, "0.003785411784", "0", No),
    ("qt quart", VOLUME, "0.000946352946", "0", No),
    ("pt pint 品脱", VOLUME, "0.000473176473", "0", No),
    ("cup 杯", VOLUME, "0.0002365882365", "0", No),
    ("floz", VOLUME, "0.0000295735295625", "0", No),
    (
        "tbsp tablespoon 汤匙",
        VOLUME,
        "0.00001478676478125",
        "0",
        No,
    ),
    ("tsp teaspoon 茶匙", VOLUME, "0.00000492892159375", "0", No),
    ("g gram gramme 克", MASS, "0.001", "0", Metric),
    ("公斤 千克", MASS, "1", "0", No),
    ("毫克", MASS, "0.000001", "0", No),
    ("t tonne 吨", MASS, "1000", "0", No),
    ("ton", MASS, "907.18474", "0", No),
    ("lb lbs pound 磅", MASS, "0.45359237", "0", No),
    ("oz ounce 盎司", MASS, "0.028349523125", "0", No),
    ("st stone", MASS, "6.35029318", "0", No),
    ("斤 市斤", MASS, "0.5", "0", No),
    ("两", MASS, "0.05", "0", No),
    ("s sec second 秒 秒钟", TIME, "1", "0", Metric),
    ("毫秒", TIME, "0.001", "0", No),
    ("min minute 分 分钟", TIME, "60", "0", No),
    ("h hr hour 小时 钟头", TIME, "3600", "0", No),
    ("d day 天 日", TIME, "86400", "0", No),
    ("wk week 周 星期", TIME, "604800", "0", No),
    ("fortnight", TIME, "1209600", "0", No),
    ("mo month 个月 月", TIME, "2629746", "0", No),
    ("yr year 年", TIME, "31556952", "0", No),
    ("decade", TIME, "315569520", "0", No),
    ("century centuries 世纪", TIME, "3155695200", "0", No),
    ("Hz hertz 赫兹", FREQUENCY, "1", "0", Metric),
    ("rpm", FREQUENCY, "1/60", "0", No),
    ("mph", SPEED, "0.44704", "0", No),
    ("kph kmh kmph", SPEED, "5/18", "0", No),
    ("kn kt knot 节", SPEED, "463/900", "0", No),
    ("mach", SPEED, "340.29", "0", No),
    ("N newton", FORCE, "1", "0", Metric),
    ("lbf", FORCE, "4.4482216152605", "0", No),
    ("Pa pascal 帕", PRESSURE, "1", "0", Metric),
    ("bar", PRESSURE, "100000", "0", Metric),
    ("atm 大气压", PRESSURE, "101325", "0", No),
    ("psi", PRESSURE, "6894.757293168", "0", No),
    ("mmHg torr", PRESSURE, "133.322387415", "0", No),
    ("J joule 焦耳", ENERGY, "1", "0", Metric),
    ("cal calorie 卡 卡路里", ENERGY, "4.184", "0", Metric),
    ("Cal 大卡 千卡", ENERGY, "4184", "0", No),
    ("Wh", ENERGY, "3600", "0", Metric),
    ("度电 千瓦时", ENERGY, "3600000", "0", No),
    (
        "eV electronvolt",
        ENERGY,
        "0.0000000000000000001602176634",
        "0",
        Metric,
    ),
    ("BTU btu", ENERGY, "1055.05585262", "0", No),
    ("W watt 瓦 瓦特", POWER, "1", "0", Metric),
    ("千瓦", POWER, "1000", "0", No),
    ("hp horsepower 马力", POWER, "745.69987158227022", "0", No),
    ("K kelvin 开尔文", TEMPERATURE, "1", "0", No),
    (
        "°C ℃ C celsius centigrade 摄氏度 摄氏",
        TEMPERATURE,
        "1",
        "273.15",
        No,
    ),
    (
        "°F ℉ F fahrenheit 华氏度 华氏",
        TEMPERATURE,
        "5/9",
        "45967/180",
        No,
    ),
    ("A amp ampere 安培", CURRENT, "1", "0", Metric),
    ("Ah", CHARGE, "3600", "0", Metric),
    ("coulomb", CHARGE, "1", "0", Metric),
    ("V volt 伏 伏特", VOLTAGE, "1", "0", Metric),
    ("Ω ohm 欧姆", RESISTANCE, "1", "0", Metric),
    ("b bit 比特", DATA, "1", "0", Binary),
    ("B byte 字节", DATA, "8", "0", Binary),
    ("bps", RATE, "1", "0", Binary),
    ("mol mole", AMOUNT, "1", "0", Metric),
    ("rad radian 弧度", BARE, "1", "0", No),
    ("° deg degree 度", BARE, "π/180", "0", No),
    ("turn revolution", BARE, "2π", "0", No),
];

/// Counting words: numbers, not units.
const COUNTS: &[(&str, i128)] = &[
    ("dozen", 12),
    ("hundred", 100),
    ("thousand", 1_000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
    ("trillion", 1_000_000_000_000),
    ("万", 10_000),
    ("亿", 100_000_000),
];

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

/// The number that a counting word is.
pub(super) fn parse_count_word(word: &str) -> Option<RealNumber> {
    let word = word.to_lowercase();
    let found = COUNTS
        .iter()
        .find(|(name, _)| *name == word || word.strip_suffix('s') == Some(name));
    found.map(|(_, count)| RealNumber::from_integer(*count))
}

/// The unit of this name. The case counts where it makes a difference (`MB`, `Mb`), and else does not.
pub(super) fn find_unit(word: &str) -> Option<WrittenUnit> {
    find_prefixed_unit(word).or_else(|| find_prefixed_unit(&word.to_lowercase()))
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
    }
}

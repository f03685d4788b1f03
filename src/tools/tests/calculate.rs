//! `calculate`: what it answers. What a model can write against it is tried on the whole program, whose process is limited.

use kith_core::persona::Language;
use kith_tools::calculate_expression;
use proptest::prelude::*;

#[track_caller]
fn answers(expressions: &[(&str, &str)]) {
    let told = |why: kith_language::LocalizedMessage| why.in_language(Language::EN);
    let calculated = expressions.iter().map(|(expression, _)| {
        let result = calculate_expression(expression).unwrap_or_else(told);
        format!("{expression} = {result}")
    });
    let expected = expressions
        .iter()
        .map(|(expression, result)| format!("{expression} = {result}"));
    assert_eq!(calculated.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn sums_are_exact_as_long_as_they_fit_and_say_when_they_are_not() {
    answers(&[
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4 =", "20"),
        ("-2^2", "-4"),
        ("2^3^2", "512"),
        ("2**10", "1024"),
        ("2^-2", "0.25"),
        ("0.1 + 0.2", "0.3"),
        ("19.99 * 3", "59.97"),
        ("$45.50 * 1.2", "54.6"),
        ("1,234,567 * 2", "2469134"),
        ("1e3 + 2.5e-1", "1000.25"),
        ("1/4", "0.25"),
        ("1/3", "approx. 0.3333333333"),
        ("1/3 * 3", "1"),
        ("2^100", "1267650600228229401496703205376"),
        ("123456789 * 987654321", "121932631112635269"),
        ("20!", "2432902008176640000"),
        (
            "100!",
            "93326215443944152681699238856266700490715968264381621468592963895217599993229915608941463976156518286253697920827223758251185210916864000000000000000000000000",
        ),
        ("17 mod 5", "2"),
        ("17 % 5", "2"),
        ("2 (3 + 4)", "14"),
        ("3 million / 12", "250000"),
        ("２＋３×４", "14"),
        ("3万 * 2", "60000"),
    ]);
}

#[test]
fn a_percentage_is_one_of_what_it_is_added_to() {
    answers(&[
        ("15% of 80", "12"),
        ("15 percent of 80", "12"),
        ("(40 + 5) + 20% ", "54"),
        ("2 * (45 + 20%) - 8", "100"),
        ("100 + 10% * 50", "105"),
        ("50 - 20% of 30", "44"),
        ("3 - -50%", "3.5"),
        ("2 * -50% + 3", "2"),
        ("17 % 5 + 50%", "3"),
        ("100 + 10%", "110"),
        ("80 - 25%", "60"),
        ("5% + 10%", "0.15"),
        ("19.9 * 7%", "1.393"),
    ]);
}

#[test]
fn functions_and_constants_are_known() {
    answers(&[
        ("sqrt(16)", "4"),
        ("sqrt(2)", "approx. 1.4142135624"),
        ("sqrt 2 * sqrt 2", "approx. 2"),
        ("√9 + 1", "4"),
        ("cbrt(27)", "3"),
        ("abs(-3)", "3"),
        ("round(2.345, 2)", "2.35"),
        ("floor(-1.5)", "-2"),
        ("ceil(1.2) + round(-1.5)", "0"),
        ("sin(30°)", "0.5"),
        ("cos(0)", "1"),
        ("ln(e)", "approx. 1"),
        ("log10(1000)", "approx. 3"),
        ("log(8, 2)", "approx. 3"),
        ("MAX(1, 200, 30) - min(2 m, 1 m) / (1 m)", "199"),
        ("sum(1,234,5)", "240"),
        ("mean(1, 2, 3, 4)", "2.5"),
        ("2 pi", "approx. 6.2831853072"),
    ]);
}

#[test]
fn units_are_converted_and_carried_along() {
    answers(&[
        ("5 ft to cm", "152.4 cm"),
        ("5 feet to cm", "152.4 cm"),
        ("5 ft 3 in in cm", "160.02 cm"),
        ("5 ft 11 in", "approx. 5.9166666667 ft"),
        ("5'11\" to cm", "180.34 cm"),
        ("100 F to C", "approx. 37.7777777778 °C"),
        ("50 degrees celsius to fahrenheit", "122 fahrenheit"),
        ("2 h 30 min to min", "150 mins"),
        ("100 km per 8 l", "12.5 km / l"),
        ("30 LBS to KG", "13.6077711 kg"),
        ("5'10\" to m", "1.778 m"),
        ("12 in to cm", "30.48 cm"),
        ("25.4 cm to in", "10 inches"),
        ("1 ft^2 in in^2", "144 inches^2"),
        ("(1 + 1) m in cm", "200 cm"),
        ("100 km/h to mph", "approx. 62.1371192237 mph"),
        ("60 km / 2 h", "30 km / h"),
        ("90 km/h * 20 min to km", "30 km"),
        ("3 km + 200 m", "3.2 km"),
        ("2 h 30 min to s", "9000 s"),
        ("10 m^2 to ft2", "approx. 107.639104168 ft^2"),
        ("350 °F to °C", "approx. 176.6666666667 °C"),
        ("20 C to F", "68 °F"),
        ("-40 °C to °F", "-40 °F"),
        ("300 K in celsius", "26.85 celsius"),
        ("1 GB / 10 MB", "100"),
        ("8 Mbit to kB", "1000 kB"),
        ("1 GiB to MiB", "1024 MiB"),
        ("2 cups to ml", "473.176473 ml"),
        ("3 kWh to J", "10800000 J"),
        ("180 lbs to kg", "81.6466266 kg"),
        ("5斤 to kg", "2.5 kg"),
        ("5 英尺 to 厘米", "152.4 厘米"),
        ("20 摄氏度 to 华氏度", "68 华氏度"),
        ("sqrt(9 m^2)", "3 m"),
    ]);
}

#[test]
fn what_is_not_calculated_is_told_in_words() {
    for (expression, why) in [
        ("", "nothing to calculate"),
        ("1/0", "division by zero"),
        ("5 km to kg", "cannot convert from km to kg"),
        ("5 km + 1 h", "cannot convert from h to km"),
        ("5 flurbs", "unknown identifier 'flurbs'"),
        ("1,5 + 2", "`,5 + 2` is not understood"),
        ("2) + 1", "`)` is not understood"),
        ("$5 + €3", "exchange rates"),
        ("5 USD to EUR", "exchange rates"),
        ("roll d6", "random"),
        ("500!", "the result is too large"),
    ] {
        let told = calculate_expression(expression).map_err(|why| why.in_language(Language::EN));
        let told = told.expect_err(expression);
        assert!(told.contains(why), "{expression}: {told}");
    }
}

#[test]
fn every_word_of_the_lists_is_known() {
    let entries = kith_language::word_lists("calculate").flat_map(|list| list.entries());
    let words = entries.filter_map(|entry| Some(entry.split_once(" = ")?.0));
    let unknown: Vec<&str> = words
        .filter(|word| calculate_expression(&format!("2 {word}")).is_err())
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

proptest! {
    #[test]
    fn sums_of_integers_are_right(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000, c in 1_i64..1_000) {
        let result = calculate_expression(&format!("({a} + {b}) * {c} - {b}"));
        prop_assert_eq!(result.ok(), Some(((a + b) * c - b).to_string()));
    }
}

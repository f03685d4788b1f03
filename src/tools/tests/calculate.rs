//! `calculate`: what it answers, and that nothing a model can write makes it take long, grow, or fall over.

use kith_core::call::ToolResult;
use kith_core::persona::Language;
use kith_tools::{ToolContext, ToolRegistry};
use proptest::prelude::*;
use serde_json::json;

use crate::registry::{call, context};

fn calculate(expression: &str, context: &ToolContext) -> ToolResult {
    let call = call("calculate", json!({ "expression": expression }));
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(ToolRegistry::load_builtin().run(call, context.clone()))
}

#[track_caller]
fn answers(expressions: &[(&str, &str)]) {
    let context = context(Language::EN);
    for (expression, result) in expressions {
        assert_eq!(
            calculate(expression, &context),
            ToolResult::ok(*result),
            "{expression}"
        );
    }
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
        ("1/3", "approx. 0.333333333333"),
        ("1/3 * 3", "1"),
        ("2^100", "1267650600228229401496703205376"),
        ("123456789 * 987654321", "121932631112635269"),
        ("20!", "2432902008176640000"),
        ("100!", "approx. 9.33262154439e157"),
        ("17 mod 5", "2"),
        ("17 % 5", "2"),
        ("-7 mod 3", "2"),
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
        ("100 + 10%", "110"),
        ("80 - 25%", "60"),
        ("5% + 10%", "15%"),
        ("19.9 * 7%", "1.393"),
    ]);
}

#[test]
fn functions_and_constants_are_known() {
    answers(&[
        ("sqrt(16)", "4"),
        ("sqrt(2)", "approx. 1.41421356237"),
        ("sqrt 2 * sqrt 2", "approx. 2"),
        ("√9 + 1", "4"),
        ("cbrt(-27)", "-3"),
        ("abs(-3)", "3"),
        ("round(2.345, 2)", "2.35"),
        ("floor(-1.5)", "-2"),
        ("ceil(1.2) + round(-1.5)", "0"),
        ("sin(30°)", "approx. 0.5"),
        ("cos(0)", "approx. 1"),
        ("ln(e)", "approx. 1"),
        ("log10(1000)", "approx. 3"),
        ("log(8, 2)", "approx. 3"),
        ("max(1, 200, 30)", "200"),
        ("mean(1, 2, 3, 4)", "2.5"),
        ("2 pi", "approx. 6.28318530718"),
    ]);
}

#[test]
fn units_are_converted_and_carried_along() {
    answers(&[
        ("5 ft to cm", "152.4 cm"),
        ("5 feet to cm", "152.4 cm"),
        ("5 ft 3 in in cm", "160.02 cm"),
        ("5'10\" to m", "1.778 m"),
        ("12 in to cm", "30.48 cm"),
        ("100 km/h to mph", "approx. 62.1371192237 mph"),
        ("60 km / 2 h", "30 km / h"),
        ("90 km/h * 20 min to km", "30 km"),
        ("3 km + 200 m", "3.2 km"),
        ("2 h 30 min to s", "9000 s"),
        ("10 m^2 to ft2", "approx. 107.639104167 ft^2"),
        ("350 °F to °C", "approx. 176.666666667 °C"),
        ("20 C to F", "68 F"),
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
        ("sqrt(9 m^2)", "3 m"),
    ]);
}

#[test]
fn what_is_not_calculated_is_told_in_words() {
    let context = context(Language::EN);
    for (expression, why) in [
        ("", "a value is missing"),
        ("2 +", "a value is missing"),
        ("1/0", "division by zero"),
        ("0^-1", "division by zero"),
        ("sqrt(-1)", "no real number"),
        ("5 km to kg", "do not measure the same"),
        ("5 km + 1 h", "cannot be added"),
        ("5 flurbs", "`flurbs` is neither a unit nor a function"),
        ("2 3", "`3` is not understood"),
        ("$5 + €3", "exchange rates"),
        ("2^(1 m)", "^ takes numbers without a unit"),
    ] {
        let result = calculate(expression, &context);
        assert!(
            result.is_error && result.content.contains(why),
            "{expression}: {}",
            result.content
        );
    }
}

/// What brought the daemon down, or kept it busy, and its kin.
fn hostile() -> Vec<String> {
    let mut all: Vec<String> = [
        r"(\x. x x)(\x. x x)",
        r"f = \x. f x; f 1",
        "f = x => f x; f 1",
        "x: x x",
        "1 << 100000000000000",
        "1 >> 100000000000000",
        "9^9^9^9",
        "9^99999999999999999999",
        "10^10^10 mod 7",
        "0.1^9999999",
        "(1/3)^512 * (1/7)^512",
        "170! * 170!",
        "171!",
        "99999999999999!",
        "3!!!!!!",
        "1e999999999",
        "1e-999999999",
        "round(1, 99999999999)",
        "log(0)",
        "170141183460469231731687303715884105727 + 1",
        "-170141183460469231731687303715884105728 - 1",
        "m^99999999999 * m^99999999999",
        "(m^3)^100",
        "read(\"/etc/passwd\")",
        "@2020-01-01",
        "today",
        "roll d6",
        "1 to 1000000000 dp",
        "version",
    ]
    .map(str::to_owned)
    .to_vec();
    for piece in [
        "(", "-(", "sqrt(", "sqrt ", "2^", "1(", "√", "(1,", "max(1,", "-", "1+", "1 m ", "9!",
        "1/", "%", "1 in ",
    ] {
        all.push(piece.repeat(500 / piece.len()));
        all.push(piece.repeat(499 / piece.len()) + "1");
    }
    all.push("(".repeat(249) + "1" + &")".repeat(250));
    all.push("9".repeat(500));
    all.push("1".to_owned() + &" km".repeat(160));
    all
}

#[test]
fn nothing_that_is_written_takes_it_down_or_keeps_it_busy() {
    // Each operation is bounded and nothing repeats: that this ends at all is the bound, whatever the clock says.
    let context = context(Language::EN);
    for expression in hostile() {
        let result = calculate(&expression, &context);
        assert!(
            result.content.len() < 1_500,
            "{expression}: {}",
            result.content.len()
        );
    }
    for refused in &hostile()[..6] {
        assert!(calculate(refused, &context).is_error, "{refused}");
    }
}

/// Pieces of expressions, the dangerous ones of other calculators among them.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "(",
        ")",
        "+",
        "-",
        "*",
        "/",
        "^",
        "**",
        "%",
        "!",
        ",",
        ".",
        " ",
        " to ",
        " in ",
        " of ",
        " mod ",
        " per ",
        "->",
        "√",
        "sqrt",
        "max(",
        "round(",
        "log2",
        "sin ",
        "e",
        "pi",
        "km",
        "m2",
        "°C",
        "in",
        "min",
        "KiB",
        "斤",
        "万",
        "million",
        "0",
        "1",
        "7",
        "0.5",
        "99999999999999999999",
        "1e300",
        "1e-300",
        "\\x. x",
        "x: x",
        "=",
        ";",
        "<<",
        "@",
        "#",
        "\"",
        "'",
        "$",
        "€",
        "（",
        "²",
    ];
    proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned)
}

proptest! {
    #[test]
    fn any_expression_is_answered(pieces in proptest::collection::vec(piece(), 0..120)) {
        calculate(&pieces.concat(), &context(Language::EN));
    }

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        calculate(&text, &context(Language::EN));
    }

    #[test]
    fn sums_of_integers_are_right(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000, c in 1_i64..1_000) {
        let result = calculate(&format!("({a} + {b}) * {c} - {b}"), &context(Language::EN));
        prop_assert_eq!(result, ToolResult::ok(((a + b) * c - b).to_string()));
    }
}

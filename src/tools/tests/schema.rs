//! The parameter vocabulary: what is accepted, what is coerced, and the sentence a model reads otherwise.

use kith_core::call::ToolResult;
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_core::schema::{Param, ParamType, Schema};
use kith_tools::{Tool, ToolDescription, tool_rendering};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn param(name: &str, kind: ParamType) -> Param {
    Param {
        name: name.into(),
        kind,
        ..Param::default()
    }
}

fn required(name: &str, kind: ParamType) -> Param {
    Param {
        required: true,
        ..param(name, kind)
    }
}

fn list(name: &str, items: ParamType) -> Param {
    Param {
        items: Some(Box::new(param("", items))),
        ..param(name, ParamType::Array)
    }
}

fn check(params: Vec<Param>, given: Value) -> Result<Value, String> {
    let given = given.as_object().cloned().unwrap_or_default();
    Schema { params }.check(&given).map(Value::Object)
}

#[test]
fn text_becomes_the_declared_type() {
    let params = vec![
        param("s", ParamType::String),
        param("n", ParamType::Number),
        param("i", ParamType::Integer),
        param("b", ParamType::Boolean),
        list("l", ParamType::Integer),
        param("o", ParamType::Object),
    ];
    let given =
        json!({"s": 7, "n": " 1.5 ", "i": "#12", "b": "Yes", "l": "1, 2", "o": "{\"a\": 1}"});
    let wanted = json!({"s": "7", "n": 1.5, "i": 12, "b": true, "l": [1, 2], "o": {"a": 1}});
    assert_eq!(check(params, given), Ok(wanted));
}

#[test]
fn what_could_be_read_in_two_ways_is_refused() {
    let names = list("names", ParamType::String);
    assert_eq!(
        check(vec![names.clone()], json!({"names": "Anna"})),
        Ok(json!({"names": ["Anna"]}))
    );
    assert_eq!(
        check(vec![names], json!({"names": "Anna, Bo"})),
        Err(
            "parameter `names` must be a JSON list, each element text, not the text \"Anna, Bo\""
                .into()
        )
    );
    assert!(check(vec![param("b", ParamType::Boolean)], json!({"b": "maybe"})).is_err());
    assert!(check(vec![param("i", ParamType::Integer)], json!({"i": "1.5"})).is_err());
}

#[test]
fn a_choice_is_found_in_another_case() {
    let format = Param {
        choices: vec!["readable".into(), "iso".into()],
        ..param("format", ParamType::String)
    };
    assert_eq!(
        check(vec![format.clone()], json!({"format": " ISO "})),
        Ok(json!({"format": "iso"}))
    );
    assert_eq!(
        check(vec![format], json!({"format": "rfc"})),
        Err("parameter `format` must be one of readable, iso, not the text \"rfc\"".into())
    );
}

#[test]
fn what_is_missing_is_named_with_what_was_given_instead() {
    assert_eq!(
        check(
            vec![required("text", ParamType::String)],
            json!({"message": "hi"})
        ),
        Err("parameter `text` is missing: give text (there is no parameter `message`)".into())
    );
    assert_eq!(
        check(vec![required("to", ParamType::Integer), required("emoji", ParamType::String)], json!({})),
        Err("parameter `to` is missing: give a whole number; parameter `emoji` is missing: give text".into())
    );
}

#[test]
fn null_and_empty_text_count_as_not_given() {
    let limit = Param {
        default: Some(5.into()),
        ..param("limit", ParamType::Integer)
    };
    for absent in [json!(null), json!(""), json!("null"), json!(" None ")] {
        assert_eq!(
            check(vec![limit.clone()], json!({"limit": absent})),
            Ok(json!({"limit": 5}))
        );
    }
    assert_eq!(
        check(vec![required("new", ParamType::String)], json!({"new": ""})),
        Ok(json!({"new": ""}))
    );
}

#[test]
fn unknown_parameters_are_dropped_and_other_spellings_are_known() {
    let params = vec![param("reply_to", ParamType::Integer)];
    assert_eq!(
        check(params, json!({"replyTo": "3", "inner_thoughts": "hm"})),
        Ok(json!({"reply_to": 3}))
    );
}

#[test]
fn errors_inside_lists_and_objects_say_where() {
    let person = Param {
        properties: vec![
            required("name", ParamType::String),
            param("age", ParamType::Integer),
        ],
        ..param("", ParamType::Object)
    };
    let people = Param {
        items: Some(Box::new(person)),
        ..param("people", ParamType::Array)
    };
    assert_eq!(
        check(
            vec![people],
            json!({"people": [{"name": "Bo"}, {"age": "old"}]})
        ),
        Err("parameter `people[1].name` is missing: give text; \
             parameter `people[1].age` must be a whole number, not the text \"old\""
            .into())
    );
}

#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "read by the derived schema only")]
struct TypedParams {
    /// who is meant
    #[schemars(extend("description_zh" = "指谁"))]
    who: String,
    limit: Option<u8>,
    mood: Option<MoodParam>,
    #[schemars(default)]
    loud: bool,
    tags: Vec<String>,
    nested: Option<Box<TypedParams>>,
}

#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "read by the derived schema only")]
enum MoodParam {
    /// good
    Glad,
    /// bad
    Sad,
    Neither,
}

#[test]
fn a_typed_struct_yields_the_vocabulary() {
    let derived = schemars::schema_for!(TypedParams).to_value();
    let schema = Schema::from_json_schema(&derived, Language::EN);
    let by_name = |name: &str| {
        schema
            .params
            .iter()
            .find(|param| param.name == name)
            .cloned()
            .unwrap_or_default()
    };
    let names: Vec<&str> = schema
        .params
        .iter()
        .map(|param| param.name.as_str())
        .collect();
    assert_eq!(names, ["who", "limit", "mood", "loud", "tags", "nested"]);
    assert_eq!(
        by_name("who"),
        Param {
            description: "who is meant".into(),
            ..required("who", ParamType::String)
        }
    );
    assert_eq!(by_name("limit"), param("limit", ParamType::Integer));
    let mut moods: Vec<String> = by_name("mood")
        .choices
        .iter()
        .map(ToString::to_string)
        .collect();
    moods.sort();
    assert_eq!(moods, ["\"glad\"", "\"neither\"", "\"sad\""]);
    assert_eq!(by_name("loud").default, Some(false.into()));
    assert_eq!(
        by_name("tags"),
        Param {
            required: true,
            ..list("tags", ParamType::String)
        }
    );
    assert_eq!(by_name("nested").kind, ParamType::Object);
    let chinese = Schema::from_json_schema(&derived, Language::ZH);
    assert_eq!(chinese.params[0].description, "指谁");
}

#[test]
fn json_schema_out_and_in_again_is_the_same() {
    let letters = vec!["a".into(), "b".into()];
    let inner = vec![
        required("x", ParamType::Number),
        param("y", ParamType::Boolean),
    ];
    let schema = Schema {
        params: vec![
            Param {
                description: "which".into(),
                choices: letters,
                ..required("e", ParamType::String)
            },
            Param {
                default: Some(3.into()),
                ..param("n", ParamType::Integer)
            },
            list("l", ParamType::String),
            Param {
                properties: inner,
                ..param("o", ParamType::Object)
            },
        ],
    };
    assert_eq!(
        Schema::from_json_schema(&schema.to_json_schema(), Language::EN),
        schema
    );
}

#[test]
fn a_schema_that_fans_out_without_end_is_read_in_bounded_work() {
    let properties: Map<String, Value> = (0..50)
        .map(|n| (format!("p{n}"), json!({"$ref": "#"})))
        .collect();
    let schema = Schema::from_json_schema(
        &json!({"type": "object", "properties": properties}),
        Language::EN,
    );
    assert_eq!(schema.params.len(), 50);
    assert!(schema.to_json_schema().to_string().len() < 1_000_000);
}

/// JSON that is likely to look like a schema, or like parameters.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC*".prop_map(Value::from),
        "(object|array|string|integer|\\[1|\\{\"a\"|#/\\$defs/a|true|1e999|,|null|#)"
            .prop_map(Value::from),
    ];
    let key = "(a|b|aB|A_b|type|properties|required|items|anyOf|enum|const|default|\\$ref|\\$defs|\\PC{0,4})";
    leaf.prop_recursive(4, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_checked_against_any_schema_without_panic(definition in any_json(), given in any_json()) {
        let schema = Schema::from_json_schema(&definition, Language::ZH);
        schema.to_json_schema();
        let given = given.as_object().cloned().unwrap_or_default();
        if let Err(problem) = schema.check(&given) {
            prop_assert!(!problem.is_empty());
        }
    }

    #[test]
    fn what_passed_once_passes_again_unchanged(given in any_json()) {
        let choices = vec!["x".into(), "Y".into()];
        let schema = Schema { params: vec![
            param("a", ParamType::Integer),
            list("b", ParamType::Number),
            Param { default: Some("x".into()), choices, ..param("type", ParamType::String) },
        ] };
        let given = given.as_object().cloned().unwrap_or_default();
        if let Ok(once) = schema.check(&given) {
            prop_assert_eq!(schema.check(&once), Ok(once.clone()));
        }
    }
}

#[test]
fn what_may_be_left_out_and_what_it_is_then_is_told_at_every_depth() {
    let parameters = json!({
        "type": "object",
        "description": "Plan a trip.",
        "required": ["stops"],
        "properties": {
            "stops": { "type": "array", "items": {
                "type": "object",
                "required": ["town"],
                "properties": {
                    "town": { "type": "string", "description": "as on the map" },
                    "nights": { "type": "integer", "default": 1 },
                },
            } },
            "by": { "type": "string", "enum": ["train", "bus"], "default": "train" },
            "budget": { "type": "object", "properties": { "euros": { "type": "number", "description": "at most" } } },
        },
    });
    let description = ToolDescription {
        name: "plan_trip".into(),
        parameters,
        ..ToolDescription::default()
    };
    let tool = Tool::from_description(description, |_, _| async { ToolResult::default() });
    let spec = tool.spec(Language::EN);
    let told = " Plan a trip. stops[].town: as on the map. Optional: stops[].nights (1 by default), \
                by (train|bus, train by default), budget ({}), budget.euros (at most)";
    let render = |protocol| tool_rendering::render_tool(&spec, protocol, Language::EN);
    let xml = "<plan_trip stops='[{\"town\": \"…\"}]'/>";
    assert_eq!(render(OutputProtocol::Xml), format!("{xml}{told}"));
    let json = "plan_trip {\"stops\": [{\"town\": \"…\"}]}";
    assert_eq!(render(OutputProtocol::Json), format!("{json}{told}"));
}

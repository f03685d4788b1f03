//! The JSON Schema of an answer fits what is read, and fits nothing else.

use jsonschema::Validator;
use kith_core::call::{ToolCall, ToolSpec};
use kith_core::policy::OutputProtocol::Json;
use kith_core::protocol::{AnswerShape, build_answer_schema, build_shaped_answer_schema};
use serde_json::{Map, Value, json};

use crate::protocol::check::{read_in, tools};
use crate::protocol::outputs::{Output, outputs};

fn without_free_objects() -> Vec<ToolSpec> {
    let mut tools = tools().to_vec();
    tools
        .iter_mut()
        .for_each(|tool| tool.schema.params.retain(|param| param.name != "style"));
    tools
}

/// The answer as a model writes it that is kept to the schema: every parameter there, null where it is not used.
fn document(output: &Output, tools: &[ToolSpec]) -> Value {
    let actions = output.calls.iter().map(|(name, params)| {
        let tool = tools
            .iter()
            .find(|tool| tool.name == *name)
            .expect("a tool of the tests");
        let given = |key: &str| {
            params
                .iter()
                .find(|(other, _)| *other == key)
                .map(|(_, text)| json!(text))
        };
        let given: Map<_, _> = tool
            .schema
            .params
            .iter()
            .map(|param| (param.name.clone(), given(&param.name).unwrap_or_default()))
            .collect();
        let typed = tool
            .schema
            .check(&given)
            .expect("the answers fit their tools");
        let all = tool
            .schema
            .params
            .iter()
            .map(|param| (param.name.clone(), typed.get(&param.name).cloned()));
        let params: Map<_, _> = all
            .map(|(key, value)| (key, value.unwrap_or_default()))
            .collect();
        json!({"name": name, "params": params})
    });
    json!({"thoughts": output.thoughts, "actions": actions.collect::<Vec<_>>()})
}

#[test]
fn what_fits_the_schema_is_read_without_a_repair() {
    let tools = without_free_objects();
    let schema = build_answer_schema(&tools);
    assert!(schema.strict);
    let validator = Validator::new(&schema.schema).expect("a schema");
    for output in outputs() {
        let document = document(&output, &tools);
        assert!(validator.is_valid(&document), "{document}");
        let (calls, answer) = read_in(Json, document.to_string().as_bytes(), 5);
        assert_eq!(answer.repairs, []);
        let checked = |call: &ToolCall| {
            let tool = tools
                .iter()
                .find(|tool| tool.name == call.name)
                .expect("known");
            json!([call.name, tool.schema.check(&call.params).expect("fits")])
        };
        let given = |(name, params): &(&str, Vec<(&str, &str)>)| {
            let params = params
                .iter()
                .map(|(key, text)| ((*key).to_owned(), json!(text)))
                .collect();
            checked(&ToolCall {
                name: (*name).to_owned(),
                params,
            })
        };
        let meant: Vec<Value> = output.calls.iter().map(given).collect();
        assert_eq!(calls.iter().map(checked).collect::<Vec<_>>(), meant);
    }
}

#[test]
fn what_is_no_answer_does_not_fit() {
    let validator =
        Validator::new(&build_answer_schema(&without_free_objects()).schema).expect("a schema");
    for document in [
        json!({"actions": []}),
        json!({"thoughts": "", "actions": [{"name": "hug", "params": {}}]}),
        json!({"thoughts": "", "actions": [{"name": "send_message", "params": {"text": 1, "reply_to": null}}]}),
        json!({"thoughts": "", "actions": [{"name": "send_message", "params": {"text": "hi"}}]}),
        json!({"thoughts": "", "actions": [], "more": 1}),
    ] {
        assert!(!validator.is_valid(&document), "{document}");
    }
}

#[test]
fn an_object_of_any_form_keeps_a_schema_out_of_strict_modes_and_no_tools_allow_no_action() {
    assert!(!build_answer_schema(&tools()).strict);
    let validator = Validator::new(&build_answer_schema(&[]).schema).expect("a schema");
    assert!(validator.is_valid(&json!({"thoughts": "", "actions": []})));
}

#[test]
fn an_answer_somebody_waits_for_has_an_action_and_names_lines_that_are_there() {
    let tools = without_free_objects();
    let shape = AnswerShape {
        owes: true,
        lines: vec![11, 12],
    };
    let schema = build_shaped_answer_schema(&tools, &shape);
    let fits = |schema: &Value, document: Value| {
        Validator::new(schema)
            .expect("a schema")
            .is_valid(&document)
    };
    let message = |thoughts: Value, reply_to: Value| {
        let params = json!({"text": "hi", "reply_to": reply_to});
        json!({"thoughts": thoughts, "actions": [{"name": "send_message", "params": params}]})
    };
    let empty = json!({"thoughts": null, "actions": []});
    assert!(!fits(&schema.schema, empty.clone()));
    assert!(
        fits(&build_answer_schema(&tools).schema, empty.clone()),
        "where nobody waits it may do nothing"
    );
    assert!(fits(&schema.schema, message(Value::Null, json!(12))));
    assert!(fits(&schema.schema, message(json!("short"), Value::Null)));
    assert!(
        !fits(&schema.schema, message(Value::Null, json!(13))),
        "there is no line 13"
    );
    assert!(!fits(
        &schema.schema,
        message(json!("long ".repeat(100)), json!(12))
    ));
    let react = |to: Value| json!({"thoughts": null, "actions": [{"name": "react", "params": {"to": to, "emoji": "👍"}}]});
    assert!(fits(&schema.schema, react(json!(11))) && !fits(&schema.schema, react(json!(9))));
    assert!(
        fits(&schema.steady, empty)
            && fits(
                &schema.steady,
                message(json!("long ".repeat(100)), json!(13))
            )
    );
    let other = build_shaped_answer_schema(
        &tools,
        &AnswerShape {
            owes: false,
            lines: vec![7],
        },
    );
    assert_eq!(
        schema.steady, other.steady,
        "providers compile every schema they have not seen"
    );
}

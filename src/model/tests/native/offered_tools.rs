//! How each provider is handed the tools.

use kith_core::call::ToolKind;
use kith_core::schema::{Param, ParamType, Schema};

use super::*;

/// A tool with a parameter of each kind that providers disagree about, and one without any.
fn two_tools() -> Vec<ToolSpec> {
    let param = |name: &str, kind: ParamType| Param {
        name: name.into(),
        kind,
        ..Param::default()
    };
    let params = vec![
        Param {
            required: true,
            description: "what to do".into(),
            ..param("what", ParamType::String)
        },
        Param {
            choices: vec![json!(1), json!(2)],
            default: Some(json!(1)),
            ..param("level", ParamType::Integer)
        },
        Param {
            choices: vec![json!("a"), json!("b")],
            ..param("way", ParamType::String)
        },
        param("tags", ParamType::Array),
        param("extra", ParamType::Object),
    ];
    let tool = |name: &str, params: Vec<Param>| ToolSpec {
        name: name.into(),
        kind: ToolKind::Tool,
        description: format!("{name} it"),
        schema: Schema { params },
        primary: None,
        ..ToolSpec::default()
    };
    vec![tool("do", params), tool("rest", Vec::new())]
}

#[tokio::test]
async fn each_provider_is_handed_the_tools_in_its_own_words() {
    let properties = json!({
        "what": {"type": "string", "description": "what to do"},
        "level": {"type": "integer", "enum": [1, 2], "default": 1},
        "way": {"type": "string", "enum": ["a", "b"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "extra": {"type": "object"},
    });
    let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let (full, empty) = (
        object(properties, json!(["what"])),
        object(json!({}), json!([])),
    );
    let function = |name: &str, parameters: &Value| {
        let function =
            json!({"name": name, "description": format!("{name} it"), "parameters": parameters});
        json!({"type": "function", "function": function})
    };
    let functions = json!([function("do", &full), function("rest", &empty)]);
    let simple = json!({
        "type": "object",
        "properties": {
            "what": {"type": "string", "description": "what to do"},
            "level": {"type": "integer"},
            "way": {"type": "string", "enum": ["a", "b"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "extra": {"type": "string"},
        },
        "required": ["what"],
    });
    for (who, wanted) in [
        (WireRole::OpenAi, functions.clone()),
        (WireRole::Ollama, functions),
        (
            WireRole::Anthropic,
            json!([
                {"name": "do", "description": "do it", "input_schema": full},
                {"name": "rest", "description": "rest it", "input_schema": empty},
            ]),
        ),
        (
            WireRole::Gemini,
            json!([{"functionDeclarations": [
                {"name": "do", "description": "do it", "parameters": simple},
                {"name": "rest", "description": "rest it"},
            ]}]),
        ),
    ] {
        let server = who.server().await;
        let model = chosen(&who.settings(&server)).await;
        for form in [
            AnswerForm::Calls(two_tools().into()),
            AnswerForm::Calls(Arc::from([])),
            AnswerForm::Text,
        ] {
            let mut events = stream(&model, ModelRequest { form, ..request() });
            while events.recv().await.is_some() {}
        }
        let chats = server.chats();
        assert_eq!(chats[0]["tools"], wanted, "{who:?}");
        assert!(
            chats[1].get("tools").is_none() && chats[2].get("tools").is_none(),
            "nothing is offered"
        );
    }
}

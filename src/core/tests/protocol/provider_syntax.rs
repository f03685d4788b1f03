//! Providers' own tool-call syntax that leaks into text, whichever protocol was asked for: what open models were
//! trained to write, seen when a server does not take it out.

use kith_core::policy::OutputProtocol::{Json, Xml};
use serde_json::{Map, Value};

use crate::protocol::corpus::{Fault, assert_recovered};
use crate::protocol::outputs::{CallParams, each};

fn value(key: &str, value: &str) -> Value {
    match key {
        "reply_to" | "to" | "options" => serde_json::from_str(value).unwrap_or(Value::Null),
        _ => value.into(),
    }
}

fn object(params: &CallParams) -> Value {
    params
        .iter()
        .map(|(key, text)| ((*key).to_owned(), value(key, text)))
        .collect::<Map<_, _>>()
        .into()
}

fn call(name: &str, key: &str, params: &CallParams) -> String {
    format!("{{\"name\": \"{name}\", \"{key}\": {}}}", object(params))
}

/// `name(key="value", …)`, as a Python call.
fn python(name: &str, params: &CallParams) -> String {
    let fields: Vec<String> = params
        .iter()
        .map(|(key, text)| format!("{key}={}", value(key, text)))
        .collect();
    format!("{name}({})", fields.join(", "))
}

const LEAKS: &[Fault] = &[
    ("hermes", |o| {
        let calls = each(o, |n, p| {
            format!("<tool_call>\n{}\n</tool_call>", call(n, "arguments", p))
        });
        Some(format!("{}\n\n{}", o.thoughts, calls.join("\n")))
    }),
    ("mistral", |o| {
        Some(format!(
            "[TOOL_CALLS] [{}]",
            each(o, |n, p| call(n, "arguments", p)).join(", ")
        ))
    }),
    ("mistral, newer", |o| {
        Some(each(o, |n, p| format!("[TOOL_CALLS]{n}[ARGS]{}", object(p))).concat())
    }),
    ("mistral, with ids", |o| {
        Some(
            each(o, |n, p| {
                format!("[TOOL_CALLS]{n}[CALL_ID]a1b2c3d4e[ARGS]{}", object(p))
            })
            .concat(),
        )
    }),
    ("llama python tag", |o| {
        Some(format!(
            "<|python_tag|>{}<|eom_id|>",
            each(o, |n, p| call(n, "parameters", p)).join("; ")
        ))
    }),
    ("llama function tags", |o| {
        Some(each(o, |n, p| format!("<function={n}>{}</function>", object(p))).join("\n"))
    }),
    ("llama pythonic", |o| {
        Some(format!("[{}]", each(o, python).join(", ")))
    }),
    ("gemma tool code", |o| {
        Some(format!("```tool_code\n{}\n```", each(o, python).join("\n")))
    }),
    ("gemini printed", |o| {
        Some(format!(
            "```tool_code\n{}\n```",
            each(o, |n, p| format!("print({})", python(n, p))).join("\n")
        ))
    }),
    ("granite", |o| {
        Some(format!(
            "<|tool_call|>[{}]",
            each(o, |n, p| call(n, "arguments", p)).join(", ")
        ))
    }),
    ("phi", |o| {
        Some(format!(
            "<|tool_call|>[{}]<|/tool_call|>",
            each(o, |n, p| call(n, "arguments", p)).join(", ")
        ))
    }),
    ("command r", |o| {
        let calls = each(o, |n, p| {
            format!("{{\"tool_name\": \"{n}\", \"parameters\": {}}}", object(p))
        });
        Some(format!("Action: ```json\n[\n{}\n]\n```", calls.join(",\n")))
    }),
    ("command a", |o| {
        let calls = each(o, |n, p| {
            format!(
                "{{\"tool_call_id\": \"0\", \"tool_name\": \"{n}\", \"parameters\": {}}}",
                object(p)
            )
        });
        Some(format!(
            "<|START_ACTION|>[\n{}\n]<|END_ACTION|>",
            calls.join(",\n")
        ))
    }),
    ("gemma 4", |o| {
        let field = |(key, text): &(&str, &str)| match value(key, text) {
            Value::String(text) => format!("{key}:<|\"|>{text}<|\"|>"),
            Value::Array(items) => {
                let items = items
                    .iter()
                    .map(|item| format!("<|\"|>{}<|\"|>", item.as_str().unwrap_or_default()));
                format!("{key}:[{}]", items.collect::<Vec<_>>().join(","))
            }
            other => format!("{key}:{other}"),
        };
        let calls = each(o, |n, p| {
            let fields: Vec<String> = p.iter().map(field).collect();
            format!("<|tool_call>call:{n}{{{}}}<tool_call|>", fields.join(","))
        });
        Some(format!(
            "<|channel>thought\n{}\n<channel|>{}<turn|>",
            o.thoughts,
            calls.concat()
        ))
    }),
    ("deepseek", |o| {
        let calls = each(o, |n, p| {
            format!(
                "<｜tool▁call▁begin｜>{n}<｜tool▁sep｜>{}<｜tool▁call▁end｜>",
                object(p)
            )
        });
        Some(format!(
            "<｜tool▁calls▁begin｜>{}<｜tool▁calls▁end｜>",
            calls.concat()
        ))
    }),
    ("deepseek markup", |o| {
        let calls = each(o, |n, p| {
            let params = p.iter().map(|(k, v)| {
                let text = v.replace('&', "&amp;").replace('<', "&lt;");
                format!(
                    "<｜DSML｜parameter name=\"{k}\" string=\"true\">{text}</｜DSML｜parameter>\n"
                )
            });
            format!(
                "<｜DSML｜invoke name=\"{n}\">\n{}</｜DSML｜invoke>",
                params.collect::<String>()
            )
        });
        Some(format!(
            "<｜DSML｜function_calls>\n{}\n</｜DSML｜function_calls>",
            calls.join("\n")
        ))
    }),
    ("kimi", |o| {
        let calls = each(o, |n, p| {
            format!(
                "<|tool_call_begin|>functions.{n}:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
                object(p)
            )
        });
        Some(format!(
            "<|tool_calls_section_begin|>{}<|tool_calls_section_end|>",
            calls.concat()
        ))
    }),
    ("harmony", |o| {
        let calls = each(o, |n, p| {
            format!(
                "<|channel|>commentary to=functions.{n} <|constrain|>json<|message|>{}<|call|>",
                object(p)
            )
        });
        Some(format!(
            "<|channel|>analysis<|message|>{}<|end|><|start|>assistant{}",
            o.thoughts,
            calls.concat()
        ))
    }),
    ("glm", |o| {
        let calls = each(o, |n, p| {
            let params = p.iter().map(|(k, v)| {
                let text = v.replace('&', "&amp;").replace('<', "&lt;");
                format!("<arg_key>{k}</arg_key>\n<arg_value>{text}</arg_value>\n")
            });
            format!("<tool_call>{n}\n{}</tool_call>", params.collect::<String>())
        });
        Some(calls.join("\n"))
    }),
    ("qwen coder", |o| {
        let calls = each(o, |n, p| {
            let params = p.iter().map(|(k, v)| {
                let text = v.replace('&', "&amp;").replace('<', "&lt;");
                format!("<parameter={k}>\n{text}\n</parameter>\n")
            });
            format!(
                "<tool_call>\n<function={n}>\n{}</function>\n</tool_call>",
                params.collect::<String>()
            )
        });
        Some(calls.join("\n"))
    }),
    ("minimax", |o| {
        let calls = each(o, |n, p| {
            let params = p.iter().map(|(k, v)| {
                let text = v.replace('&', "&amp;").replace('<', "&lt;");
                format!("<parameter name=\"{k}\">{text}</parameter>\n")
            });
            format!(
                "<invoke name=\"{n}\">\n{}</invoke>",
                params.collect::<String>()
            )
        });
        Some(format!(
            "<minimax:tool_call>\n{}\n</minimax:tool_call>",
            calls.join("\n")
        ))
    }),
    ("functionary", |o| {
        Some(each(o, |n, p| format!(">>>{n}\n{}", object(p))).join("\n"))
    }),
    ("react", |o| {
        Some(
            each(o, |n, p| {
                format!("Action: {n}\nAction Input: {}", object(p))
            })
            .join("\n"),
        )
    }),
    ("openai as text", |o| {
        let calls = each(o, |n, p| {
            let arguments = Value::from(object(p).to_string());
            format!(
                "{{\"id\": \"call_a\", \"type\": \"function\", \"function\": {{\"name\": \"{n}\", \"arguments\": {arguments}}}}}"
            )
        });
        Some(format!("{{\"tool_calls\": [{}]}}", calls.join(", ")))
    }),
    ("anthropic as text", |o| {
        let calls = each(o, |n, p| {
            format!(
                "{{\"type\": \"tool_use\", \"id\": \"toolu_1\", \"name\": \"{n}\", \"input\": {}}}",
                object(p)
            )
        });
        Some(format!("[{}]", calls.join(", ")))
    }),
    ("gemini as text", |o| {
        let calls = each(o, |n, p| {
            format!(
                "{{\"functionCall\": {{\"name\": \"{n}\", \"args\": {}}}}}",
                object(p)
            )
        });
        Some(format!("{{\"parts\": [{}]}}", calls.join(", ")))
    }),
];

#[test]
fn every_call_is_recovered_from_leaks_where_xml_was_asked_for() {
    assert_recovered(Xml, LEAKS);
}

#[test]
fn every_call_is_recovered_from_leaks_where_json_was_asked_for() {
    assert_recovered(Json, LEAKS);
}

//! What models do to JSON: each fault applied to each answer, and every call must come out as it was meant.

use kith_core::policy::OutputProtocol::Json;
use serde_json::{Map, Value};

use crate::protocol::corpus::{Fault, assert_recovered};
use crate::protocol::json_answers::{
    any, call, compact, ending, params, plain, quote, rendered, requoted, slip, xml,
};
use crate::protocol::outputs::{CallParams, each};

/// Kinds of fault, each on every answer it can be applied to.
const FAULTS: &[Fault] = &[
    ("well-formed", |o| Some(plain(o))),
    ("compact", |o| Some(compact(o))),
    ("fence", |o| Some(format!("```json\n{}\n```", plain(o)))),
    ("bare fence", |o| Some(format!("```\n{}\n```\n", plain(o)))),
    ("prose before", |o| {
        Some(format!(
            "Sure! Here's {{my}} answer [as JSON]:\n\n{}",
            plain(o)
        ))
    }),
    ("prose after", |o| {
        Some(format!("{}\n\nI hope that fits :}} 希望有用!", plain(o)))
    }),
    ("the word json before", |o| {
        Some(format!("json\n{}", plain(o)))
    }),
    ("think block with braces", |o| {
        Some(format!(
            "<think>a {{ or \"b }} maybe [</think>\n{}",
            plain(o)
        ))
    }),
    ("think block with a document", |o| {
        let draft =
            "{\"actions\": [{\"name\": \"send_message\", \"params\": {\"text\": \"draft\"}}]}";
        Some(format!("<think>I could say {draft}</think>\n{}", plain(o)))
    }),
    ("think block never begun", |o| {
        let draft =
            "{\"actions\": [{\"name\": \"send_message\", \"params\": {\"text\": \"draft\"}}]}";
        Some(format!(
            "Hm, so I could say {draft}\n</think>\n{}",
            plain(o)
        ))
    }),
    ("trailing commas", |o| {
        Some(
            rendered(o, |n, p| call(n, p).replace("}}", ",},}"))?
                .replace("\n  ],", ",\n  ],")
                .replace("false\n}", "false,\n}"),
        )
    }),
    ("commas missing at line ends", |o| {
        Some(plain(o).replace(",\n", "\n"))
    }),
    ("comma missing between calls", |o| {
        Some(plain(o).replace("}},\n", "}}\n"))
    }),
    ("commas doubled", |o| Some(plain(o).replace(",\n", ",,\n"))),
    ("semicolons", |o| Some(plain(o).replace(",\n", ";\n"))),
    ("single quotes", |o| {
        Some(requoted(o, |text| {
            format!(
                "'{}'",
                text.replace('\\', "\\\\")
                    .replace('\'', "\\'")
                    .replace('\n', "\\n")
            )
        }))
    }),
    ("apostrophes in single quotes", |o| {
        Some(requoted(o, |text| {
            format!("'{}'", text.replace('\\', "\\\\").replace('\n', "\\n"))
        }))
    }),
    ("curly quotes", |o| {
        Some(requoted(o, |text| {
            format!(
                "“{}”",
                text.replace('\\', "\\\\")
                    .replace('"', "\\\"")
                    .replace('\n', "\\n")
            )
        }))
    }),
    ("backticks", |o| {
        let fits = !any(o, |text| text.contains('`'));
        fits.then(|| {
            requoted(o, |text| {
                format!("`{}`", text.replace('\\', "\\\\").replace('\n', "\\n"))
            })
        })
    }),
    ("full-width punctuation", |o| {
        let call = |n: &str, p: &CallParams| {
            let fields: Vec<String> = p
                .iter()
                .map(|(k, v)| format!("{}：{}", quote(k), quote(v)))
                .collect();
            format!(
                "｛\"name\"：{}，\"params\"：｛{}｝｝",
                quote(n),
                fields.join("，")
            )
        };
        Some(format!(
            "｛\"thoughts\"：{}，\"actions\"：［{}］｝",
            quote(o.thoughts),
            each(o, call).join("，")
        ))
    }),
    ("bare keys", |o| {
        rendered(o, |n, p| {
            let fields: Vec<String> = p
                .iter()
                .map(|(key, value)| format!("{key}: {}", quote(value)))
                .collect();
            format!("{{name: {}, params: {{{}}}}}", quote(n), fields.join(", "))
        })
        .map(|text| {
            text.replace("\"thoughts\"", "thoughts")
                .replace("\"actions\"", "actions")
        })
    }),
    ("Python literals", |o| {
        Some(
            plain(o)
                .replace("false", "False")
                .replace("\"actions\"", "\"x\": None, \"y\": True,\n \"actions\""),
        )
    }),
    ("line comments", |o| {
        Some(plain(o).replace(",\n", ", // that's it, \"done\"\n"))
    }),
    ("block comments", |o| {
        Some(
            plain(o)
                .replace(",\n", ", /* that's } it */\n")
                .replace("{\n", "{ /* \" */\n"),
        )
    }),
    ("hash comments", |o| {
        Some(plain(o).replace(",\n", ", # that's it\n"))
    }),
    ("raw line breaks", |o| {
        (!any(o, |text| text.contains('\\'))).then(|| plain(o).replace("\\n", "\n"))
    }),
    ("unescaped quotes", |o| Some(plain(o).replace("\\\"", "\""))),
    ("backslash before apostrophes", |o| {
        Some(plain(o).replace('\'', "\\'"))
    }),
    ("unicode escapes", |o| {
        let escape = |c: char| {
            let mut units = [0; 2];
            c.encode_utf16(&mut units)
                .iter()
                .map(|unit| format!("\\u{unit:04x}"))
                .collect::<String>()
        };
        Some(
            plain(o)
                .chars()
                .map(|c| {
                    if c.is_ascii() {
                        c.to_string()
                    } else {
                        escape(c)
                    }
                })
                .collect(),
        )
    }),
    ("last brace missing", |o| ending(o, "}", "")),
    ("last two brackets missing", |o| ending(o, "]}", "")),
    ("last three brackets missing", |o| ending(o, "}]}", "")),
    ("a brace too many", |o| ending(o, "}", "}}\n")),
    ("a bracket too many", |o| ending(o, "]}", "]]}")),
    ("call's brace missing", |o| {
        Some(compact(o).replace("}},{", "},{").replace("}}]", "}]"))
    }),
    ("call's last two braces missing", |o| {
        Some(compact(o).replace("}}]}", "]}"))
    }),
    ("brace instead of a bracket", |o| ending(o, "]}", "}}")),
    ("encoded twice", |o| Some(quote(&compact(o)))),
    ("encoded twice, over lines", |o| Some(quote(&plain(o)))),
    ("params encoded twice", |o| {
        rendered(o, |n, p| {
            format!(
                "{{\"name\": {}, \"params\": {}}}",
                quote(n),
                quote(&params(p))
            )
        })
    }),
    ("actions encoded twice", |o| {
        Some(format!(
            "{{\"thoughts\": {}, \"actions\": {}}}",
            quote(o.thoughts),
            quote(&format!("[{}]", each(o, call).join(",")))
        ))
    }),
    ("function and arguments", |o| {
        rendered(o, |n, p| {
            format!(
                "{{\"function\": {}, \"arguments\": {}}}",
                quote(n),
                params(p)
            )
        })
    }),
    ("params beside the name", |o| {
        rendered(o, |n, p| {
            format!(
                "{{\"name\": {}, {}",
                quote(n),
                params(p).trim_start_matches('{')
            )
        })
    }),
    ("keyed by the tool", |o| {
        rendered(o, |n, p| format!("{{{}: {}}}", quote(n), params(p)))
    }),
    ("a bare list", |o| {
        Some(format!("[{}]", each(o, call).join(", ")))
    }),
    ("a document for each call", |o| {
        Some(each(o, call).join("\n"))
    }),
    ("one action as an object", |o| match o.calls.as_slice() {
        [(name, params)] => Some(format!(
            "{{\"thoughts\": \"\", \"actions\": {}}}",
            call(name, params)
        )),
        _ => None,
    }),
    ("the provider's shape", |o| {
        let calls = each(o, |n, p| {
            let function = format!(
                "{{\"name\": {}, \"arguments\": {}}}",
                quote(n),
                quote(&params(p))
            );
            format!("{{\"id\": \"call_1\", \"type\": \"function\", \"function\": {function}}}")
        });
        Some(format!(
            "{{\"content\": null, \"tool_calls\": [{}]}}",
            calls.join(", ")
        ))
    }),
    ("XML instead", |o| Some(xml(o))),
    ("XML in a string", |o| {
        Some(format!("{{\"response\": {}}}", quote(&xml(o))))
    }),
    ("XML as actions", |o| {
        Some(format!(
            "{{\"thoughts\": \"\", \"actions\": {}}}",
            quote(&xml(o))
        ))
    }),
    ("inside a turn", |o| {
        Some(format!("<turn>\n{}\n</turn>", plain(o)))
    }),
    ("inside an unknown element", |o| {
        Some(format!("<json>\n{}\n</json>", plain(o)))
    }),
    ("tool_call tags", |o| {
        Some(
            each(o, |n, p| {
                format!("<tool_call>\n{}\n</tool_call>", call(n, p))
            })
            .join("\n"),
        )
    }),
    ("tool calls token", |o| {
        Some(format!("[TOOL_CALLS] [{}]", each(o, call).join(", ")))
    }),
    ("tool call token with pipes", |o| {
        Some(format!(
            "<|tool_call|>[{}]<|/tool_call|>",
            each(o, call).join(", ")
        ))
    }),
    ("functions called", |o| {
        Some(each(o, |n, p| format!("functions.{n}({})", params(p))).join("\n"))
    }),
    ("channels", |o| {
        let calls = each(o, |n, p| {
            format!(
                "<|start|>assistant<|channel|>commentary to=functions.{n} <|constrain|>json<|message|>{}<|call|>",
                params(p)
            )
        });
        Some(calls.concat())
    }),
    ("tool call begin tokens", |o| {
        let calls = each(o, |n, p| {
            format!(
                "<｜tool▁call▁begin｜>function<｜tool▁sep｜>{n}\n```json\n{}\n```<｜tool▁call▁end｜>",
                params(p)
            )
        });
        Some(format!(
            "<｜tool▁calls▁begin｜>{}<｜tool▁calls▁end｜>",
            calls.join("\n")
        ))
    }),
    ("upper case names", |o| {
        rendered(o, |n, p| call(&n.to_uppercase(), p))
    }),
    ("names without separators", |o| {
        rendered(o, |n, p| call(&n.replace('_', ""), p))
    }),
    ("names with a prefix", |o| {
        rendered(o, |n, p| call(&format!("functions.{n}"), p))
    }),
    ("keys in another case", |o| {
        Some(
            plain(o)
                .replace("\"thoughts\"", "\"Thoughts\"")
                .replace("\"actions\"", "\"Actions\"")
                .replace("\"params\"", "\"Params\""),
        )
    }),
    ("wrapped", |o| {
        Some(format!("{{\"response\": {}}}", plain(o)))
    }),
    ("braces doubled around", |o| {
        Some(format!("{{{}}}", plain(o)))
    }),
    ("triple quotes", |o| {
        let fits = !any(o, |text| text.contains('"') || text.contains('\\'));
        fits.then(|| {
            rendered(o, |n, p| {
                format!(
                    "{{\"name\": \"{n}\", \"params\": {}}}",
                    params(p)
                        .replace(": \"", ": \"\"\"")
                        .replace("\",", "\"\"\",")
                        .replace("\"}", "\"\"\"}")
                )
            })
        })?
    }),
    ("byte order mark", |o| Some(format!("\u{feff}{}", plain(o)))),
    ("prose between", |o| {
        Some(each(o, call).join("\n\nand then I'd add:\n"))
    }),
    ("a fence for each call", |o| {
        Some(each(o, |n, p| format!("```json\n{}\n```", call(n, p))).join("\n\n"))
    }),
    ("several roots", |o| {
        (o.calls.len() > 1).then(|| {
            each(o, |n, p| {
                format!("{{\"thoughts\": \"\", \"actions\": [{}]}}", call(n, p))
            })
            .join("\n")
        })
    }),
    ("numbers and lists as text", |o| {
        rendered(o, |n, p| {
            let fields: Vec<String> = p
                .iter()
                .map(|(key, value)| format!("{}: {}", quote(key), quote(value)))
                .collect();
            format!(
                "{{\"name\": {}, \"params\": {{{}}}}}",
                quote(n),
                fields.join(", ")
            )
        })
    }),
    ("misspelt names", |o| rendered(o, |n, p| call(&slip(n), p))),
    ("parameters in camel case", |o| {
        rendered(o, |n, p| call(n, p).replace("reply_to", "replyTo"))
    }),
    ("quotes of keys missing at one end", |o| {
        Some(plain(o).replace("\"name\":", "name\":"))
    }),
    ("colons missing", |o| {
        Some(plain(o).replace("\"name\": ", "\"name\" "))
    }),
    ("equals signs", |o| {
        Some(plain(o).replace("\"name\": ", "\"name\" = "))
    }),
    ("ellipsis behind the calls", |o| {
        Some(plain(o).replace("\n  ],", ",\n    ...\n  ],"))
    }),
    ("tabs and carriage returns", |o| {
        Some(plain(o).replace('\n', "\r\n").replace("  ", "\t"))
    }),
    ("thoughts as an object", |o| {
        let thoughts = format!(
            "{{\"observe\": {}, \"plan\": \"go }} on\"}}",
            quote(o.thoughts)
        );
        Some(plain(o).replacen(&quote(o.thoughts), &thoughts, 1))
    }),
    ("thoughts behind the calls", |o| {
        Some(format!(
            "{{\"actions\": [{}], \"thoughts\": {}}}",
            each(o, call).join(", "),
            quote(o.thoughts)
        ))
    }),
    ("assigned to a variable", |o| {
        Some(format!("const answer = {};", plain(o)))
    }),
    ("end token", |o| Some(format!("{}<|im_end|>", plain(o)))),
];

#[test]
fn every_call_is_recovered_from_every_fault_of_json() {
    assert_recovered(Json, FAULTS);
}

#[test]
fn a_parameter_object_keeps_its_types() {
    let fields: Map<String, Value> =
        serde_json::from_str(r#"{"a": 1, "b": [true, null], "c": {"d": 1.5}}"#).expect("valid");
    let input = format!(
        "{{\"actions\": [{{\"name\": \"odd\", \"params\": {}}}]}}",
        Value::Object(fields.clone())
    );
    crate::protocol::check::check(Json, &input, serde_json::json!([["odd", fields]]));
}

/// `cargo test --test core_tests corpus_as_lines -- --ignored --nocapture`: what `scripts/compare-json` reads.
#[test]
#[ignore = "prints the corpus for other programs to read"]
fn the_corpus_as_lines() {
    crate::protocol::corpus::print(FAULTS);
}

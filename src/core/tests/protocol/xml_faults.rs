//! What models do to XML: each fault applied to each answer, and every call must come out as it was meant.

use kith_core::policy::OutputProtocol::Xml;

use crate::protocol::corpus::{Fault, assert_recovered};
use crate::protocol::outputs::each;
use crate::protocol::xml_answers::{
    all_attributes, any, attribute, camel, children, element, end_tag, escape, json, json_params,
    plain, quoted, rendered, slip, turn,
};

/// Kinds of fault, each on every answer it can be applied to.
const FAULTS: &[Fault] = &[
    ("well-formed", |o| Some(plain(o))),
    ("fence", |o| Some(format!("```xml\n{}\n```", plain(o)))),
    ("bare fence", |o| Some(format!("```\n{}\n```\n", plain(o)))),
    ("prose before", |o| {
        Some(format!("Sure! Here is what I would do:\n\n{}", plain(o)))
    }),
    ("prose after", |o| {
        Some(format!("{}\n\nI hope that fits. 希望有用!", plain(o)))
    }),
    ("prose between", |o| {
        rendered(o, |n, p| {
            format!("and now this:\n{}\nthen", element(n, p, escape))
        })
    }),
    ("think block with a call", |o| {
        Some(format!(
            "<think>maybe <send_message>no!</send_message> or {{\"actions\": [}}?</think>\n{}",
            plain(o)
        ))
    }),
    ("think block with a turn", |o| {
        Some(format!(
            "<think>\n<turn><send_message>draft</send_message></turn>\n</think>\n\n{}",
            plain(o)
        ))
    }),
    ("think block with a think block", |o| {
        Some(format!(
            "<think>\n<think>\na {{</think>\n<react to=\"1\" emoji=\"x\"/>\n</think>{}",
            plain(o)
        ))
    }),
    ("reasoning before a fence", |o| {
        Some(format!(
            "<reasoning>hm {{</reasoning>```xml\n{}\n```",
            plain(o)
        ))
    }),
    ("think block never begun", |o| {
        Some(format!(
            "Okay, so <send_message>x</send_message> hm.\n</think>\n{}",
            plain(o)
        ))
    }),
    ("think block never ended", |o| {
        Some(format!(
            "<think>\nlet me see, they are tired\n\n{}",
            plain(o)
        ))
    }),
    ("thoughts with a call", |o| {
        Some(plain(o).replace(
            "</thoughts>",
            " so <send_message>x</send_message> then?</thoughts>",
        ))
    }),
    ("thoughts never ended", |o| {
        Some(plain(o).replace("</thoughts>", ""))
    }),
    ("thoughts ended wrongly", |o| {
        Some(plain(o).replace("</thoughts>", "</thought>"))
    }),
    ("first end tag missing", |o| {
        end_tag(o, 0, |_| String::new())
    }),
    ("last end tag missing", |o| {
        end_tag(o, o.calls.len() - 1, |_| String::new())
    }),
    ("misspelt end tag", |o| {
        end_tag(o, 0, |name| format!("</{}>", name.replacen('e', "", 1)))
    }),
    ("half an end tag's name", |o| {
        end_tag(o, 0, |name| {
            format!("</{}>", name.rsplit('_').next().unwrap_or(name))
        })
    }),
    ("end tag of another tool", |o| {
        end_tag(o, 0, |name| {
            format!(
                "</{}>",
                if name == "react" {
                    "send_message"
                } else {
                    "react"
                }
            )
        })
    }),
    ("empty end tag", |o| end_tag(o, 0, |_| "</>".to_owned())),
    ("end tag without bracket", |o| {
        end_tag(o, 0, |name| format!("</{name}"))
    }),
    ("end tag without slash", |o| {
        end_tag(o, 0, |name| format!("<{name}>"))
    }),
    ("blanks in tags", |o| {
        Some(plain(o).replace("</s", "</ s").replace(">\n", " >\n"))
    }),
    ("no end of the turn", |o| {
        Some(plain(o).replace("</turn>", ""))
    }),
    ("misspelt end of the turn", |o| {
        Some(plain(o).replace("</turn>", "</trun>"))
    }),
    ("no turn", |o| {
        Some(plain(o).replace("<turn>", "").replace("</turn>", ""))
    }),
    ("only calls", |o| {
        Some(each(o, |n, p| element(n, p, escape)).join("\n"))
    }),
    ("a turn for each call", |o| {
        (o.calls.len() > 1)
            .then(|| each(o, |n, p| format!("<turn>{}</turn>", element(n, p, escape))).join("\n"))
    }),
    ("attributes only", |o| {
        quoted(o, |v| format!("\"{}\"", attribute(v)))
    }),
    ("single quotes in attributes", |o| {
        quoted(o, |v| format!("'{}'", attribute(v).replace('\'', "&apos;")))
    }),
    ("apostrophes in single quotes", |o| {
        any(o, |text| text.contains('\'')).then(|| quoted(o, |v| format!("'{}'", escape(v))))?
    }),
    ("curly quotes", |o| {
        quoted(o, |v| format!("“{}”", attribute(v)))
    }),
    ("full-width quotes", |o| {
        quoted(o, |v| format!("＂{}＂", attribute(v)))
    }),
    ("unescaped quotes in attributes", |o| {
        any(o, |text| text.contains('"')).then(|| quoted(o, |v| format!("\"{}\"", escape(v))))?
    }),
    ("bare signs in attributes", |o| {
        any(o, |text| text.contains(['&', '<']))
            .then(|| quoted(o, |v| format!("\"{}\"", v.replace('"', "&quot;"))))?
    }),
    ("no quotes", |o| {
        quoted(o, |v| match v.chars().all(char::is_alphanumeric) {
            true => v.to_owned(),
            false => format!("\"{}\"", attribute(v)),
        })
    }),
    ("closing quote missing", |o| {
        o.calls
            .iter()
            .any(|(name, _)| *name == "react")
            .then(|| all_attributes(o).replace("\" emoji=", " emoji="))
    }),
    ("last closing quote missing", |o| {
        rendered(o, |n, p| match n {
            "react" => format!("<react emoji=\"{}\" to=\"{}/>", p[1].1, p[0].1),
            _ => element(n, p, escape),
        })
    }),
    ("no blank between attributes", |o| {
        Some(
            all_attributes(o)
                .replace("\" reply_to", "\"reply_to")
                .replace("\" emoji", "\"emoji"),
        )
    }),
    ("bare signs", |o| {
        any(o, |text| text.contains(['&', '<']))
            .then(|| rendered(o, |n, p| element(n, p, str::to_owned)))?
    }),
    ("bare signs in children", |o| {
        rendered(o, |n, p| {
            let inner: String = p
                .iter()
                .map(|(key, value)| format!("<{key}>{value}</{key}>"))
                .collect();
            format!("<{n}>{inner}</{n}>")
        })
    }),
    ("entities for everything", |o| {
        rendered(o, |n, p| {
            element(n, p, |v| {
                attribute(v).replace('\'', "&#39;").replace('❤', "&#x2764;")
            })
        })
    }),
    ("cdata", |o| {
        rendered(o, |n, p| element(n, p, |v| format!("<![CDATA[{v}]]>")))
    }),
    ("cdata that never ends", |o| {
        rendered(o, |n, p| element(n, p, |v| format!("<![CDATA[{v}")))
    }),
    ("full-width brackets", |o| {
        Some(plain(o).replace('<', "＜").replace('>', "＞"))
    }),
    ("children", |o| rendered(o, children)),
    ("params element", |o| {
        rendered(o, |n, p| {
            let inner = children(n, p);
            let inner = inner
                .trim_start_matches(&format!("<{n}>"))
                .trim_end_matches(&format!("</{n}>"));
            format!("<{n}>\n<params>{inner}</params>\n</{n}>")
        })
    }),
    ("first parameter's end tag missing", |o| {
        rendered(o, |n, p| {
            children(n, p).replacen(&format!("</{}>", p[0].0), "", 1)
        })
    }),
    ("misspelt end tag of a parameter", |o| {
        rendered(o, |n, p| {
            let first = p[0].0;
            children(n, p).replacen(
                &format!("</{first}>"),
                &format!("</{}>", first.replacen('e', "", 1)),
                1,
            )
        })
    }),
    ("crossed parameters", |o| {
        rendered(o, |n, p| match p {
            [(a, v), (b, w)] => format!(
                "<{n}><{a}>{}</{b}><{b}>{}</{a}></{n}>",
                escape(v),
                escape(w)
            ),
            _ => children(n, p),
        })
    }),
    ("upper case", |o| {
        rendered(o, |n, p| {
            element(n, p, escape).replace(n, &n.to_uppercase())
        })
    }),
    ("camel case", |o| {
        rendered(o, |n, p| {
            element(n, p, escape)
                .replace(n, &camel(n))
                .replace("reply_to", "replyTo")
        })
    }),
    ("hyphens", |o| {
        rendered(o, |n, p| {
            element(n, p, escape).replace(n, &n.replace('_', "-"))
        })
    }),
    ("misspelt names", |o| {
        rendered(o, |n, p| element(n, p, escape).replace(n, &slip(n)))
    }),
    ("name with a prefix", |o| {
        rendered(o, |n, p| {
            element(n, p, escape).replace(n, &format!("functions.{n}"))
        })
    }),
    ("action with a name", |o| {
        rendered(o, |n, p| {
            element(n, p, escape)
                .replacen(&format!("<{n}"), &format!("<action name=\"{n}\""), 1)
                .replace(&format!("</{n}>"), "</action>")
        })
    }),
    ("action with name and params", |o| {
        rendered(o, |n, p| {
            let params: String = p
                .iter()
                .map(|(key, value)| format!("<{key}>{}</{key}>", escape(value)))
                .collect();
            format!("<action><name>{n}</name><params>{params}</params></action>")
        })
    }),
    ("invoke with parameters", |o| {
        let calls = each(o, |n, p| {
            let inner: String = p
                .iter()
                .map(|(k, v)| format!("<parameter name=\"{k}\">{}</parameter>\n", escape(v)))
                .collect();
            format!("<invoke name=\"{n}\">\n{inner}</invoke>")
        });
        Some(format!(
            "<function_calls>\n{}\n</function_calls>",
            calls.join("\n")
        ))
    }),
    ("function= with parameter=", |o| {
        let calls = each(o, |n, p| {
            let inner: String = p
                .iter()
                .map(|(k, v)| format!("<parameter={k}>\n{}\n</parameter>\n", escape(v)))
                .collect();
            format!("<tool_call>\n<function={n}>\n{inner}</function>\n</tool_call>")
        });
        Some(calls.join("\n"))
    }),
    ("tool_call with JSON", |o| {
        let calls = each(o, |n, p| {
            format!(
                "<tool_call>\n{{\"name\": \"{n}\", \"arguments\": {}}}\n</tool_call>",
                json_params(p)
            )
        });
        Some(format!("{}\n", calls.join("\n")))
    }),
    ("actions element", |o| {
        let calls = each(o, |n, p| element(n, p, escape));
        Some(format!(
            "<turn><thoughts>{}</thoughts>\n<actions>{}</actions></turn>",
            escape(o.thoughts),
            calls.join("")
        ))
    }),
    ("response around the turn", |o| {
        Some(format!("<response>\n{}\n</response>", plain(o)))
    }),
    ("JSON in the elements", |o| {
        rendered(o, |n, p| format!("<{n}>{}</{n}>", json_params(p)))
    }),
    ("JSON in the turn", |o| {
        Some(format!("<turn>\n{}\n</turn>", json(o)))
    }),
    ("JSON instead", |o| Some(json(o))),
    ("comments between calls", |o| {
        rendered(o, |n, p| {
            format!(
                "<!-- <react to=\"1\" emoji=\"x\"/> -->{}",
                element(n, p, escape)
            )
        })
    }),
    ("declaration", |o| {
        Some(format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE turn>\n{}",
            plain(o)
        ))
    }),
    ("special tokens", |o| {
        Some(format!("<|im_start|>assistant\n{}<|im_end|>", plain(o)))
    }),
    ("list", |o| {
        rendered(o, |n, p| format!("- {}", element(n, p, escape)))
    }),
    ("all on one line", |o| {
        Some(plain(o).replace("\n  <", "<").replace("\n</turn", "</turn"))
    }),
    ("carriage returns and a byte order mark", |o| {
        Some(format!("\u{feff}{}", plain(o).replace(">\n", ">\r\n")))
    }),
    ("everything escaped", |o| Some(escape(&plain(o)))),
    ("thoughts inside a call", |o| {
        let (name, params) = o.calls.first()?;
        let first = children(name, params).replacen('>', "><think>hm, <b>no</b></think>", 1);
        let mut calls = each(o, children);
        calls[0] = first;
        Some(turn(o, &calls))
    }),
    ("slash missing in empty elements", |o| {
        Some(all_attributes(o).replace("/>", ">"))
    }),
];

#[test]
fn every_call_is_recovered_from_every_fault_of_xml() {
    assert_recovered(Xml, FAULTS);
}

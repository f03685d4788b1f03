//! What could not be read of an answer, in the language of the prompt: the reader knows one language only.

use crate::context::fill_pattern;
use crate::persona::Language;

/// The sentences of the reader, and the same in Chinese. `{}` is the name of a tool.
const PROBLEMS: &[(&str, &str)] = &[
    (
        "there is no \"{}\" here, so it was not done",
        "这里没有“{}”，没有执行",
    ),
    (
        "the answer broke off inside an action, which was not done",
        "回答在一个动作里断了，没有执行",
    ),
    (
        "the answer broke off inside the arguments of {}, which was not done",
        "回答在 {} 的参数里断了，没有执行",
    ),
    (
        "the answer broke off inside <{}>, which was not done",
        "回答在 <{}> 里断了，没有执行",
    ),
    (
        "the arguments of {} are no JSON object, so it was not done",
        "{} 的参数不是 JSON 对象，没有执行",
    ),
    (
        "a tool call without a name was not done",
        "没有名字的工具调用没有执行",
    ),
    (
        "<{}> names no tool, so it was not done",
        "<{}> 没有写明工具，没有执行",
    ),
    (
        "an action without a \"name\" and \"params\" was not done",
        "没有 \"name\" 和 \"params\" 的动作没有执行",
    ),
    (
        "more than one list of actions was written; only the first was done",
        "写了不止一份动作列表，只执行了第一份",
    ),
    (
        "it could not be read as the JSON object that was asked for",
        "没能当作所要的 JSON 对象读懂",
    ),
    (
        "a tool call written as text is not done; call the tool itself",
        "写成文字的工具调用不会执行；请直接调用工具",
    ),
    (
        "it could not be read as one <turn> with its elements",
        "没能当作一个 <turn> 和其中的元素读懂",
    ),
];

/// A sentence of the reader in a language; as it is where there is no other.
pub(super) fn translate_problem(language: Language, sentence: &str) -> String {
    let chinese = || {
        PROBLEMS.iter().find_map(|(english, chinese)| {
            let (before, behind) = english.split_once("{}").unwrap_or((english, ""));
            let name = sentence.strip_prefix(before)?.strip_suffix(behind)?;
            (english.contains("{}") || name.is_empty()).then(|| fill_pattern(chinese, &[name]))
        })
    };
    language
        .pick(None, chinese())
        .unwrap_or_else(|| sentence.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::call::{ToolKind, ToolSpec};
    use crate::policy::OutputProtocol;
    use crate::protocol::AnswerParser;
    use crate::schema::{Param, Schema};

    fn send_message() -> ToolSpec {
        let text = Param {
            name: "text".into(),
            required: true,
            ..Param::default()
        };
        let (name, schema) = ("send_message".into(), Schema { params: vec![text] });
        ToolSpec {
            name,
            kind: ToolKind::Visible,
            schema,
            primary: Some("text".into()),
            ..ToolSpec::default()
        }
    }

    #[test]
    fn what_the_reader_says_is_known_in_chinese() {
        let answers = [
            "<turn><send_message>hi ther",
            "<tool_call>{\"name\": </tool_call",
            "{\"actions\": [{\"params\": {}}]}",
            "<turn><send_message>hi</send_message><order_pizza/></turn>",
        ];
        let mut seen = 0;
        for (protocol, answer) in [
            OutputProtocol::Xml,
            OutputProtocol::Json,
            OutputProtocol::Native,
        ]
        .into_iter()
        .flat_map(|protocol| answers.map(|answer| (protocol, answer)))
        {
            let mut parser = AnswerParser::new(protocol, Arc::from([send_message()]));
            parser.feed(answer.as_bytes());
            parser.mark_cut();
            for problem in parser.finish().1.problems {
                seen += 1;
                assert_ne!(
                    translate_problem(Language::ZH, &problem),
                    problem,
                    "{answer}"
                );
                assert_eq!(translate_problem(Language::EN, &problem), problem);
            }
        }
        assert!(seen >= 4, "the answers have faults");
    }
}

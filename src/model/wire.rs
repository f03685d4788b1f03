//! Which wire protocol asks with which body, and reads which lines. A new provider is a new variant of [`WireProtocol`] and
//! a file beside `openai.rs`.

use serde_json::{Map, Value};

use super::answer_form;
use super::answer_piece::AnswerPiece;
use super::endpoint::ModelEndpoint;
use super::fault::BrokenAnswer;
use super::request::{AnswerForm, ModelRequest};
use super::request_body::WireProtocol;
use super::settings::ModelSettings;
use super::sse::{BodyFormat, LineStream};
use super::surrogates::SurrogateJoiner;
use super::{anthropic, gemini, ollama, openai};

impl WireProtocol {
    pub fn path(self, model: &str) -> String {
        match self {
            Self::OpenAi => "/chat/completions".to_owned(),
            Self::Anthropic => "/messages".to_owned(),
            Self::Gemini => gemini::path(model),
            Self::Ollama { .. } => "/api/chat".to_owned(),
        }
    }

    /// The body of a question whose answer is to come back in `form`, `extra_body` merged in.
    pub fn body(
        self,
        endpoint: &ModelEndpoint,
        settings: &ModelSettings,
        request: &ModelRequest,
        form: &AnswerForm,
    ) -> Value {
        let longest = request.max_tokens.map_or(settings.max_tokens, |tokens| {
            tokens.min(settings.max_tokens)
        });
        let mut body = match self {
            Self::OpenAi => openai::body(endpoint, settings, request, longest),
            Self::Anthropic => anthropic::body(endpoint, settings, request, longest),
            Self::Gemini => gemini::body(settings, request, longest),
            Self::Ollama { num_ctx } => ollama::body(endpoint, settings, request, longest, num_ctx),
        };
        answer_form::apply_answer_form(&mut body, self, form, endpoint.is_local);
        merge_patch(&mut body, &settings.extra_body);
        body
    }

    pub fn build_decoder(self) -> LineDecoder {
        let reader = match self {
            Self::OpenAi => LineReader::OpenAi(LineStream::default()),
            Self::Anthropic => {
                LineReader::Anthropic(LineStream::default(), anthropic::AnthropicUsage::default())
            }
            Self::Gemini => LineReader::Gemini(LineStream::default(), 0),
            Self::Ollama { .. } => LineReader::Ollama(0),
        };
        LineDecoder {
            reader,
            joiner: SurrogateJoiner::default(),
        }
    }
}

#[derive(Debug)]
pub(super) struct LineDecoder {
    reader: LineReader,
    joiner: SurrogateJoiner,
}

impl LineDecoder {
    pub fn decode_line(&mut self, line: &str) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
        Ok(self.joiner.join_pieces(self.reader.read_line(line)?))
    }

    /// Reads what is left when the stream has ended.
    pub fn finish(&mut self) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
        let mut pieces = self.joiner.join_pieces(self.reader.finish()?);
        pieces.extend(self.joiner.finish());
        Ok(pieces)
    }
}

/// What each protocol keeps between two lines. Who hands over whole calls without a number is told apart by how many
/// there were.
#[derive(Debug)]
enum LineReader {
    OpenAi(LineStream),
    Anthropic(LineStream, anthropic::AnthropicUsage),
    Gemini(LineStream, u32),
    Ollama(u32),
}

impl LineReader {
    fn read_line(&mut self, line: &str) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
        let data = match self {
            Self::OpenAi(stream) | Self::Anthropic(stream, _) | Self::Gemini(stream, _) => {
                stream.read_line(line)?
            }
            Self::Ollama(calls) => return ollama::parse_line(line, calls),
        };
        data.map_or(Ok(Vec::new()), |data| self.parse_data(&data))
    }

    fn finish(&mut self) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
        let rest = match self {
            Self::OpenAi(stream) | Self::Anthropic(stream, _) | Self::Gemini(stream, _) => {
                stream.finish()?
            }
            Self::Ollama(_) => return Ok(Vec::new()),
        };
        let mut pieces = Vec::new();
        for data in &rest {
            pieces.extend(self.parse_data(data)?);
        }
        Ok(pieces)
    }

    fn parse_data(&mut self, data: &BodyFormat) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
        let BodyFormat::Value(value) = data else {
            return Ok(vec![AnswerPiece::Done]);
        };
        match self {
            Self::OpenAi(_) => openai::parse_chunk(value),
            Self::Anthropic(_, counts) => counts.parse_event(value),
            Self::Gemini(_, calls) => gemini::parse_event(value, calls),
            Self::Ollama(_) => Ok(Vec::new()),
        }
    }
}

/// Merges by RFC 7396: tables key by key, everything else replaced, null removed.
pub(super) fn merge_patch(into: &mut Value, patch: &Map<String, Value>) {
    if !into.is_object() {
        *into = Value::Object(Map::new());
    }
    let Some(object) = into.as_object_mut() else {
        return;
    };
    for (key, value) in patch {
        match value {
            Value::Null => drop(object.shift_remove(key)),
            Value::Object(inner) => merge_patch(object.entry(key).or_insert(Value::Null), inner),
            value => drop(object.insert(key.clone(), value.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use serde_json::json;

    use super::*;
    use crate::stream_lines::LineBuffer;

    /// Everything a decoder makes of these chunks.
    fn read(wire: WireProtocol, chunks: &[&[u8]]) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
        let (mut lines, mut decoder, mut pieces) =
            (LineBuffer::default(), wire.build_decoder(), Vec::new());
        for chunk in chunks {
            lines
                .feed(chunk)
                .map_err(|too_long| BrokenAnswer::Endless(too_long.bytes))?;
            while let Some(line) = lines.next_line() {
                pieces.extend(decoder.decode_line(&line)?);
            }
        }
        if let Some(line) = lines.take_rest() {
            pieces.extend(decoder.decode_line(&line)?);
        }
        pieces.extend(decoder.finish()?);
        Ok(pieces)
    }

    /// Bytes near enough to an answer to get past the first look.
    fn nearly_an_answer() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            Just("data: ".to_owned()),
            Just("\n".to_owned()),
            Just("\n\n".to_owned()),
            Just("[DONE]".to_owned()),
            Just(r#"{"choices":[{"delta":{"content":"a\ud83d"}}]}"#.to_owned()),
            Just(r#"{"choices":[{"delta":{"content":"\ude02"}}]}"#.to_owned()),
            Just(r#"{"choices":[{"delta":{"content":"雪"},"finish_reason":null}]}"#.to_owned()),
            Just(r#"{"choices":[{"message":{"content":[{"text":"a"}]}}],"usage":{"prompt_tokens":-1e99}}"#.to_owned()),
            Just(r#"{"message":{"content":"b","thinking":"c"},"done":true,"eval_count":1.5}"#.to_owned()),
            Just(r#"{"error":{"message":7,"code":[]}}"#.to_owned()),
            Just(r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"雪"}}"#.to_owned()),
            Just(
                r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}"#.to_owned()
            ),
            Just(r#"{"candidates":[{"content":{"parts":[{"text":"雪"}]},"finishReason":"STOP"}]}"#.to_owned()),
            Just(
                r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"a","function":{"name":"雪","arguments":"{\"a\""}}]}}]}"#
                    .to_owned()
            ),
            Just(
                r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{"}}"#
                    .to_owned()
            ),
            Just(r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":{}}}]}}]}"#.to_owned()),
            Just(r#"{"message":{"tool_calls":[{"function":{"name":"a","arguments":7}}]}}"#.to_owned()),
            ".{0,8}",
        ];
        (prop::collection::vec(part, 0..12), any::<Vec<u8>>())
            .prop_map(|(parts, tail)| [parts.concat().into_bytes(), tail].concat())
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_alike_however_they_are_split(bytes in nearly_an_answer(), cuts: [prop::sample::Index; 2]) {
            let mut at = cuts.map(|cut| cut.index(bytes.len() + 1));
            at.sort_unstable();
            let chunks = [&bytes[..at[0]], &bytes[at[0]..at[1]], &bytes[at[1]..]];
            for wire in [WireProtocol::OpenAi, WireProtocol::Anthropic, WireProtocol::Gemini, WireProtocol::Ollama { num_ctx: 1 }] {
                prop_assert_eq!(read(wire, &chunks), read(wire, &[&bytes]));
            }
        }
    }

    #[test]
    fn the_extra_body_wins_key_by_key() {
        let mut body = json!({"model": "m", "options": {"num_ctx": 8, "seed": 1}, "stop": ["a"]});
        let patch = json!({"options": {"num_ctx": 9, "mirostat": 2}, "stop": null, "reasoning": {"effort": "low"}});
        merge_patch(&mut body, patch.as_object().unwrap());
        let wanted = json!({
            "model": "m", "options": {"num_ctx": 9, "seed": 1, "mirostat": 2}, "reasoning": {"effort": "low"}
        });
        assert_eq!(body, wanted);
    }
}

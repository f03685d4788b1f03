//! What came of a call of a server's tool, as Kith tells it: text for the model, structure for people.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kith_language::{LocalizedMessage, custom_tools, tools};
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, ReadResourceResult, Resource, ResourceContents,
};
use rmcp::service::ServiceError;
use serde_json::json;
use std::sync::Arc;

use kith_core::call::ToolResult;
use kith_core::persona::Language;
use kith_core::redactor::Redactor;

/// The most bytes of a result that are kept; the registry shows the model less.
const BYTES: usize = 256 << 10;
/// The most pictures of a result, and the most resources of a list.
const PICTURES: usize = 4;
const RESOURCES: usize = 50;

pub(super) fn to_tool_result(
    server: &str,
    answer: Result<CallToolResponse, ServiceError>,
    redactor: &Redactor,
    language: Language,
) -> ToolResult {
    let fail = |why: LocalizedMessage| ToolResult::error(why.in_language(language));
    match answer {
        Ok(CallToolResponse::Complete(result)) => {
            convert_complete_result(server, result, redactor, language)
        }
        Err(ServiceError::Timeout { timeout }) => fail(tools::took_too_long(
            timeout.as_secs_f32().to_string(),
            server,
        )),
        Ok(_) => fail(custom_tools::server_asks_person(server)),
        Err(ServiceError::McpError(error)) => {
            let told = clip_text(redactor.redact(&error.message).into_owned(), 500);
            fail(custom_tools::server_error(server, told))
        }
        Err(ServiceError::TransportClosed | ServiceError::TransportSend(_)) => {
            fail(custom_tools::server_went_away(server))
        }
        Err(error) => {
            tracing::warn!(server, %error, "a call of an MCP tool failed");
            fail(custom_tools::server_answered_wrong(server))
        }
    }
}

fn convert_complete_result(
    server: &str,
    result: CallToolResult,
    redactor: &Redactor,
    language: Language,
) -> ToolResult {
    let texts: Vec<String> = result
        .content
        .iter()
        .map(|block| describe_block(block, language))
        .collect();
    let pictures = result.content.iter().filter_map(read_picture);
    let pictures: Vec<Arc<[u8]>> = pictures.take(PICTURES).collect();
    let structured = result.structured_content;
    let mut content = texts.join("\n");
    if content.trim().is_empty() {
        content = structured
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
    }
    let content = clip_text(redactor.redact(content.trim()).into_owned(), BYTES);
    let details = structured.filter(|value| value.to_string().len() <= BYTES);
    ToolResult {
        content: if content.is_empty() {
            custom_tools::done().in_language(language)
        } else {
            content
        },
        details: Some(match details {
            Some(structured) => json!({ "server": server, "structured": structured }),
            None => json!({ "server": server }),
        }),
        is_error: result.is_error == Some(true),
        pictures: (!pictures.is_empty()).then(|| Arc::new(pictures)),
        ..ToolResult::default()
    }
}

/// The file of a part that is a picture; whether it is one, its bytes say later.
fn read_picture(block: &ContentBlock) -> Option<Arc<[u8]>> {
    let data = match block {
        ContentBlock::Image(image) => &image.data,
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::BlobResourceContents { blob, .. } => blob,
            _ => return None,
        },
        _ => return None,
    };
    STANDARD.decode(data).ok().map(Arc::from)
}

/// What a server has to read: a line for each.
pub(super) fn list_resources(resources: &[Resource], redactor: &Redactor) -> String {
    let mut lines = resources.iter().map(|resource| {
        let about = resource.description.as_deref().unwrap_or_default();
        format!("{} {}: {about}", resource.uri, resource.name)
    });
    let lines = lines.by_ref().take(RESOURCES).collect::<Vec<_>>();
    clip_text(redactor.redact(&lines.join("\n")).into_owned(), BYTES)
}

/// What was read of one, as an answer of a tool says it.
pub(super) fn to_call_result(read: ReadResourceResult) -> CallToolResponse {
    let blocks = read.contents.into_iter().map(ContentBlock::resource);
    CallToolResponse::Complete(CallToolResult::success(blocks.collect()))
}

/// A part of an answer: text as it is, all else by its name.
fn describe_block(block: &ContentBlock, language: Language) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!(
            "[{}: {}]",
            custom_tools::picture().in_language(language),
            image.mime_type
        ),
        ContentBlock::Audio(audio) => format!(
            "[{}: {}]",
            custom_tools::sound().in_language(language),
            audio.mime_type
        ),
        ContentBlock::ResourceLink(link) => format!("[{}: {}]", link.name, link.uri),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("[{uri}]\n{text}"),
            ResourceContents::BlobResourceContents { uri, .. } => format!("[{uri}]"),
            _ => String::new(),
        },
        // The protocol may get further kinds.
        _ => String::new(),
    }
}

fn clip_text(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        let end = (0..=bytes)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or_default();
        text.truncate(end);
        text.push('…');
    }
    text
}

//! `send_sticker`: a sticker of the server, or a picture of the host's folder. A name that is not there is answered with
//! those that are, so that no prompt has to list them.

use kith_language::tool_descriptions;
use schemars::JsonSchema;
use serde::Deserialize;

use super::own_messages::to_tool_result;
use super::poll::TIME_OUT;
use crate::{HostCommand, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::outgoing::MessageEnclosure;

#[derive(Deserialize, JsonSchema)]
struct SendSticker {
    name: String,
}

pub(super) fn tool() -> Tool {
    Tool::new(
        "send_sticker",
        ToolKind::Visible,
        tool_descriptions::send_sticker(),
        run,
    )
    .primary("name")
    .optional()
    .time_out(TIME_OUT)
}

async fn run(params: SendSticker, context: ToolContext) -> ToolResult {
    let name = params.name.trim().trim_matches(':').to_owned();
    let post = HostCommand::Post(MessageEnclosure::Sticker(name));
    to_tool_result(context.run_command(post).await, &context)
}

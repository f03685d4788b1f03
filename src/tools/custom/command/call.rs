//! Runs a program for a call of its tool, or tells it what happened to a session.

use serde_json::{Map, Value};

use super::{CommandTool, input, run};
use crate::ToolContext;
use crate::custom::defined_tool::DefinedTool;
use crate::custom::session_event::SessionEvent;
use kith_core::call::ToolResult;

impl CommandTool {
    pub(crate) async fn run(
        &self,
        tool: &DefinedTool,
        params: Map<String, Value>,
        context: ToolContext,
    ) -> ToolResult {
        let input = input::build_call_input(
            &tool.name,
            &params,
            load_shared_data(&context).await,
            &context,
        );
        run::run_program(self, tool, input, &context).await
    }

    pub(in crate::custom) async fn send_event(
        &self,
        tool: &DefinedTool,
        event: SessionEvent,
        about: &Value,
        context: &ToolContext,
    ) -> ToolResult {
        let input = input::build_event_input(
            &tool.name,
            event,
            about,
            load_shared_data(context).await,
            context,
        );
        run::run_program(self, tool, input, context).await
    }
}

async fn load_shared_data(context: &ToolContext) -> Map<String, Value> {
    let shared = context
        .store
        .load_tool_data(context.scope().to_string())
        .await;
    shared.unwrap_or_else(|error| {
        tracing::warn!(%error, "a tool goes without what is shared");
        Map::new()
    })
}

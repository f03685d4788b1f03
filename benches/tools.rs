//! Two hundred tools: finding one and checking its parameters, choosing those of a channel, and what the prompt shows of
//! them: `cargo bench --bench tools`.

use std::sync::Arc;

use divan::{Bencher, black_box};
use kith_core::call::{ToolCall, ToolKind, ToolResult, ToolSpec};
use kith_core::chat::ChannelId;
use kith_core::persona::{Language, Persona};
use kith_core::policy::OutputProtocol;
use kith_store::Store;
use kith_tools::{
    DEFAULT_TOOLS, Tool, ToolContext, ToolDescription, ToolHost, ToolRegistry, tool_rendering,
};
use serde_json::json;

fn main() {
    divan::main();
}

struct NoHost;

impl ToolHost for NoHost {}

fn defined(number: usize) -> Tool {
    let parameters = json!({
        "type": "object",
        "description": "Looks something up that somebody asked about",
        "required": ["place"],
        "properties": {
            "place": { "type": "string", "description": "town" },
            "days": { "type": "integer", "default": 3 },
            "kind": { "type": "string", "enum": ["short", "long"] },
            "tags": { "type": "array", "items": { "type": "string" } },
        },
    });
    let face = ToolDescription {
        name: format!("own_tool_{number}"),
        kind: ToolKind::Tool,
        parameters,
        ..ToolDescription::default()
    };
    Tool::from_description(face, |_, _| async { ToolResult::ok("") })
}

fn registry() -> ToolRegistry {
    ToolRegistry::with_tools((0..200).map(defined)).0
}

fn chosen(registry: &ToolRegistry) -> Vec<ToolSpec> {
    registry.select(&[DEFAULT_TOOLS.to_owned()], Language::EN)
}

#[divan::bench]
fn look_up_and_validate(bencher: Bencher<'_, '_>) {
    let registry = registry();
    let store = Store::open_in_memory().expect("opened");
    let context = ToolContext::new(
        ChannelId(1),
        Arc::new(Persona::default()),
        store,
        Arc::new(NoHost),
        0,
    );
    let params = json!({ "place": "Dublin", "days": "5", "kind": "short", "tags": "a" });
    let params = params.as_object().cloned().unwrap_or_default();
    bencher
        .with_inputs(|| {
            (
                ToolCall {
                    name: "own_tool_199".into(),
                    params: params.clone(),
                },
                context.clone(),
            )
        })
        .bench_values(|(call, context)| drop(black_box(registry.run(call, context))));
}

#[divan::bench]
fn tools_of_a_channel(bencher: Bencher<'_, '_>) {
    let registry = registry();
    bencher.bench(|| chosen(black_box(&registry)));
}

#[divan::bench]
fn shown_in_the_prompt(bencher: Bencher<'_, '_>) {
    let specs = chosen(&registry());
    bencher.bench(|| {
        tool_rendering::render_tools(black_box(&specs), OutputProtocol::Xml, Language::EN)
    });
}

//! What is wrong with the definition of a hook, told to whoever wrote it.

use super::definition::ToolDefinition;
use super::definition_fault::DefinitionFault;
use super::hook_definition::HookPoint;
use kith_core::call::ToolKind;

/// The longest a hook may take, in seconds: people wait for what it looks at.
const MOST_SECONDS: f32 = 30.0;

pub(super) fn find_hook_problems(definition: &ToolDefinition) -> Vec<DefinitionFault> {
    let Some(hook) = &definition.hook else {
        return Vec::new();
    };
    let mut wrong = Vec::new();
    if hook.on.is_empty() {
        let message = "nothing says what it looks at";
        let cure = "write on = [\"speech\", \"call\", \"result\"] or some of them";
        wrong.push(DefinitionFault::new("hook.on", message, cure));
    }
    if !hook.tools.is_empty() && hook.on.iter().all(|point| *point == HookPoint::Speech) {
        let message = "`tools` names tools, and it looks neither at calls nor at results";
        let cure = "remove `tools`, or add \"call\" or \"result\" to `on`";
        wrong.push(DefinitionFault::new("hook.tools", message, cure));
    }
    if definition.command.is_none() && definition.http.is_none() {
        let cure = "let a program or a request look at it: `command` or `http`";
        wrong.push(DefinitionFault::new(
            "hook",
            "no hook is of this kind",
            cure,
        ));
    }
    if definition.time_out_seconds.unwrap_or_default() > MOST_SECONDS {
        let message = "people wait for what a hook looks at";
        let cure = "write 30 seconds or less";
        wrong.push(DefinitionFault::new("time_out_seconds", message, cure));
    }
    let command = definition.command.as_ref();
    let listens =
        command.is_some_and(|one| !(one.on_session.is_empty() && one.on_publish.is_empty()));
    for (key, is_there) in [
        ("action", definition.action != ToolKind::Tool),
        ("primary", definition.primary.is_some()),
        ("optional", definition.optional),
        ("deferred", definition.deferred),
        ("parameters", !definition.parameters.0.is_empty()),
        ("render", definition.render.is_some()),
        ("filter", definition.filter.is_some()),
        ("command", listens),
    ] {
        if is_there {
            let message = match key {
                "command" => "a hook is told neither of sessions nor of published data".to_owned(),
                _ => format!("`{key}` is for tools, and no model calls a hook"),
            };
            wrong.push(DefinitionFault::new(
                key,
                message,
                "remove it, or make two definitions of it",
            ));
        }
    }
    wrong
}

//! What a tool may have done beside the turn that only its driver can do. Where nobody drives, there is nobody to do it.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kith_language::tools;

use super::ToolContext;
use kith_core::call::ToolResult;

/// Who does what is to be done beside a turn.
pub trait SideWork: Send + Sync {
    /// Works on a task in a context of its own and answers with what came of it. Dropping the future ends the work.
    fn work_on_task(&self, task: String, context: ToolContext) -> BoxFuture<'static, ToolResult> {
        let _ = task;
        let sentence = tools::not_possible_here().in_language(context.language());
        std::future::ready(ToolResult::error(sentence)).boxed()
    }
}

/// Nobody drives.
pub(super) struct NoSideWork;

impl SideWork for NoSideWork {}

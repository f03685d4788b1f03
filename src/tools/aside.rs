//! What a tool may have done beside the turn that only its driver can do: work on a task apart from it, or sum up the
//! channel's history. Where nobody drives, there is nobody to do it.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::ToolContext;
use crate::core::call::CallResult;

/// Who does what is to be done beside a turn.
pub trait Aside: Send + Sync {
    /// Works on a task in a context of its own and answers with what came of it. Dropping the future ends the work.
    fn work(&self, task: String, context: ToolContext) -> BoxFuture<'static, CallResult> {
        let _ = task;
        nobody(&context)
    }

    /// Begins to sum up what the channel's prompts show but for the newest lines. Answers at once.
    fn compact(&self, context: ToolContext) -> BoxFuture<'static, CallResult> {
        nobody(&context)
    }
}

/// Nobody drives.
pub(super) struct Nobody;

impl Aside for Nobody {}

fn nobody(context: &ToolContext) -> BoxFuture<'static, CallResult> {
    let sentence = context.language().pick("not possible here", "这里做不到");
    std::future::ready(CallResult::error(sentence)).boxed()
}

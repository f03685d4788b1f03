//! What is told to the model of failures that others know in English only: the store's, the memory's, the web's. The
//! Chinese sentences say what the model can act on; the rest is in the log or in the English text.

use super::web::trouble::{HostRefusal, WebError};
use crate::core::bilingual::Bilingual;
use crate::memory::BlockEditError;
use crate::store::{QueryError, StoreError, ToolDataError};

impl From<StoreError> for Bilingual {
    fn from(error: StoreError) -> Self {
        Self::new(error.to_string(), "数据库现在用不了")
    }
}

impl From<BlockEditError> for Bilingual {
    fn from(error: BlockEditError) -> Self {
        let chinese = match &error {
            BlockEditError::NoBlock { label, known } => format!("没有 `{label}` 这一块，有这些：{known}"),
            BlockEditError::NothingToAdd => "请写出要添加的文字".to_owned(),
            BlockEditError::NothingToChange => {
                "请在 `old` 里写出要改的文字；要添加内容请用 core_memory_append".to_owned()
            }
            BlockEditError::NotFound { label, old } => format!("`{label}` 里没有“{old}”，请照那一块里的原文写"),
            BlockEditError::Ambiguous { label, old, times } => {
                format!("“{old}”在 `{label}` 里出现了 {times} 次，请多写一些前后的文字")
            }
            BlockEditError::TooLong { label, over, limit } => {
                format!("`{label}` 会超出上限 {limit} 字，多了 {over} 字；请用 core_memory_replace 改短")
            }
            BlockEditError::Store(_) => "没能保存，数据库现在用不了".to_owned(),
        };
        Self::new(error.to_string(), chinese)
    }
}

impl From<ToolDataError> for Bilingual {
    fn from(refused: ToolDataError) -> Self {
        let chinese = match &refused {
            ToolDataError::Key(key) => format!("键 `{key}` 是空的或太长"),
            ToolDataError::Value(key) => format!("`{key}` 的值太大"),
            ToolDataError::Keys => "这里的键会太多；把一些设为 null 就会删去".to_owned(),
            ToolDataError::Scope => "这里的数据会太多；把一些键设为 null 就会删去".to_owned(),
        };
        Self::new(refused.to_string(), chinese)
    }
}

impl From<QueryError> for Bilingual {
    fn from(error: QueryError) -> Self {
        let chinese = match &error {
            QueryError::Wrong(_) => "这个查询写得不对，别用它了",
            QueryError::TooSlow(_) => "查询太久，已停止；请查少一些",
            QueryError::TooLarge => "查询里有太大的值；请查少一些",
            QueryError::Failed(_) => "用这些参数查不出来",
            QueryError::Store(_) => "数据库现在用不了",
        };
        Self::new(error.to_string(), chinese)
    }
}

impl From<WebError> for Bilingual {
    fn from(trouble: WebError) -> Self {
        let chinese = match &trouble {
            WebError::NoUrl(_) => "这不是网址".to_owned(),
            WebError::Scheme(scheme) => format!("只能读 http 和 https 的网址，不能读 {scheme}:"),
            WebError::UserInfo => "网址里不能带用户名，请去掉 @ 和它前面的部分".to_owned(),
            WebError::Refused(HostRefusal { host, .. }) => format!("{host} 不是公开的地址，只能读公开的"),
            WebError::Redirects(most) => format!("跳转超过 {most} 次"),
            WebError::Elsewhere(host) => format!("它跳转到另一台服务器 {host}，不能跟过去"),
            WebError::Unreachable { host, .. } => format!("连不上 {host}"),
            WebError::Broken { host, .. } => format!("{host} 没有正常回应"),
            WebError::Slow(longest) => format!("超过 {} 秒，已放弃", longest.as_secs_f32()),
            WebError::Packed(encoding) => format!("返回的内容是 {encoding} 压缩的，读不了"),
            WebError::NotText(kind) => format!("它是 {kind}，只能读文字"),
        };
        Self::new(trouble.to_string(), chinese)
    }
}

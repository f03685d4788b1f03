//! What the tools of a running turn told, as far as it is kept: the newest lines for who looks at the turn while it runs,
//! and how far each tool got for the turn's report.

use std::collections::{BTreeMap, VecDeque};

use kith_room::{ToolNews, ToolNewsKind};

/// How many are kept.
const KEPT: usize = 40;

/// What the tools of a turn told.
#[derive(Default)]
pub(super) struct TurnNews {
    count: u32,
    newest: VecDeque<ToolNews>,
    /// How far each tool said it was, last.
    progress: BTreeMap<String, String>,
}

impl TurnNews {
    /// Keeps what a tool told, and answers with it under its number.
    pub fn record_news(&mut self, tool: String, kind: ToolNewsKind) -> ToolNews {
        if let ToolNewsKind::Progress { text } = &kind {
            self.progress.insert(tool.clone(), text.clone());
        }
        self.count += 1;
        let news = ToolNews {
            number: self.count,
            tool,
            told: kind,
        };
        if self.newest.len() == KEPT {
            self.newest.pop_front();
        }
        self.newest.push_back(news.clone());
        news
    }

    /// The newest, oldest first.
    pub fn newest(&self) -> Vec<ToolNews> {
        self.newest.iter().cloned().collect()
    }

    /// How far each tool got, in words.
    pub fn notes(&self) -> Vec<String> {
        self.progress
            .iter()
            .map(|(tool, text)| format!("{tool} got as far as: {text}"))
            .collect()
    }
}

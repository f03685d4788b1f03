//! What the tools of a running turn told, as far as it is kept: the newest lines for who looks at the turn while it runs,
//! and for the turn's report how far each tool got and what it logged.

use std::collections::{BTreeMap, VecDeque};

use kith_room::{ToolNews, ToolNewsKind};

const KEPT: usize = 40;
/// How many logs of programs the report keeps.
const LOGS_KEPT: usize = 10;

#[derive(Default)]
pub(super) struct TurnNews {
    count: u32,
    newest: VecDeque<ToolNews>,
    /// How far each tool said it was, last.
    progress: BTreeMap<String, String>,
    /// What their programs logged, by tool.
    logs: Vec<(String, String)>,
}

impl TurnNews {
    /// Keeps what a tool told, and answers with it under its number.
    pub fn record_news(&mut self, tool: String, kind: ToolNewsKind) -> ToolNews {
        match &kind {
            ToolNewsKind::Progress { text } => {
                self.progress.insert(tool.clone(), text.clone());
            }
            ToolNewsKind::Logged { log } if self.logs.len() < LOGS_KEPT => {
                self.logs.push((tool.clone(), log.clone()));
            }
            ToolNewsKind::Logged { .. } | ToolNewsKind::Published { .. } => {}
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

    /// How far each tool got, and what it logged, in words.
    pub fn notes(&self) -> Vec<String> {
        let progress = self.progress.iter();
        let progress = progress.map(|(tool, text)| format!("{tool} got as far as: {text}"));
        let logs = self.logs.iter();
        progress
            .chain(logs.map(|(tool, log)| format!("{tool} logged: {log}")))
            .collect()
    }
}

//! Watches the files that settings come from, and loads them again when one changes. A broken file changes nothing:
//! its problems are told and the old settings stay.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::Settings;
use super::load::{LoadOptions, load};
use super::problem::SettingProblem;
use super::tool_files::is_definition;
use kith_core::setting::{SettingData, SettingRule};

/// The most links that are followed to a file.
const MOST_LINKS: usize = 40;
/// How long a file must be at rest before it is read: editors write in several steps.
const REST: Duration = Duration::from_millis(200);

/// A running watch; it ends when this is dropped.
#[derive(Debug)]
pub struct FileWatcher {
    /// The settings after each change, or what is wrong with them now.
    pub changes: UnboundedReceiver<Result<Settings, Vec<SettingProblem>>>,
    touches: mpsc::Sender<WatchSignal>,
}

enum WatchSignal {
    Files(Vec<PathBuf>),
    /// The watch is over. Told rather than looked for, so that the thread sleeps until something happens.
    End,
}

impl Drop for FileWatcher {
    fn drop(&mut self) {
        // Fails only after the thread has ended by itself.
        let _ = self.touches.send(WatchSignal::End);
    }
}

/// What is watched: single files, folders with all that is below them, and folders in which definitions may appear.
#[derive(Clone, Debug, Default, PartialEq)]
struct WatchList {
    files: BTreeSet<PathBuf>,
    trees: BTreeSet<PathBuf>,
    tools: BTreeSet<PathBuf>,
}

impl WatchList {
    fn new(options: &LoadOptions, settings: &Settings) -> Self {
        let mut files = BTreeSet::from([options.file_to_watch()]);
        let mut tools = BTreeSet::new();
        for value in settings.values() {
            if let SettingData::Path(path) = value.data
                && !value.field.has(SettingRule::Folder)
            {
                match path.is_dir() {
                    true => tools.extend(path.canonicalize()),
                    false => drop(files.insert(path.to_owned())),
                }
            }
        }
        for persona in settings.persona_files.values() {
            files.extend(persona.avatar.iter().chain(&persona.lore).cloned());
        }
        files.extend(settings.defined.iter().map(|tool| tool.file.to_path_buf()));
        let files = files.iter().flat_map(|file| follow_links(file)).collect();
        let trees = settings.prompts_dir.iter().chain(&settings.skill_paths);
        let trees = trees
            .filter_map(|folder| folder.canonicalize().ok())
            .collect();
        Self {
            files,
            trees,
            tools,
        }
    }

    /// Folders, before the files: an editor that replaces a file would leave a watch on the old one.
    fn folders(&self) -> BTreeMap<&Path, RecursiveMode> {
        let of_files = self.files.iter().filter_map(|file| file.parent());
        let mut folders: BTreeMap<_, _> = of_files
            .map(|folder| (folder, RecursiveMode::NonRecursive))
            .collect();
        folders.extend(
            self.tools
                .iter()
                .map(|folder| (folder.as_path(), RecursiveMode::NonRecursive)),
        );
        folders.extend(
            self.trees
                .iter()
                .map(|folder| (folder.as_path(), RecursiveMode::Recursive)),
        );
        folders
    }

    fn is_watched(&self, path: &Path) -> bool {
        let defines = || {
            is_definition(path)
                && path
                    .parent()
                    .is_some_and(|folder| self.tools.contains(folder))
        };
        self.files.contains(path)
            || self.trees.iter().any(|folder| path.starts_with(folder))
            || defines()
    }
}

/// A file's path as the system names it in events, its folder without links, and those of all links on the way to it:
/// Kubernetes swaps the link to the folder of a mounted file. The file need not be there.
fn follow_links(file: &Path) -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![file.to_owned()]);
    while let Some(path) = waiting.pop().filter(|_| found.len() < MOST_LINKS) {
        let Ok(path) = std::path::absolute(path) else {
            continue;
        };
        for part in path.ancestors() {
            let (Some(folder), Some(name)) = (part.parent(), part.file_name()) else {
                continue;
            };
            let target = std::fs::read_link(part);
            if part != path && target.is_err() {
                continue;
            }
            let Ok(folder) = folder.canonicalize() else {
                continue;
            };
            if let (Ok(target), Ok(behind)) = (target, path.strip_prefix(part)) {
                waiting.push(match behind.as_os_str().is_empty() {
                    true => folder.join(target),
                    false => folder.join(target).join(behind),
                });
            }
            found.push(folder.join(name));
        }
    }
    found
}

/// Watches everything that `settings`, loaded from `options`, came from. After an error changes need a restart.
pub fn watch(mut options: LoadOptions, settings: &Settings) -> notify::Result<FileWatcher> {
    let (touched, touches) = mpsc::channel();
    let end_sender = touched.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if let Ok(event) = event
            && !matches!(event.kind, EventKind::Access(_))
        {
            // Fails only after the watch has ended.
            let _ = touched.send(WatchSignal::Files(event.paths));
        }
    })?;
    options.config = options.file();
    let mut watched = WatchList::new(&options, settings);
    update_watches(&mut watcher, &WatchList::default(), &watched)?;
    let (sender, changes) = unbounded_channel();
    std::thread::Builder::new().name("settings".into()).spawn(move || {
        while let Some(paths) = wait_for_burst(&touches) {
            if !paths.iter().any(|path| watched.is_watched(path)) {
                continue;
            }
            let loaded = reload(&mut options);
            if let Ok(settings) = &loaded {
                let now = WatchList::new(&options, settings);
                if let Err(error) = update_watches(&mut watcher, &watched, &now) {
                    tracing::warn!(%error, "cannot watch the new files; they are read at the next restart");
                }
                watched = now;
            }
            if sender.send(loaded).is_err() {
                return;
            }
        }
    })?;
    Ok(FileWatcher {
        changes,
        touches: end_sender,
    })
}

/// Loads the settings; a file that is gone is a problem, or everything would silently become defaults.
fn reload(options: &mut LoadOptions) -> Result<Settings, Vec<SettingProblem>> {
    options.config = options.file();
    match &options.config {
        Some(file) if !file.exists() => {
            let cure = "put it back, or restart kith to run without it";
            Err(vec![
                SettingProblem::error("the file is gone; the settings stay as they were", cure)
                    .with_location(file.clone(), None),
            ])
        }
        _ => load(options),
    }
}

fn update_watches(
    watcher: &mut RecommendedWatcher,
    old: &WatchList,
    new: &WatchList,
) -> notify::Result<()> {
    let (before, after) = (old.folders(), new.folders());
    for folder in before
        .iter()
        .filter(|(folder, mode)| after.get(*folder) != Some(mode))
        .map(|(folder, _)| folder)
    {
        // A folder that is gone is no longer watched anyway.
        let _ = watcher.unwatch(folder);
    }
    for (folder, mode) in after
        .iter()
        .filter(|(folder, mode)| before.get(*folder) != Some(mode))
    {
        watcher.watch(folder, *mode)?;
    }
    // A file that is mounted alone is written in a folder nobody sees; and one that was replaced is another.
    // One that is gone is no longer watched anyway.
    let left_out = old.files.difference(&new.files);
    for file in left_out.filter(|file| file.exists()) {
        let _ = watcher.unwatch(file);
    }
    for file in &new.files {
        let _ = watcher.watch(file, RecursiveMode::NonRecursive);
    }
    Ok(())
}

/// Waits for changes, then until they have ended, and answers with all paths; none when the watch is over.
fn wait_for_burst(touches: &mpsc::Receiver<WatchSignal>) -> Option<Vec<PathBuf>> {
    let Ok(WatchSignal::Files(mut paths)) = touches.recv() else {
        return None;
    };
    while let Ok(touch) = touches.recv_timeout(REST) {
        let WatchSignal::Files(more) = touch else {
            return None;
        };
        paths.extend(more);
    }
    Some(paths)
}

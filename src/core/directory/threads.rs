//! Which threads can be opened below a channel: Discord knows another kind for each kind of channel, and in a forum a
//! thread is a post that begins with a message.

use std::sync::Arc;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ThreadSupport {
    /// None: it is a thread itself, a direct message, or a channel for voices.
    #[default]
    Unsupported,
    Public,
    /// Threads of an announcement channel, which are a kind of their own.
    Announcement,
    /// Posts: threads that begin with a message. Forums and media channels hold nothing else.
    Posts(Box<PostRules>),
}

/// What a forum or a media channel asks of a post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostRules {
    pub tags: Box<[PostTag]>,
    pub requires_tag: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostTag {
    pub id: u64,
    pub name: Arc<str>,
    /// Whether only those who manage threads may put it on a post.
    pub moderated: bool,
}

impl PostRules {
    /// The tag for a post of this name, where one is demanded: one that the name holds, else the first that may be used.
    pub fn choose_tag(&self, name: &str, manages_threads: bool) -> Option<u64> {
        if !self.requires_tag {
            return None;
        }
        let usable = || {
            self.tags
                .iter()
                .filter(|tag| manages_threads || !tag.moderated)
        };
        let name = name.to_lowercase();
        let is_named =
            |tag: &&PostTag| !tag.name.is_empty() && name.contains(&tag.name.to_lowercase());
        usable()
            .find(is_named)
            .or_else(|| usable().next())
            .map(|tag| tag.id)
    }
}

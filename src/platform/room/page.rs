//! The page's files, embedded in the binary. They ask nothing of any other host.

use axum::Router;
use axum::http::header;
use axum::routing::get;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";

const FILES: &[(&str, &str, &str)] =
    &[("/", HTML, include_str!("page/index.html")), ("/app.css", CSS, include_str!("page/app.css"))];

/// One route a file.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.iter().fold(Router::new(), |router, (path, kind, text)| {
        router.route(path, get(move || async move { ([(header::CONTENT_TYPE, *kind)], *text) }))
    })
}

//! What is read of a page.

use super::*;

const LONG: &str = "Word after word after word. ";

#[test]
fn a_page_is_its_title_headings_paragraphs_lists_and_tables() {
    let page = parse_page(
        "<!doctype html><html><head><title> A&nbsp;small\n page </title>\
         <meta name=description content='About &quot;it&quot;'><style>p{}</style></head>\
         <body><nav><a href=/>Home</a></nav><h1>First</h1><p>One <b>bold</b>, <a href=/x>linked</a>\n word.<p>Two.\
         <ul><li>a<li><p>b</p></li><li></li></ul><table><tr><th>x<th>y</tr><tr><td>1</td><td>2</td></tr></table>\
         <pre>let a = 1;\n  b</pre>line<br>break<script>alert('<p>no</p>')</script><footer>Imprint</footer>",
    );
    assert_eq!(page.title, "A small page");
    assert_eq!(page.description, "About \"it\"");
    assert_eq!(
        page.text,
        "# First\n\nOne bold, linked word.\n\nTwo.\n\n- a\n- b\n\nx | y\n1 | 2\n\nlet a = 1;\n  b\n\nline\nbreak"
    );
}

#[test]
fn what_a_page_is_about_is_told_where_the_page_says_it() {
    let about = LONG.repeat(10);
    let page = format!(
        "<body><header>Shop</header><div>Buy <main><header><h1>Tea</h1></header>{about}<aside>Ad</aside></main>now</div>"
    );
    assert_eq!(parse_page(&page).text, format!("# Tea\n\n{}", about.trim()));
    let two = format!("<article>{about}</article>between<article>{about}");
    assert_eq!(parse_page(&two).text, format!("{0}\n\n{0}", about.trim()));
}

#[test]
fn a_page_that_is_all_navigation_is_shown_all_the_same() {
    assert_eq!(
        parse_page("<nav><ul><li>One<li>Two</ul></nav>").text,
        "- One\n- Two"
    );
    assert_eq!(
        parse_page(&format!("<nav>never closed<p>{LONG}")).text,
        format!("never closed\n\n{}", LONG.trim())
    );
}

#[test]
fn scripts_hide_nothing_and_show_nothing() {
    assert_eq!(
        parse_page("a<script src=x />if (a</b>) </script>b").text,
        "ab"
    );
    assert_eq!(parse_page("a<svg/>b<svg><svg></svg>c</svg>d").text, "abd");
    assert_eq!(
        parse_page("a<noscript>on!</noscript><!-- c --><iframe>d</iframe>").text,
        "a"
    );
}

#[test]
fn a_snippet_is_one_line() {
    assert_eq!(
        html_to_line("The <strong>cat</strong>&#39;s\n<br>tea &amp; <tea>"),
        "The cat's tea &"
    );
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(html in "(<(/?(p|li|h1|pre|main|nav|td|title|script)|!--)[ />]|[a &;\\n\\x00你]){0,60}") {
        let page = parse_page(&html);
        proptest::prop_assert!(page.text.len() <= html.len() * 4);
        let hidden = page.text.contains('\0');
        proptest::prop_assert!(!hidden);
    }
}

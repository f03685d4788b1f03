//! Sessions that people open, change and end in the page.

use super::*;

#[tokio::test]
async fn a_session_is_opened_renamed_and_ended_with_what_came_of_it() {
    let Some((browser, _kith)) = open_room().await else {
        return;
    };
    let write = async |css: &str, text: &str| {
        let field = browser.find(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    };
    browser.click("#open-session").await;
    write("#add-name", "trip").await;
    write("#session-about", "be brief").await;
    browser.click("dialog .primary").await;
    let shown = "return document.querySelector('#channel-name').textContent";
    browser.until(&format!("{shown} === '# trip'")).await;
    let editor = "#channels li.thread [aria-haspopup=dialog]";
    browser.click(editor).await;
    let about = "return document.querySelector('#session-about').value === 'be brief'";
    browser.until(about).await;
    write("#add-name", "castles").await;
    browser.click("dialog .primary").await;
    browser.until(&format!("{shown} === '# castles'")).await;

    browser.click(editor).await;
    write("#session-outcome", "we go in May").await;
    browser.click("dialog [data-act=remove]").await;
    browser.click("dialog [data-act=remove]").await;
    browser
        .until(&format!("return !document.querySelector('{editor}')"))
        .await;
    browser.click("#channels li:first-child button").await;
    let told = "“castles” is over. What came of it: we go in May";
    browser
        .until(&format!(
            "return document.querySelector('.message .text')?.textContent === '{told}'"
        ))
        .await;
    browser.close().await;
}

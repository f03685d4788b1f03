//! What a program writes to standard error is its log: people are told it, whatever came of the run.

use super::*;

#[tokio::test]
async fn what_a_program_logs_is_told_also_where_all_goes_well_and_where_it_is_cut() {
    let bench = Bench::of("echo first >&2; echo k-123456 >&2; echo done", "");
    let result = bench.run(json!({})).await;
    assert_eq!(
        (result.content.as_str(), result.is_error),
        ("done", false),
        "the model is not told"
    );
    let log = ToolNewsItem::Complaint("first\n<redacted>".into());
    assert_eq!(bench.news(), [log]);

    let endless = "echo begun >&2; printf 'half a lin' >&2; sleep 600";
    let bench = Bench::of(endless, "time_out_seconds = 2");
    assert!(bench.run(json!({})).await.is_error);
    assert_eq!(bench.news(), [ToolNewsItem::Complaint("begun".into())]);
}

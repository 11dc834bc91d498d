//! A tool that cannot be undone takes exact input only.

use super::{Refused, Row, Runs, check};

pub(super) const DANGEROUS: &[Row] = &[
    Row("wipe", r#"{"disk":1}"#, Runs("wiped 1 None")),
    Row("wipe", r#"{"label":"x","disk":1}"#, Runs("wiped 1 Some(\"x\")")),
    Row("wipe", r#"{"disk":"1"}"#, Refused(&["`disk` must be an integer from 0 to 255; a string came: \"1\""])),
    Row("wipe", r#"{"disk":1.0}"#, Refused(&["`disk`"])),
    Row("wipe", r#"{"disk":1,}"#, Refused(&["a comma before the end is not JSON"])),
    Row("wipe", r#"{"Disk":1}"#, Refused(&["`disk` is missing", "no parameter `Disk`"])),
    Row("wipe", r#"{"input":{"disk":1}}"#, Refused(&["`disk` is missing"])),
    Row("wipe", r#""{\"disk\":1}""#, Refused(&["a string came"])),
    Row("wipe", "{'disk': 1}", Refused(&["single quotes are not JSON"])),
    Row("wipe", "```\n{\"disk\": 1}\n```", Refused(&["a code fence is not JSON"])),
    Row("wipe", r#"{"disk":1}</tool_call>"#, Refused(&["what follows the object is not JSON"])),
];

#[tokio::test]
async fn a_tool_that_cannot_be_undone_takes_exact_input_only() {
    check(DANGEROUS).await;
}

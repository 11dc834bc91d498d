//! Compile errors as they are read: one mistake per file, named after it. And what must compile, however odd.

use trybuild::TestCases;

#[test]
fn mistakes_in_classify() {
    TestCases::new().compile_fail("ui/classify/*.rs");
}

#[test]
fn mistakes_in_tools() {
    TestCases::new().compile_fail("ui/tool/*.rs");
}

#[test]
fn legal_oddities() {
    TestCases::new().pass("ui/pass/*.rs");
}

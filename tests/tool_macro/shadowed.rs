//! Items of the user that are called like those of std and of the crates behind the macro.

#![allow(dead_code, unused_macros, non_camel_case_types)]
#![allow(clippy::trivially_copy_pass_by_ref, clippy::unnecessary_wraps)]

mod core {}
mod std {}
mod alloc {}
mod serde {}
mod serde_json {}
mod schemars {}
mod tokio {}
mod inventory {}
mod toolkit {}
mod toolkit_macros {}

struct Result;
struct String;
struct Option;
struct Vec;
struct Box;
struct Some;
struct None;
struct Ok;
struct Err;
struct Default;
struct From;
struct Tool;
struct Registry;
struct ToolContext;
struct Definition;
struct Classified;
struct Plain;
struct Opaque;
struct Probe;
struct u8;
struct str;
struct bool;
trait Fn {}
trait FnOnce {}
trait Send {}
trait Sync {}
trait Sized {}
trait Into {}
trait Clone {}
trait Drop {}

macro_rules! vec {
    () => {};
}
macro_rules! format {
    () => {};
}
macro_rules! panic {
    () => {};
}
macro_rules! concat {
    () => {};
}
macro_rules! line {
    () => {};
}
macro_rules! module_path {
    () => {};
}
macro_rules! submit {
    () => {};
}

/// Methods on everything, called like those that an expansion may call.
trait Everything {
    fn tag(&self) {}
    fn shape(&self) {}
    fn slot(&self) {}
    fn take(&self) {}
    fn split(&self) {}
    fn default(&self) {}
    fn example(&self) {}
    fn secret(&self) {}
    fn param(&self) {}
    fn into(&self) {}
    fn from(&self) {}
}

impl<T: ?::core::marker::Sized> Everything for T {}

mod inner {
    #[allow(unused_imports)]
    use super::*;

    /// A tool.
    #[::toolkit::tool(category = Read, timeout = "1s", idempotent = true, max_output = 9, check = fits)]
    pub(super) async fn ping(
        /// Read by
        #[doc = ::core::concat!("the ", "compiler.")]
        n: ::core::primitive::u8,
        #[arg(default = "x", length = 1..=3, pattern = "^x")] text: ::std::string::String,
        #[arg(default, example = 3, range = 0..9)] more: ::std::option::Option<::core::primitive::u8>,
        #[arg(secret, default)] flag: ::core::primitive::bool,
        #[state] state: &::core::primitive::u8,
        ctx: &::toolkit::ToolContext,
    ) -> ::std::result::Result<::core::primitive::u8, ::std::io::Error> {
        let _ = (text, flag, ctx);
        ::std::result::Result::Ok(n + more.unwrap_or(0) + *state)
    }

    fn fits(_: &::core::primitive::u8) -> ::std::result::Result<(), ::std::string::String> {
        ::std::result::Result::Ok(())
    }

    /// A tool.
    #[::toolkit::tool(category = Read)]
    pub(super) fn blocking(n: ::core::primitive::u8) -> ::core::primitive::u8 {
        n
    }

    pub(super) struct Service;

    #[::toolkit::tools]
    impl Service {
        /// A tool.
        #[tool(category = Read)]
        async fn shadowed_method(&self, n: ::core::primitive::u8) -> ::std::result::Result<(), ::std::fmt::Error> {
            let _ = n;
            ::std::result::Result::Ok(())
        }
    }
}

// In a module of its own, where tokio's macro is not led astray.
mod calls {
    use super::inner::{Service, blocking, ping};

    #[tokio::test]
    async fn nothing_of_the_expansion_is_taken_for_something_else() {
        let registry = toolkit::Registry::builder().tool::<ping>().tool::<blocking>().service(Service).build().unwrap();
        assert_eq!(registry.names(), ["blocking", "ping", "shadowed_method"]);
        let executor = toolkit::Executor::builder(registry).state(1_u8).build().unwrap();
        let call = toolkit::ToolCall::new("ping", serde_json::json!({"n": 1, "more": 2}));
        assert_eq!(executor.call(call).await.text(), "4");
    }
}

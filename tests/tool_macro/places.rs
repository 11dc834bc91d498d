//! Where a tool may stand.

use serde_json::json;
use toolkit::tool;

use super::{run, submitted};

fn outer() -> u8 {
    /// A tool.
    #[tool(category = Read, name = "place_in_fn")]
    async fn local(n: u8) -> Result<u8, std::io::Error> {
        Ok(n)
    }
    let _ = local;
    1
}

mod m {
    pub(super) mod n {
        /// A tool.
        #[toolkit::tool(category = Read, name = "place_deep")]
        pub(super) async fn t(n: super::super::Number) -> Result<super::super::Number, std::io::Error> {
            Ok(n)
        }
    }
    pub(super) fn touch() {
        let _ = n::t;
    }
}

type Number = u8;

const _: () = {
    /// A tool.
    #[tool(category = Read, name = "place_in_const")]
    async fn t(n: u8) -> Result<u8, std::io::Error> {
        Ok(n)
    }
    let _ = t;
};

static IN_STATIC: fn() -> u8 = || {
    /// A tool.
    #[tool(category = Read, name = "place_in_closure")]
    async fn t(n: u8) -> u8 {
        n
    }
    let _ = t;
    2
};

struct Holder;

impl Holder {
    fn method(&self) -> u8 {
        /// A tool.
        #[tool(category = Read, name = "place_in_method")]
        async fn t(n: u8) -> u8 {
            n
        }
        let Self = self;
        let _ = t;
        3
    }
}

trait Provided {
    fn provided() -> u8 {
        /// A tool.
        #[tool(category = Read, name = "place_in_trait")]
        async fn t(n: u8) -> u8 {
            n
        }
        let _ = t;
        4
    }
}

impl Provided for Holder {}

fn generic<T: Default + Into<u8>>() -> u8 {
    /// A tool.
    #[tool(category = Read, name = "place_in_generic_fn")]
    async fn t(n: u8) -> u8 {
        n
    }
    let _ = t;
    T::default().into()
}

async fn in_async() -> u8 {
    /// A tool.
    #[tool(category = Read, name = "place_in_async")]
    async fn t(n: u8) -> u8 {
        n
    }
    t(5).await
}

#[tokio::test]
async fn a_tool_may_stand_anywhere() {
    m::touch();
    assert_eq!(outer() + IN_STATIC() + Holder.method() + Holder::provided() + generic::<u8>() + in_async().await, 15);
    assert_eq!(
        submitted("place_"),
        [
            "place_deep",
            "place_in_async",
            "place_in_closure",
            "place_in_const",
            "place_in_fn",
            "place_in_generic_fn",
            "place_in_method",
            "place_in_static_module",
            "place_in_trait"
        ]
    );
}

mod statics {
    /// A tool.
    #[toolkit::tool(category = Read, name = "place_in_static_module")]
    pub(crate) async fn t(n: u8) -> u8 {
        n
    }
}

#[tokio::test]
async fn a_tool_may_be_taken_from_another_module() {
    use statics::t as renamed;
    assert_eq!(run::<renamed>(json!({"n": 1})).await, "1");
    assert_eq!(renamed(1).await, 1);
}

mod fs {
    /// A tool.
    #[toolkit::tool(category = Read, name = "place_one_name")]
    #[cfg(not(test))]
    pub(super) async fn read(path: String) -> String {
        path
    }
}

#[test]
fn a_tool_of_another_configuration_is_not_there() {
    assert_eq!(submitted("place_one_name"), [""; 0]);
}

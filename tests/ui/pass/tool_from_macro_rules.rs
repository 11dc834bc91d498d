// A macro with types, functions and names of its own, used where none of them is in scope.
#![deny(warnings)]

mod made {
    #[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Own(pub u8);

    pub fn is_fit(_: &Own) -> Result<(), std::io::Error> {
        Ok(())
    }

    pub const ONE: u8 = 1;

    macro_rules! tool_of {
        ($name:ident, $ty:ty, $other:path) => {
            /// A tool.
            #[toolkit::tool(category = Read, check = $crate::made::is_fit)]
            async fn $name(
                #[arg(default = $crate::made::Own($crate::made::ONE))] own: $crate::made::Own,
                list: Vec<$ty>,
                other: Option<$other>,
            ) -> Result<$crate::made::Own, std::io::Error> {
                let __a0 = own;
                let __value = (list, other);
                let _ = __value;
                Ok(__a0)
            }
        };
    }

    macro_rules! service_of {
        ($service:ty) => {
            #[toolkit::tools]
            impl $service {
                /// A tool.
                #[tool(category = Read)]
                async fn with_self(
                    &self,
                    other: Option<Self>,
                    #[arg(default = Self::ONE)] n: u8,
                ) -> Result<Self, String> {
                    let _ = (other, n);
                    Ok(Self)
                }
            }
        };
    }

    pub(crate) use {service_of, tool_of};
}

mod elsewhere {
    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Service;

    impl Service {
        const ONE: u8 = 1;
    }

    crate::made::tool_of!(tool_made_elsewhere, std::string::String, Service);
    crate::made::service_of!(crate::elsewhere::Service);
}

fn main() {
    assert!(toolkit::Registry::builder().discover().service(elsewhere::Service).build().is_ok());
}

/// Adds.
fn add(a: i64, b: i64) -> i64 {
    a + b
}
/// Adds.
#[allow(missing_debug_implementations, missing_copy_implementations)]
#[non_exhaustive]
#[repr(C)]
struct add {}
const _: () = {
    #[automatically_derived]
    impl ::toolkit::__private::Tool for add {
        const DEFINITION: &'static ::toolkit::__private::Definition = {
            const __A0: &::toolkit::__private::Arg<i64> = &::toolkit::__private::arg::<
                i64,
            >("a", "");
            const __A1: &::toolkit::__private::Arg<i64> = &::toolkit::__private::arg::<
                i64,
            >("b", "");
            const __PARAMS: &[::toolkit::__private::Param] = &[__A0.param, __A1.param];
            fn __start<'__cx>(
                __cx: &'__cx ::toolkit::__private::ToolContext,
                __text: &::core::primitive::str,
            ) -> ::toolkit::__private::Result<
                ::toolkit::__private::ToolFuture<'__cx>,
                ::toolkit::__private::Bad,
            > {
                let mut __a0 = __A0.slot();
                let mut __a1 = __A1.slot();
                ::toolkit::__private::decode(
                    __cx,
                    __text,
                    __PARAMS,
                    &mut [&mut __a0, &mut __a1],
                )?;
                let ::toolkit::__private::Some(__a0) = __a0.value else {
                    return ::toolkit::__private::missing()
                };
                let ::toolkit::__private::Some(__a1) = __a1.value else {
                    return ::toolkit::__private::missing()
                };
                ::toolkit::__private::Ok(
                    ::toolkit::__private::run_blocking(
                        __cx,
                        move |__cx| {
                            let __returned = { add }(__a0, __a1);
                            {
                                use ::toolkit::__private::tags::by::*;
                                ::toolkit::__private::finish(
                                    (&&&&&&&&::toolkit::__private::Probe::of(&__returned))
                                        .__tag(),
                                    __returned,
                                    __cx,
                                )
                            }
                        },
                    ),
                )
            }
            &::toolkit::__private::Definition {
                blocking: true,
                params: __PARAMS,
                states: &[],
                start: __start,
                output_schema: {
                    fn __shape() -> ::toolkit::__private::Shape {
                        let __returns = ::toolkit::__private::Returns::<i64>::new();
                        {
                            use ::toolkit::__private::shapes::*;
                            (&&&&__returns).__shape()
                        }
                    }
                    __shape
                },
                ..::toolkit::__private::Definition::new(
                    "add",
                    "Adds.",
                    ::toolkit::__private::Category::Compute,
                    (
                        ::core::module_path!(),
                        ::core::file!(),
                        ::core::line!(),
                        ::core::column!(),
                    ),
                )
            }
        };
    }
    ::toolkit::__private::submit!(add);
};

impl Orders {
    /// Counts the orders.
    #[allow(clippy::unused_async)]
    async fn count(&self, since: Option<Self>) -> usize {
        self.all.len()
    }
    #[cfg(feature = "write")]
    /// Makes an order.
    fn make(number: u32) -> Result<Self, Error> {
        Self::new(number)
    }
    fn all(&self) -> &[Order] {
        &self.all
    }
}
#[automatically_derived]
impl ::toolkit::__private::Service for Orders {
    const TOOLS: &'static [&'static ::toolkit::__private::Definition] = &[
        {
            const __A0: &::toolkit::__private::Arg<Option<Orders>> = &::toolkit::__private::arg::<
                Option<Orders>,
            >("since", "");
            const __PARAMS: &[::toolkit::__private::Param] = &[__A0.param];
            fn __start<'__cx>(
                __cx: &'__cx ::toolkit::__private::ToolContext,
                __text: &::core::primitive::str,
            ) -> ::toolkit::__private::Result<
                ::toolkit::__private::ToolFuture<'__cx>,
                ::toolkit::__private::Bad,
            > {
                let mut __a0 = __A0.slot();
                ::toolkit::__private::decode(__cx, __text, __PARAMS, &mut [&mut __a0])?;
                let ::toolkit::__private::Some(__a0) = __a0.value else {
                    return ::toolkit::__private::missing()
                };
                ::toolkit::__private::Ok(
                    ::toolkit::__private::run(
                        __cx,
                        <Orders>::count(
                            ::toolkit::__private::state::<Orders>(__cx)?,
                            __a0,
                        ),
                        |__returned, __cx| {
                            use ::toolkit::__private::tags::by::*;
                            ::toolkit::__private::finish(
                                (&&&&&&&&::toolkit::__private::Probe::of(&__returned))
                                    .__tag(),
                                __returned,
                                __cx,
                            )
                        },
                    ),
                )
            }
            &::toolkit::__private::Definition {
                params: __PARAMS,
                states: &[::toolkit::__private::StateType::of::<Orders>()],
                start: __start,
                output_schema: {
                    fn __shape() -> ::toolkit::__private::Shape {
                        let __returns = ::toolkit::__private::Returns::<usize>::new();
                        {
                            use ::toolkit::__private::shapes::*;
                            (&&&&__returns).__shape()
                        }
                    }
                    __shape
                },
                ..::toolkit::__private::Definition::new(
                    "count",
                    "Counts the orders.",
                    ::toolkit::__private::Category::Read,
                    (
                        ::core::module_path!(),
                        ::core::file!(),
                        ::core::line!(),
                        ::core::column!(),
                    ),
                )
            }
        },
        #[cfg(feature = "write")]
        {
            const __A0: &::toolkit::__private::Arg<u32> = &::toolkit::__private::arg::<
                u32,
            >("number", "")
                .default(|| {
                    let __value: u32 = <Orders>::FIRST;
                    ::toolkit::__private::json::<u32>(&__value)
                });
            const __PARAMS: &[::toolkit::__private::Param] = &[__A0.param];
            fn __start<'__cx>(
                __cx: &'__cx ::toolkit::__private::ToolContext,
                __text: &::core::primitive::str,
            ) -> ::toolkit::__private::Result<
                ::toolkit::__private::ToolFuture<'__cx>,
                ::toolkit::__private::Bad,
            > {
                let mut __a0 = __A0.slot();
                ::toolkit::__private::decode(__cx, __text, __PARAMS, &mut [&mut __a0])?;
                let ::toolkit::__private::Some(__a0) = __a0.value else {
                    return ::toolkit::__private::missing()
                };
                ::toolkit::__private::Ok(
                    ::toolkit::__private::run_blocking(
                        __cx,
                        move |__cx| {
                            let __returned = <Orders>::make(__a0);
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
                max_retries: 0u32,
                blocking: true,
                params: __PARAMS,
                states: &[],
                start: __start,
                output_schema: {
                    fn __shape() -> ::toolkit::__private::Shape {
                        let __returns = ::toolkit::__private::Returns::<
                            Result<Orders, Error>,
                        >::new();
                        {
                            use ::toolkit::__private::shapes::*;
                            (&&&&__returns).__shape()
                        }
                    }
                    __shape
                },
                ..::toolkit::__private::Definition::new(
                    "make",
                    "Makes an order.",
                    ::toolkit::__private::Category::Write,
                    (
                        ::core::module_path!(),
                        ::core::file!(),
                        ::core::line!(),
                        ::core::column!(),
                    ),
                )
            }
        },
    ];
}

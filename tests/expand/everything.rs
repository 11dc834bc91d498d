#[cfg(feature = "orders")]
#[allow(deprecated)]
pub(crate) async fn change(
    order_id: String,
    days: u8,
    way: String,
    #[cfg(feature = "notes")]
    note: String,
    orders: &Orders,
    ctx: &ToolContext,
) -> anyhow::Result<Order> {
    orders.change(order_id, days, way, note, ctx.idempotency_key()).await
}
#[cfg(feature = "orders")]
///Changes an order.
#[allow(missing_debug_implementations, missing_copy_implementations)]
#[non_exhaustive]
#[repr(C)]
pub(crate) struct Change {}
#[cfg(feature = "orders")]
#[allow(deprecated)]
const _: () = {
    #[automatically_derived]
    impl ::toolkit::__private::Tool for Change {
        const DEFINITION: &'static ::toolkit::__private::Definition = {
            const __A0: &::toolkit::__private::Arg<String> = &::toolkit::__private::pattern::<
                String,
            >(
                ::toolkit::__private::arg::<String>("order", "The number of the order.")
                    .example(|| {
                        let __value = "ORD1";
                        ::toolkit::__private::json(&__value)
                    }),
                || {
                    static __PATTERN: ::toolkit::__private::Pattern = ::toolkit::__private::Pattern::new(
                        "^ORD[0-9]+$",
                    );
                    &__PATTERN
                },
            );
            const __A1: &::toolkit::__private::Arg<u8> = &::toolkit::__private::range::<
                u8,
            >(
                ::toolkit::__private::arg::<u8>("days", "")
                    .default(|| {
                        let __value: u8 = 1;
                        ::toolkit::__private::json::<u8>(&__value)
                    }),
                ::toolkit::__private::Span {
                    least: ::toolkit::__private::int(1),
                    most: ::toolkit::__private::int(30),
                    exclusive: false,
                },
            );
            const __A2: &::toolkit::__private::Arg<String> = &::toolkit::__private::length::<
                String,
            >(
                ::toolkit::__private::arg::<String>("way", "How.")
                    .default(|| {
                        let __value: String = ::core::convert::From::from("by mail");
                        ::toolkit::__private::json::<String>(&__value)
                    }),
                ::toolkit::__private::Span {
                    least: ::toolkit::__private::None,
                    most: ::toolkit::__private::int(100),
                    exclusive: true,
                },
            );
            #[cfg(feature = "notes")]
            const __A3: &::toolkit::__private::Arg<String> = &::toolkit::__private::arg::<
                String,
            >("note", "")
                .default(|| {
                    let __value: String = ::core::default::Default::default();
                    ::toolkit::__private::json::<String>(&__value)
                })
                .secret();
            const __PARAMS: &[::toolkit::__private::Param] = &[
                __A0.param,
                __A1.param,
                __A2.param,
                #[cfg(feature = "notes")]
                __A3.param,
            ];
            fn __start<'__cx>(
                __cx: &'__cx ::toolkit::__private::ToolContext,
                __text: &::core::primitive::str,
            ) -> ::toolkit::__private::Result<
                ::toolkit::__private::ToolFuture<'__cx>,
                ::toolkit::__private::Bad,
            > {
                let mut __a0 = __A0.slot();
                let mut __a1 = __A1.slot();
                let mut __a2 = __A2.slot();
                #[cfg(feature = "notes")]
                let mut __a3 = __A3.slot();
                ::toolkit::__private::decode(
                    __cx,
                    __text,
                    __PARAMS,
                    &mut [
                        &mut __a0,
                        &mut __a1,
                        &mut __a2,
                        #[cfg(feature = "notes")]
                        &mut __a3,
                    ],
                )?;
                let ::toolkit::__private::Some(__a0) = __a0.value else {
                    return ::toolkit::__private::missing()
                };
                let ::toolkit::__private::Some(__a1) = __a1.value else {
                    return ::toolkit::__private::missing()
                };
                let ::toolkit::__private::Some(__a2) = __a2.value else {
                    return ::toolkit::__private::missing()
                };
                #[cfg(feature = "notes")]
                let ::toolkit::__private::Some(__a3) = __a3.value else {
                    return ::toolkit::__private::missing()
                };
                ::toolkit::__private::Ok(
                    ::toolkit::__private::run(
                        __cx,
                        {
                            change
                        }(
                            __a0,
                            __a1,
                            __a2,
                            #[cfg(feature = "notes")]
                            __a3,
                            ::toolkit::__private::state::<Orders>(__cx)?,
                            ::toolkit::__private::context::<ToolContext>(__cx),
                        ),
                        |__returned, __cx| {
                            use ::toolkit::__private::tags::by::*;
                            let __value = ::toolkit::__private::split(
                                (&&&&&&&&::toolkit::__private::Probe::of(&__returned))
                                    .__tag(),
                                __returned,
                                __cx,
                            )?;
                            ::toolkit::__private::fit(crate::is_fit(&__value))?;
                            ::toolkit::__private::written(__value)
                        },
                    ),
                )
            }
            &::toolkit::__private::Definition {
                max_retries: 3u32,
                idempotent: ::toolkit::__private::Some(true),
                timeout: ::toolkit::__private::millis(1500u64),
                max_output: ::toolkit::__private::Some(200usize),
                budget: ::toolkit::__private::Some("orders"),
                roles: &["sales", "admin"],
                sequential: true,
                params: __PARAMS,
                states: &[::toolkit::__private::StateType::of::<Orders>()],
                start: __start,
                output_schema: {
                    fn __shape() -> ::toolkit::__private::Shape {
                        let __returns = ::toolkit::__private::Returns::<
                            anyhow::Result<Order>,
                        >::new();
                        {
                            use ::toolkit::__private::shapes::*;
                            (&&&&__returns).__shape()
                        }
                    }
                    __shape
                },
                ..::toolkit::__private::Definition::new(
                    "order-change",
                    "Changes an order.",
                    ::toolkit::__private::Category::Write,
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
    ::toolkit::__private::submit!(Change);
};

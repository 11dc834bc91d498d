/// Looks up one order.
pub async fn order_status(
    order_id: String,
    limit: Option<u8>,
) -> Result<String, OrderError> {
    find(order_id, limit).await
}
/// Looks up one order.
#[allow(missing_debug_implementations, missing_copy_implementations)]
#[non_exhaustive]
#[repr(C)]
pub struct order_status {}
const _: () = {
    #[automatically_derived]
    impl ::toolkit::__private::Tool for order_status {
        const DEFINITION: &'static ::toolkit::__private::Definition = {
            const __A0: &::toolkit::__private::Arg<String> = &::toolkit::__private::arg::<
                String,
            >("order_id", "The number of the order.");
            const __A1: &::toolkit::__private::Arg<Option<u8>> = &::toolkit::__private::arg::<
                Option<u8>,
            >("limit", "");
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
                    ::toolkit::__private::run(
                        __cx,
                        { order_status }(__a0, __a1),
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
                states: &[],
                start: __start,
                output_schema: {
                    fn __shape() -> ::toolkit::__private::Shape {
                        let __returns = ::toolkit::__private::Returns::<
                            Result<String, OrderError>,
                        >::new();
                        {
                            use ::toolkit::__private::shapes::*;
                            (&&&&__returns).__shape()
                        }
                    }
                    __shape
                },
                ..::toolkit::__private::Definition::new(
                    "order_status",
                    "Looks up one order.",
                    ::toolkit::__private::Category::Read,
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
    ::toolkit::__private::submit!(order_status);
};

use proc_macro2::TokenStream;
use quote::quote;

use super::derive;

fn mistakes(tokens: TokenStream) -> usize {
    derive(tokens).to_string().matches("compile_error").count()
}

#[test]
fn the_expansion_is_thin() {
    let emitted = derive(quote! {
        enum E {
            #[class(rate_limit, retry_after = wait, no_effect)]
            Busy { wait: Duration },
            #[class(delegate)]
            Io(io::Error),
        }
    });
    let expected = quote! {
        #[automatically_derived]
        impl ::toolkit::__private::Classify for E {
            fn classify(&self) -> ::toolkit::__private::Classification {
                match self {
                    Self::Busy { wait: __f0, .. } =>
                        ::toolkit::__private::Classification::new(::toolkit::__private::ErrorClass::RateLimit)
                            .retry_after(::toolkit::__private::wait::<Duration>(__f0))
                            .no_effect(),
                    Self::Io { 0: __f0, .. } => ::toolkit::__private::inner!(io::Error, __f0).verdict(),
                }
            }
            fn delegate(&self) -> ::toolkit::__private::Option<&(dyn ::toolkit::__private::Error + 'static)> {
                match self {
                    Self::Io { 0: __f0, .. } => ::toolkit::__private::inner!(io::Error, __f0).delegate(),
                    _ => ::toolkit::__private::None,
                }
            }
        }
        ::toolkit::__private::known! { E }
    };
    assert_eq!(emitted.to_string(), expected.to_string());
}

#[test]
fn only_what_is_one_type_is_known() {
    let known = |tokens| derive(tokens).to_string().contains("known !");
    assert!(known(quote!(
        #[class(timeout)]
        struct E;
    )));
    assert!(known(quote!(
        enum E {}
    )));
    assert!(!known(quote!(
        #[class(timeout)]
        struct E<T>(T);
    )));
    assert!(!known(quote!(
        #[class(timeout)]
        struct E<const N: usize>;
    )));
    assert!(!known(quote!(
        #[class(banana)]
        struct E;
    )));
}

#[test]
fn a_renamed_crate_is_the_only_one_named() {
    let options = quote!(retry_after(secs) = 0, detail("x") = 0, message = "{0}", no_effect);
    for sound in [quote!(#[class(rate_limit, #options)]), quote!(#[class(delegate, hidden, retry_after = 0)])] {
        let emitted = derive(quote!(#[class(crate = ::other)] #sound struct E<T>(T);)).to_string();
        assert!(emitted.contains(":: other :: __private") && !emitted.contains("toolkit"), "{emitted}");
    }
    let stub = derive(quote!(
        #[class(crate = ::other, banana)]
        struct E;
    ))
    .to_string();
    assert!(stub.contains(":: other :: __private :: Classify for E") && !stub.contains(":: toolkit"), "{stub}");
}

#[test]
fn a_mistake_leaves_a_stub() {
    for tokens in [
        quote!(
            struct E;
        ),
        quote!(
            struct E<T: Debug>(T)
            where
                T: Clone;
        ),
        quote!(
            enum E {
                A,
            }
        ),
        quote!(
            #[class(time_out)]
            struct E;
        ),
    ] {
        let emitted = derive(tokens.clone()).to_string();
        assert!(emitted.contains("compile_error") && emitted.contains("Classify for E"), "{tokens}: {emitted}");
    }
}

#[test]
fn each_mistake_is_one_error() {
    let one_each = quote! {
        enum E {
            A,
            #[class(timeout, network)] B,
            #[class(hidden)] C,
            #[class(timeout, hidden, hidden)] D,
            #[class(timeout, retry_after = x)] F { y: u8 },
            #[class(delegate)] G,
            #[class(timeout, "x")] H,
            #[class] I,
            #[class(timeout = 1)] J,
            #[class(timeout, message = "{a} {{")] K,
        }
    };
    assert_eq!(mistakes(one_each), 10);
}

#[rustfmt::skip]
const ODD: &[&str] = &[
    "", ",", ",,", "=", "= 1", "()", "(hidden)", "timeout,,hidden", "timeout =", "timeout = ,", "timeout()",
    "timeout(1)", "r#timeout = 1", "retry_after", "retry_after()", "retry_after() = x", "retry_after(secs)",
    "retry_after(secs, millis) = x", "retry_after = -1", "retry_after = 99999999999999999999999999999",
    "retry_after = 0u8", "retry_after = 1.5", "retry_after = a.b", "retry_after = [x]", "retry_after(secs) = \"x\"",
    "delegate = 7", "delegate(x)", "delegate = \"x\"", "detail", "detail()", "detail(\"\")", "detail(5) = x",
    "detail = 5", "message", "message = b\"x\"", "message = \"{\"", "message = \"}\"", "message = \"{:\"",
    "message = \"{0\"", "message = \"{x:{y}}\"", "message = \"{é}\"", "message = \"é{\"", "message = \"{}{}{}\"",
    "message = \"{x:.*}\"", "message = \"{x:y$}\"", "message = \"{:?}\"", "message = concat!(\"a\", \"b\")",
    "message(x) = \"y\"", "crate", "crate =", "crate = 5", "crate(x)", "crate = ::", "crate = a::", "crate = a<b>",
    "Self", "self", "_", "'a", "#", "$x", "timeout; hidden", "a::b", "連接", "r#fn",
];

/// Whatever stands in the parentheses, the answer is an error and never a panic.
#[test]
fn no_tokens_make_it_panic() {
    let odd: Vec<TokenStream> = ODD.iter().map(|text| text.parse().expect(text)).collect();
    for tokens in &odd {
        for input in [
            quote!(
                #[class(#tokens)]
                struct E {
                    x: u8,
                    y: u8,
                }
            ),
            quote!(
                #[class(#tokens)]
                struct E(u8, u8);
            ),
            quote!(
                enum E {
                    #[class(#tokens)]
                    A { x: u8, y: u8 },
                }
            ),
            quote!(
                #[class(#tokens)]
                enum E {
                    #[class(timeout)]
                    A,
                }
            ),
            quote!(#[class(#tokens)] union E { x: u8 }),
        ] {
            assert!(mistakes(input.clone()) > 0, "{input}");
        }
        let shapes = [
            quote!(#[class #tokens] struct E;),
            quote!(
                #[class[#tokens]]
                struct E;
            ),
            quote!(
                #[class{#tokens}]
                struct E;
            ),
        ];
        for input in shapes {
            assert!(mistakes(input.clone()) > 0, "{input}");
        }
    }
    for input in [
        quote!(),
        quote!(
            fn f() {}
        ),
        quote!(struct),
        quote!(enum E { A = 5, A(u8) = }),
    ] {
        assert!(mistakes(input.clone()) > 0, "{input}");
    }
}

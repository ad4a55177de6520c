declare const brand: unique symbol

/** A value of type `T` that only the code that checked it may mint. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }

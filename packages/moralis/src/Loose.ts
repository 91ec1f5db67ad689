/**
 * Type left open by the older package. An application passes the results of `get`, `data` or a function on to anything;
 * a narrower type would not compile after only its import changed.
 */
// biome-ignore lint/suspicious/noExplicitAny: the one place where the older types are kept as wide as they were
export type Loose = any

export type Attributes = Record<string, Loose>

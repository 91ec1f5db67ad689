/**
 * What the older types left open. An application hands what `get`, `data` or a function's answer gives it to whatever it
 * likes; with anything narrower it would not compile after its one import was changed.
 */
// biome-ignore lint/suspicious/noExplicitAny: the one place where the older types are kept as wide as they were
export type Loose = any

export type Attributes = Record<string, Loose>

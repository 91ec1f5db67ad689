import type { en } from './locales/en.ts'

export type MessageName = keyof typeof en

/** Every word of the sheet in one language. Give your own by the property `words`, one or all. */
export type SheetMessages = { readonly [Name in MessageName]: string }

type NameOf<Head extends string> = Head extends `${infer Name}, plural,${string}`
  ? Name
  : Head extends `${string}${' ' | '#'}${string}`
    ? never
    : Head

/** The names between braces, of a text that is known to the compiler. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Head}}${infer Rest}`
  ? NameOf<Head> | NamesIn<Rest>
  : never

/** A number or a day is written, and several texts are listed, as the language does it. */
export type MessageValue = string | number | bigint | Date | readonly string[]

/** Placeholder values of a phrase. */
export type MessageValues<Text extends string, Value = MessageValue> = { readonly [Key in NamesIn<Text>]: Value }

export type ValuesOf<Name extends MessageName> = MessageValues<(typeof en)[Name]>

import type { en } from './locales/en.ts'

type Loader = () => Promise<{ readonly words: SheetMessages }>

/** The languages besides English, which is always there; each is loaded when it is spoken. */
export const languages = {
  de: () => import('./locales/de.ts'),
  es: () => import('./locales/es.ts'),
  fr: () => import('./locales/fr.ts'),
  pt: () => import('./locales/pt.ts'),
  zh: () => import('./locales/zh.ts'),
  ja: () => import('./locales/ja.ts'),
  ar: () => import('./locales/ar.ts'),
} satisfies Record<string, Loader>

/** What the sheet speaks: English, German, Spanish, French, Portuguese, Chinese (simplified), Japanese, Arabic. */
export type Language = 'en' | keyof typeof languages

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

/** What a phrase wants filled in. */
export type MessageValues<Text extends string, Value = MessageValue> = { readonly [Key in NamesIn<Text>]: Value }

export type ValuesOf<Name extends MessageName> = MessageValues<(typeof en)[Name]>

import { languages, type MailLanguage } from './languages.ts'
import { plainText } from './plainText.ts'
import { en } from './words/en.ts'

type English = typeof en

/** A text of our own making, such as a link; it is put into a mail as it is. Any other may be a stranger's. */
export type Own = { readonly own: string }
export const own = (text: string): Own => ({ own: text })

type Value = string | Own
type ValuesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Each in Name]: Value } & ValuesIn<Rest>
  : unknown

/** A text of a mail with its places filled in. */
export type Say = <Name extends keyof English>(
  name: Name,
  ...values: unknown extends ValuesIn<English[Name]> ? [] : [ValuesIn<English[Name]>]
) => string

/** Speaks a language; undefined is English. */
export async function sayIn(language: MailLanguage | undefined): Promise<Say> {
  const words = language ? (await languages[language]()).words : en
  return (name, ...[values]) => fill(words[name], (values ?? {}) as Record<string, Value>)
}

/** In one pass: what is filled in may hold braces of its own, and a stranger chose some of it. */
function fill(text: string, values: Record<string, Value>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    return typeof value === 'string' ? plainText(value) : value.own
  })
}

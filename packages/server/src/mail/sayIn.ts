import { languages, type MailLanguage } from './languages.ts'
import { en } from './words/en.ts'

type English = typeof en
type ValuesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Each in Name]: string } & ValuesIn<Rest>
  : unknown

/** A text of a mail with its places filled in. */
export type Say = <Name extends keyof English>(
  name: Name,
  ...values: unknown extends ValuesIn<English[Name]> ? [] : [ValuesIn<English[Name]>]
) => string

/** Speaks a language; undefined is English. */
export async function sayIn(language: MailLanguage | undefined): Promise<Say> {
  const words = language ? (await languages[language]()).words : en
  return (name, ...[values]) => fill(words[name], (values ?? {}) as Record<string, string>)
}

/** In one pass: what is filled in may hold braces of its own, and a stranger chose some of it. */
function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
}

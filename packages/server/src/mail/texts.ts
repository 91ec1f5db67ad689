import { en, type MailWords } from './words/en.ts'

/** Languages of mails besides English, each loaded with its first mail. */
export const languages: { readonly [Language in MailLanguage]: () => Promise<{ words: MailWords }> } = {
  ar: () => import('./words/ar.ts'),
  de: () => import('./words/de.ts'),
  es: () => import('./words/es.ts'),
  fr: () => import('./words/fr.ts'),
  ja: () => import('./words/ja.ts'),
  pt: () => import('./words/pt.ts'),
  zh: () => import('./words/zh.ts'),
}

export type MailLanguage = 'ar' | 'de' | 'es' | 'fr' | 'ja' | 'pt' | 'zh'

function isMailLanguage(value: unknown): value is MailLanguage {
  return typeof value === 'string' && Object.hasOwn(languages, value)
}

/**
 * Chooses a mail's language: the account's own, else the supported one that the caller's browser prefers
 * (Accept-Language). Undefined is English.
 */
export function chooseLanguage(chosen: unknown, accepted?: string): MailLanguage | undefined {
  if (isMailLanguage(chosen)) return chosen
  if (chosen === 'en') return undefined
  const wanted = (accepted ?? '')
    .slice(0, 500)
    .split(',')
    .map(readRange)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .find(({ language }) => language === 'en' || isMailLanguage(language))?.language
  return isMailLanguage(wanted) ? wanted : undefined
}

/** `de-AT;q=0.8` */
function readRange(range: string): { language: string | undefined; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
  return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) || 0 }
}

const simpleAddress = /^[A-Za-z0-9._-]{1,64}@[A-Za-z0-9.-]{1,255}$/

const longestGreetedName = 40

/**
 * Greeting of a mail: the username, unless it looks like a link or a message. Many usernames are an address; it is
 * shown if the mail goes to that address.
 */
export function greet(say: Say, { username, email }: { username: string; email: string }): string | Own {
  if (username.toLowerCase() === email.toLowerCase() && simpleAddress.test(email)) return own(email)
  const isName = isPlain(username) && !number.test(username.normalize('NFKC')) && username.length <= longestGreetedName
  return isName ? username : own(say('reader'))
}

/**
 * Text that mail programs turn into links: a scheme (`https:`, `tel:`, `mailto:` or any other), `www.`, a name with a dot
 * and letters after it, an address, a network share.
 */
const link =
  /:\/\/|(?<![a-z0-9])[a-z][a-z0-9+.-]*:\S|www\.|@|\\\\|[\p{L}\p{M}\p{N}\p{S}_-][.\u3002\uff61]\p{L}\p{M}*\p{L}/iu

/** Text that phones make links of: telephone numbers, network addresses. Devices and times hold the like, names need not. */
const number = /(?<![\p{L}\p{N}])[+(]?\p{Nd}(?:[\s()./-]*\p{Nd}){6,}|\d(?:\.\d+){3}/u

/** Long enough for a user name or a device; more would be a letter of its own. */
const longestQuoted = 100

/**
 * A stranger's text in a form that is safe for a mail: one line, without characters that control, hide or reverse text,
 * and without anything that a mail program turns into a link. A person who signs up chooses both a name and the
 * recipient of the mail about it: such a mail must contain nothing of theirs to click on.
 */
function plainText(text: string): string {
  const clean = text
    .slice(0, 500)
    // Full-width letters and dots are links, too.
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    // Direction marks, zero-width and private characters, halves of pairs.
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
    .split(' ')
    .map((word) => (link.test(word) ? '…' : word))
    .join(' ')
    .trim()
  return [...clean].slice(0, longestQuoted).join('')
}

/** Returns true if a text can be shown as it is. A name that would lose a link or hidden characters is not shown. */
function isPlain(text: string): boolean {
  return text.trim() !== '' && plainText(text) === text.trim().normalize('NFKC')
}

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

/** One pass: values may contain braces, and strangers choose some of them. */
function fill(text: string, values: Record<string, Value>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    return typeof value === 'string' ? plainText(value) : value.own
  })
}

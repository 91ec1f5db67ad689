import { i18n } from './translate.ts'

/** A format of `Intl`, made once for each locale that is spoken. */
export function byLocale<Format>(create: (locale: string) => Format): () => Format {
  let made: { locale: string; format: Format } | undefined
  return () => {
    const { locale } = i18n.get()
    if (made?.locale !== locale) made = { locale, format: create(locale) }
    return made.format
  }
}

const dateFormat = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }))

export function formatDate(date: Date): string {
  return dateFormat().format(date)
}

const timeFormat = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }))

/** A day and a time of day. */
export function formatTime(date: Date): string {
  return timeFormat().format(date)
}

const dayFormat = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
const clockFormat = byLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))

/** The time of day; with the day if that is another one. */
export function formatMoment(date: Date): string {
  const isToday = date.toDateString() === new Date().toDateString()
  return (isToday ? clockFormat() : dayFormat()).format(date)
}

const numberFormat = byLocale((locale) => new Intl.NumberFormat(locale))

export function formatNumber(value: number | bigint): string {
  return numberFormat().format(value)
}

/** The sign between a whole number and its fraction. */
export const getDecimalSign = byLocale(
  (locale) => new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.',
)

const listFormat = byLocale((locale) => new Intl.ListFormat(locale, { style: 'short', type: 'unit' }))

/** Several things beside each other: `Password, 1 passkey, 2 wallets`. */
export function formatList(items: readonly string[]): string {
  return listFormat().format(items)
}

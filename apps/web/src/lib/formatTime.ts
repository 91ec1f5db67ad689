import { byLocale } from './byLocale.ts'

const getFormat = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }))

/** A day and a time of day. */
export function formatTime(date: Date): string {
  return getFormat().format(date)
}

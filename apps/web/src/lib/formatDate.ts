import { byLocale } from './byLocale.ts'

const getFormat = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }))

export function formatDate(date: Date): string {
  return getFormat().format(date)
}

import { byLocale } from './byLocale.ts'

const getFormat = byLocale((locale) => new Intl.NumberFormat(locale))

export function formatNumber(value: number | bigint): string {
  return getFormat().format(value)
}

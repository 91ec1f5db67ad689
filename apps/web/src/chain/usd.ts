import { byLocale } from '../i18n/format.ts'

/** Dollars are counted in parts of this, as whole numbers. */
const parts = 18

/** Dollars as the server writes them (`128309.91`), exactly. */
export function readUsd(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, parts).padEnd(parts, '0'))
}

const getCents = byLocale((locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }))
const smallest = 10n ** BigInt(parts - 2)

/** `$1,234.50`; amounts below a cent are shown as such. */
export function formatUsd(value: bigint): string {
  if (value > 0n && value < smallest) return inOrder(`< ${getCents().format(0.01)}`)
  // Whole cents as text, so that no large sum passes through a floating number.
  const rounded = (value + smallest / 2n) / smallest
  return inOrder(getCents().format(`${rounded / 100n}.${String(rounded % 100n).padStart(2, '0')}` as `${number}`))
}

/** Among words from right to left “US$” would be turned round: the amount is kept apart, as the digits are written. */
const inOrder = (amount: string) =>
  document.documentElement.dir === 'rtl' ? `\u2066${amount.replace(/[\u200e\u200f]/g, '')}\u2069` : amount

/** For a place on a chart, where a pixel is coarser than any error. */
export const chartUsd = (value: bigint): number => Number(value / 10n ** BigInt(parts - 4)) / 10_000

import { byLocale } from '../byLocale.ts'
import { formatNumber } from '../formatNumber.ts'

/** An amount as people read it, split where it gets small; both together are every digit of it. */
export type AmountParts = { main: string; rest: string }

const getSeparator = byLocale(
  (locale) => new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.',
)

/** Formats units of a token without going through a floating number: nothing is rounded, nothing is lost. */
export function formatAmount(amount: bigint, decimals: number, bright = 6): AmountParts {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  const whole = sign + formatNumber(BigInt(digits.slice(0, cut)))
  const fraction = digits.slice(cut).replace(/0+$/, '')
  if (!fraction) return { main: whole, rest: '' }
  // A small amount begins where its first digit is, however far behind the point that lies.
  const shown = whole === '0' ? Math.max(bright, fraction.search(/[1-9]/) + 2) : bright
  return { main: `${whole}${getSeparator()}${fraction.slice(0, shown)}`, rest: fraction.slice(shown) }
}

import { getDecimalSign } from '../../i18n/format.ts'

export type AmountProblem = 'missing' | 'unreadable' | 'zero' | 'decimals'

/**
 * Parses an amount into the smallest unit. The point is accepted in every language, the comma where it is the decimal
 * sign. Ambiguous input (fraction or thousands) is rejected, because it is money.
 */
export function readAmount(text: string, decimals: number, decimalSign = getDecimalSign()): bigint | AmountProblem {
  const typed = toLatinDigits(text.trim())
  if (typed === '') return 'missing'
  const isComma = decimalSign === ','
  if (isComma && /^[1-9]\d{0,2}(\.\d{3})+$/.test(typed)) return 'unreadable'
  const plain = isComma ? typed.replace(',', '.') : typed
  const match = /^(\d{0,60})(?:\.(\d{0,80}))?$/.exec(plain)
  if (!match || !/\d/.test(plain)) return 'unreadable'
  const [, whole = '', fraction = ''] = match
  const used = fraction.replace(/0+$/, '')
  if (used.length > decimals) return 'decimals'
  const amount = BigInt(whole + used.padEnd(decimals, '0') || '0')
  return amount === 0n ? 'zero' : amount
}

/** Keyboards of Arabic and Japanese have digits of their own. */
function toLatinDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace('\u066b', '.')
}

/** An amount as it is typed: every digit, no thousands, the point as its sign. */
export function writeAmount(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  return `${digits.slice(0, cut)}.${digits.slice(cut)}`.replace(/\.?0*$/, '')
}

import { readDecimals, type UnitName } from './readDecimals.ts'
import { type IntegerLike, readInteger } from './readInteger.ts'

/**
 * An amount in its smallest unit, as people write it: with at least one decimal where the unit has any.
 *
 * @example
 * formatUnits(1500000000n, 'gwei') // '1.5'
 * formatUnits(10n ** 18n) // '1.0'
 */
export function formatUnits(value: IntegerLike, unit: UnitName | number = 'ether'): string {
  const decimals = readDecimals(unit)
  const amount = readInteger(value)
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  if (decimals === 0) return sign + digits
  let end = digits.length
  const point = digits.length - decimals
  while (end > point + 1 && digits[end - 1] === '0') end--
  return `${sign}${digits.slice(0, point)}.${digits.slice(point, end)}`
}

import { HelperError, type IntegerLike, readInteger, show } from '@countersign/react/adapter'

const names = ['wei', 'kwei', 'mwei', 'gwei', 'szabo', 'finney', 'ether'] as const

export type UnitName = (typeof names)[number]

/** How many decimals a unit has: by its name, or from 0 to 256. */
function readDecimals(unit: UnitName | number | string | bigint): number {
  const index = (names as readonly unknown[]).indexOf(unit)
  if (index >= 0) return 3 * index
  const decimals = /^(0x[0-9a-f]+|[0-9]+)$/i.test(String(unit)) && typeof unit !== 'object' ? Number(unit) : Number.NaN
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 256) {
    const details = `${show(unit)} is neither one of ${names.join(', ')} nor a number from 0 to 256.`
    throw new HelperError('invalid decimal size', 'INVALID_ARGUMENT', details)
  }
  return decimals
}

/**
 * An amount as people write it, in its smallest unit. Decimals that the unit does not have are an error; nothing is
 * rounded.
 *
 * @example
 * parseUnits('1.5', 'gwei') // 1500000000n
 * parseUnits('1.5', 6) // 1500000n
 */
export function parseUnits(value: string, unit: UnitName | number = 'ether'): bigint {
  if (typeof value !== 'string') throw refuse('value must be a string', `${show(value)} was given.`)
  const decimals = readDecimals(unit)
  if (!/^-?[0-9.]+$/.test(value)) throw refuse('invalid decimal value', `${show(value)} is not a decimal number.`)
  const isNegative = value.startsWith('-')
  const digits = isNegative ? value.slice(1) : value
  if (digits === '.') throw refuse('missing value', 'There is a decimal point but no digit.')
  const parts = digits.split('.')
  if (parts.length > 2) throw refuse('too many decimal points', `${show(value)} has more than one.`)
  const [whole, fraction = ''] = parts
  const needed = trimZeros(fraction)
  if (needed.length > decimals) {
    const details = `${show(value)} has more than ${decimals} decimals.`
    throw new HelperError('fractional component exceeds decimals', 'NUMERIC_FAULT', details)
  }
  const amount = BigInt(`${whole || '0'}${needed.padEnd(decimals, '0')}`)
  return isNegative ? -amount : amount
}

/** By hand: on long runs of zeros inside, a pattern would try again from each of them. */
function trimZeros(fraction: string): string {
  let end = fraction.length
  while (fraction[end - 1] === '0') end--
  return fraction.slice(0, end)
}

/**
 * An amount of ether, in wei.
 *
 * @example
 * parseEther('0.05') // 50000000000000000n
 */
export function parseEther(ether: string): bigint {
  return parseUnits(ether, 18)
}

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

/**
 * An amount of wei, in ether.
 *
 * @example
 * formatEther(50000000000000000n) // '0.05'
 */
export function formatEther(wei: IntegerLike): string {
  return formatUnits(wei, 18)
}

/**
 * A decimal number with a comma between the thousands.
 *
 * @example
 * commify('1234567.80') // '1,234,567.8'
 */
export function commify(value: string | number | bigint): string {
  const text = String(value)
  const match = text.match(/^(-?)([0-9]*)(?:(\.)([0-9]*))?$/)
  if (!match || text === '.' || text === '-.') {
    throw new HelperError('invalid value', 'INVALID_ARGUMENT', `${show(value)} is not a decimal number.`)
  }
  const [, sign, whole = '', point, fraction = ''] = match
  const grouped = (whole.replace(/^0+/, '') || '0').replace(/\B(?=(?:[0-9]{3})+$)/g, ',')
  if (!point) return `${sign}${grouped}`
  let end = fraction.length
  while (end > 1 && fraction[end - 1] === '0') end--
  return `${sign}${grouped}.${fraction.slice(0, end) || '0'}`
}

function refuse(reason: string, details: string): HelperError {
  return new HelperError(reason, 'INVALID_ARGUMENT', details)
}

import { HelperError } from './HelperError.ts'
import { readDecimals, type UnitName } from './readDecimals.ts'
import { show } from './show.ts'

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
  if (!/^-?[0-9.]+$/.test(value)) throw refuse('invalid decimal value', `${show(value)} is no decimal number.`)
  const isNegative = value.startsWith('-')
  const digits = isNegative ? value.slice(1) : value
  if (digits === '.') throw refuse('missing value', 'There is a point and no digit.')
  const parts = digits.split('.')
  if (parts.length > 2) throw refuse('too many decimal points', `${show(value)} has more than one.`)
  const [whole, fraction = ''] = parts
  const needed = trimZeros(fraction)
  if (needed.length > decimals) {
    const mend = `${show(value)} has more than ${decimals} decimals.`
    throw new HelperError('fractional component exceeds decimals', 'NUMERIC_FAULT', mend)
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

function refuse(reason: string, mend: string): HelperError {
  return new HelperError(reason, 'INVALID_ARGUMENT', mend)
}

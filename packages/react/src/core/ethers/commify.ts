import { HelperError } from './HelperError.ts'
import { show } from './show.ts'

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
    throw new HelperError('invalid value', 'INVALID_ARGUMENT', `${show(value)} is no decimal number.`)
  }
  const [, sign, whole = '', point, fraction = ''] = match
  const grouped = (whole.replace(/^0+/, '') || '0').replace(/\B(?=(?:[0-9]{3})+$)/g, ',')
  if (!point) return `${sign}${grouped}`
  let end = fraction.length
  while (end > 1 && fraction[end - 1] === '0') end--
  return `${sign}${grouped}.${fraction.slice(0, end) || '0'}`
}

import { HelperError } from './HelperError.ts'
import { show } from './show.ts'

const names = ['wei', 'kwei', 'mwei', 'gwei', 'szabo', 'finney', 'ether'] as const

export type UnitName = (typeof names)[number]

/** How many decimals a unit has: by its name, or from 0 to 256. */
export function readDecimals(unit: UnitName | number | string | bigint): number {
  const index = (names as readonly unknown[]).indexOf(unit)
  if (index >= 0) return 3 * index
  const decimals = /^(0x[0-9a-f]+|[0-9]+)$/i.test(String(unit)) && typeof unit !== 'object' ? Number(unit) : Number.NaN
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 256) {
    const mend = `${show(unit)} is neither one of ${names.join(', ')} nor a number from 0 to 256.`
    throw new HelperError('invalid decimal size', 'INVALID_ARGUMENT', mend)
  }
  return decimals
}

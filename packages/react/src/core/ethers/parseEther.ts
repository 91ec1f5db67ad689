import { parseUnits } from './parseUnits.ts'

/**
 * An amount of ether, in wei.
 *
 * @example
 * parseEther('0.05') // 50000000000000000n
 */
export function parseEther(ether: string): bigint {
  return parseUnits(ether, 18)
}

import { formatUnits } from './formatUnits.ts'
import type { IntegerLike } from './readInteger.ts'

/**
 * An amount of wei, in ether.
 *
 * @example
 * formatEther(50000000000000000n) // '0.05'
 */
export function formatEther(wei: IntegerLike): string {
  return formatUnits(wei, 18)
}

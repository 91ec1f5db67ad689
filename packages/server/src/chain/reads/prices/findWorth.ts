import type { TokenPrice } from './TokenPrice.ts'

/**
 * What an amount of a token is worth, in the unit of its price in dollars. No more than what lies in the pool: whoever
 * puts one dollar beside one grain of a token of his own gives it any price, and then sends it to strangers.
 */
export function findWorth({ usd, most }: TokenPrice, amount: bigint, decimals: number): bigint | undefined {
  if (!usd) return undefined
  const value = (usd.value * amount) / 10n ** BigInt(decimals)
  return most !== undefined && value > most ? most : value
}

import { createHash } from 'node:crypto'

/**
 * The accounts of a synthetic chain, by their number: the same in every run.
 *
 * @param {number} index
 * @param {number} [seed]
 */
export const accountOf = (index, seed = 1) =>
  `0x${createHash('sha256').update(`account ${seed} ${index}`).digest('hex').slice(0, 40)}`

/** Native balance of an account on a synthetic chain. @param {string} address */
export const balanceOf = (address) => BigInt(address.slice(0, 18))

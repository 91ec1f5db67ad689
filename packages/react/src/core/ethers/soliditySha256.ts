import { sha256 } from 'viem'
import { solidityPack } from './solidityPack.ts'

/**
 * The SHA-256 hash of packed values, as `sha256(abi.encodePacked(…))` in Solidity.
 *
 * @example
 * const hash = soliditySha256(['string'], ['hello'])
 */
export function soliditySha256(types: readonly string[], values: readonly unknown[]): `0x${string}` {
  return sha256(solidityPack(types, values))
}

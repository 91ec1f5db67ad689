import { keccak256 } from 'viem'
import { solidityPack } from './solidityPack.ts'

/**
 * The Keccak-256 hash of packed values, as `keccak256(abi.encodePacked(…))` in Solidity.
 *
 * @example
 * const hash = solidityKeccak256(['address', 'uint256'], ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 5n])
 */
export function solidityKeccak256(types: readonly string[], values: readonly unknown[]): `0x${string}` {
  return keccak256(solidityPack(types, values))
}

import { keccak_256 } from '@noble/hashes/sha3'

/** The address of a public key, in lower case. @param {Uint8Array} publicKey uncompressed */
export function readAddress(publicKey) {
  return `0x${Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex')}`
}

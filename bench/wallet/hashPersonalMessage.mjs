import { keccak_256 } from '@noble/hashes/sha3'

/** Hash that `personal_sign` signs (EIP-191). @param {string} text */
export function hashPersonalMessage(text) {
  const body = Buffer.from(text)
  return keccak_256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${body.length}`), body]))
}

import { keccak_256 } from '@noble/hashes/sha3'

/** EIP-55. @param {string} address in lower case */
export function checksumAddress(address) {
  const hash = Buffer.from(keccak_256(address.slice(2))).toString('hex')
  return address.replace(/[a-f]/g, (letter, index) =>
    Number.parseInt(hash[index - 2] ?? '', 16) > 7 ? letter.toUpperCase() : letter,
  )
}

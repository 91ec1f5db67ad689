import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const known = new Map<string, `0x${string}`>()
const most = 5000

/** An EVM address in the letters that its checksum asks for (ERC-55); anything else as it is. */
export function checksumAddress(address: string): `0x${string}` {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return address as `0x${string}`
  const plain = address.toLowerCase()
  const before = known.get(plain)
  if (before) return before
  const hash = bytesToHex(keccak_256(utf8ToBytes(plain.slice(2))))
  const letters = Array.from(plain.slice(2), (letter, place) =>
    Number.parseInt(hash[place] ?? '0', 16) > 7 ? letter.toUpperCase() : letter,
  )
  const written = `0x${letters.join('')}` as const
  if (known.size >= most) known.clear()
  known.set(plain, written)
  return written
}

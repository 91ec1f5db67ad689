import type { Header } from './readHeader.ts'

// The three bits of each topic in the bloom of a header, as Keccak-256 of the topic gives them.
const bits: readonly (readonly [number, number, number])[] = [
  [1443, 481, 1060],
  [43, 1549, 339],
  [25, 370, 1115],
]

/** Whether a block may hold transfers, by the bloom of its header: most questions for logs of such blocks are saved. */
export function mayHoldTransfers({ isEmpty, logsBloom }: Pick<Header, 'isEmpty' | 'logsBloom'>): boolean {
  // Some chains leave the bloom out, or empty whatever the block holds.
  if (logsBloom.length !== 514 || /^0x0+$/.test(logsBloom)) return !isEmpty
  return bits.some((three) => three.every((bit) => isSet(logsBloom, bit)))
}

function isSet(bloom: string, bit: number): boolean {
  const digit = Number.parseInt(bloom.charAt(513 - (bit >> 2)), 16)
  return (digit & (1 << (bit & 3))) !== 0
}

/** Whether two texts name one account: the case of the letters is a mere checksum for EVM and counts for Solana. */
export function isSameAddress(one: string, other: string): boolean {
  return one.startsWith('0x') ? one.toLowerCase() === other.toLowerCase() : one === other
}

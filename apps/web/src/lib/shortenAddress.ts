/** `0x12ab…34cd`: enough to tell one's own accounts apart. */
export function shortenAddress(address: string): string {
  return address.length > 13 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}

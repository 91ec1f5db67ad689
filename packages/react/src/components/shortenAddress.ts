/** An address as people compare it: its beginning and its end. */
export function shortenAddress(address: string | undefined): string | undefined {
  return address && address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}

/**
 * An address as people compare it, by its beginning and its end; the sheet shows accounts like this.
 *
 * @example
 * shortenAddress('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045') // '0xd8dA…6045'
 */
export function shortenAddress(address: string): string
export function shortenAddress(address: string | undefined): string | undefined
export function shortenAddress(address: string | undefined): string | undefined {
  return address && address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}

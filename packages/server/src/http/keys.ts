import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'

/** Of any key that the configuration takes. */
const longest = 200

/** Equal or not, in a time that does not tell how much of it was right. */
export function sameKey(given: string, right: string): boolean {
  return given.length <= longest && timingSafeEqual(digest(given), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Addresses and networks (`10.0.0.0/8`) as a test for an address. */
export function createAddressList(entries: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = address.startsWith('::ffff:') ? address.slice(7) : address
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

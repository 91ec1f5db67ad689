import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

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

/** Returns true if a trusted proxy named the caller. */
export function isForwarded({ ips }: Pick<FastifyRequest, 'ips'>): boolean {
  return ips !== undefined && ips.length > 1
}

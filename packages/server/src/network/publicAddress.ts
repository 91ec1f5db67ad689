import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIPv4, type LookupFunction } from 'node:net'

/** Networks that are not the internet: this machine, private networks, the metadata of clouds, and what wraps them. */
const ranges4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

const ranges6 = ['64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const refused = new BlockList()

for (const [ranges, family] of [
  [ranges4, 'ipv4'],
  [ranges6, 'ipv6'],
] as const) {
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    refused.addSubnet(address, Number(bits), family)
  }
}

const internet6 = new BlockList()

internet6.addSubnet('2000::', 3, 'ipv6')

/** Returns true for a public IP address. IPv4-mapped IPv6 addresses count as not public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4')
  const plain = address.split('%', 1)[0] ?? ''
  return internet6.check(plain, 'ipv6') && !refused.check(plain, 'ipv6')
}

/**
 * Finds the address of a name for a connection, and refuses what leads into a private network. Judged in the very
 * look-up that the connection is made by: a name cannot lead elsewhere a moment later.
 */
export const lookupPublic =
  (refusal: (hostname: string) => Error): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0)
      const odd = addresses.find(({ address }) => !isPublicAddress(address))
      if (odd) return callback(refusal(hostname), '', 0)
      const [first] = addresses
      if (!first) return callback(new Error(`${hostname} has no IP address.`), '', 0)
      if (options.all) return (callback as unknown as (error: null, all: LookupAddress[]) => void)(null, addresses)
      callback(null, first.address, first.family)
    })
  }

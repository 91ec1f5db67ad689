import { BlockList, isIPv4 } from 'node:net'

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

/** Whether an IP address belongs to the internet at large. IPv4 in IPv6 clothes counts as what it is: not at all. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4')
  const plain = address.split('%', 1)[0] ?? ''
  return internet6.check(plain, 'ipv6') && !refused.check(plain, 'ipv6')
}

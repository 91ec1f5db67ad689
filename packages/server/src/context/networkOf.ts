import { isIPv6 } from 'node:net'

/**
 * What counts as one address where requests are counted. Whoever has IPv6 has a whole /64 of them and may come from
 * another one each time; IPv4 in IPv6 clothes is the IPv4 address.
 */
export function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? ''
  if (!isIPv6(plain)) return address
  const groups = readGroups(plain)
  if (!groups.slice(0, 5).every((group) => group === 0) || groups[5] !== 0xffff) {
    return `${groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(':')}::/64`
  }
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/** The eight numbers of an address, of which some may be left out or written as IPv4. */
function readGroups(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((side) => side.split(':').filter(Boolean).flatMap(readPart))
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function readPart(part: string): number[] {
  if (!part.includes('.')) return [Number.parseInt(part, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

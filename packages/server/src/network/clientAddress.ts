import { BlockList, isIPv4, isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../config/Config.ts'

const forwardedHeader = 'x-forwarded-for'

/** Address of a caller whom a proxy did not name. In no allowlist, and counted as one caller. */
export const unknownAddress = '0.0.0.0'

/**
 * Writes the addresses of `X-Forwarded-For` in one form each. Proxies add ports, brackets and zones, and pass on
 * whatever a client wrote: with each spelling counted as a caller of its own, no limit would hold. Nonsense stays in its
 * place as the unknown address, so that it is neither the proxy's own nor that of this machine.
 */
export function normalizeForwarded(headers: { [name: string]: string | string[] | undefined }): void {
  const given = headers[forwardedHeader]
  if (given === undefined) return
  headers[forwardedHeader] = String(given)
    .split(',')
    .map((each) => normalizeAddress(each.trim()) ?? unknownAddress)
    .join(', ')
}

/** An IP address without port, brackets and zone; IPv4 in IPv6 clothes as IPv4. `undefined` for anything else. */
function normalizeAddress(text: string): string | undefined {
  // The longest IPv6 address has 45 letters; with brackets, zone and port it has fewer than this.
  if (text.length > 100) return undefined
  const [, bracketed, plain = bracketed] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? []
  const [address = ''] = (plain ?? text).split('%', 1)
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const groups = readGroups(address)
  return readMapped(groups) ?? groups.map((group) => group.toString(16)).join(':')
}

/**
 * Network that counts as one client for limits. An IPv6 client has a whole /64 and may change its address each time; an
 * IPv4-mapped address counts as IPv4.
 */
export function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? ''
  if (!isIPv6(plain)) return address
  const groups = readGroups(plain)
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return readMapped(groups) ?? `${network.join(':')}::/64`
}

/** The IPv4 address that IPv6 groups wrap. */
function readMapped(groups: number[]): string | undefined {
  if (!groups.slice(0, 5).every((group) => group === 0) || groups[5] !== 0xffff) return undefined
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
export function isForwarded({ ips }: { readonly ips?: readonly string[] | undefined }): boolean {
  return ips !== undefined && ips.length > 1
}

/** Returns true if the proxy of this address, that many hops away, may name the caller. */
type IsTrusted = (address: string, hop: number) => boolean

/** Absent where no proxy is trusted. */
export function isTrustedProxy({ trustProxy }: Pick<Config, 'trustProxy'>): IsTrusted | undefined {
  if (trustProxy === false || trustProxy === 0) return undefined
  if (trustProxy === true) return () => true
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  return proxyAddr.compile(
    typeof trustProxy === 'string' ? trustProxy.split(',').map((each) => each.trim()) : trustProxy,
  )
}

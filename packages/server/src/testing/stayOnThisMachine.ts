import dns from 'node:dns'
import { isIP } from 'node:net'
import { vi } from 'vitest'

/** Packages that call hosts of their maker's when they start reach none: no name but this machine's leads anywhere. */
export function stayOnThisMachine(): void {
  const { lookup } = dns
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: unknown[]) => {
    if (name === 'localhost' || isIP(name)) return Reflect.apply(lookup, dns, [name, ...rest])
    const done = rest.at(-1) as (error: Error) => void
    queueMicrotask(() => done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })))
  }) as typeof dns.lookup)
}

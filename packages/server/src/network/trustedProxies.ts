import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../config/Config.ts'

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

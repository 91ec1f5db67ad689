import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './isPublicAddress.ts'

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
      if (!first) return callback(new Error(`${hostname} leads nowhere.`), '', 0)
      if (options.all) return (callback as unknown as (error: null, all: LookupAddress[]) => void)(null, addresses)
      callback(null, first.address, first.family)
    })
  }

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context/Context.ts'
import type { Keys } from '../../keys/loadKeys.ts'
import type { Claims } from './claims.ts'

/** Accepts the master key, or the previous one during a rotation. */
export function isMasterKey(keys: Keys, given: string): boolean {
  return isMasterPrint(keys, fingerprintOf(given))
}

function isMasterPrint(keys: Keys, given: Fingerprint): boolean {
  const isFormer = keys.formerMasterKey !== undefined && isPrintOf(given, keys.formerMasterKey)
  return isPrintOf(given, keys.masterKey) || isFormer
}

/** Rights that keys give, without a session. `none` where they do not even open the application. */
type KeyRights = 'full' | 'readOnly' | 'client' | 'none'

/** Returns a judgment of the claimed keys that can be repeated when keys change. It holds their fingerprints alone. */
export function createKeyJudge({ keys, config }: Context, claims: Claims, neededKeys: string[]): () => KeyRights {
  const { applicationId } = claims
  const master = claims.masterKey === undefined ? undefined : fingerprintOf(claims.masterKey)
  const given = neededKeys.length > 0 ? claims.keys.map(fingerprintOf) : []
  const isBearer = claims.bearer !== undefined
  return () => {
    // The token is checked later, and says more than the id. With a wrong id it is for another server.
    if (isBearer && (applicationId === undefined || applicationId === keys.appId)) return 'client'
    if (applicationId !== keys.appId) return 'none'
    if (master && isMasterPrint(keys, master)) return 'full'
    const { readOnlyMasterKey } = config
    if (master && readOnlyMasterKey !== undefined && isPrintOf(master, readOnlyMasterKey)) return 'readOnly'
    const isNamed = neededKeys.length === 0 || given.some((print) => neededKeys.some((key) => isPrintOf(print, key)))
    return isNamed ? 'client' : 'none'
  }
}

/** Of any key that the configuration takes. */
const longestKey = 200

/** Equal or not, in a time that does not tell how much of it was right. */
export function sameKey(given: string, right: string): boolean {
  return isPrintOf(fingerprintOf(given), right)
}

/** SHA-256 of a key that a caller sent; `undefined` for one that is too long to be any. */
type Fingerprint = Buffer | undefined

function fingerprintOf(given: string): Fingerprint {
  return given.length <= longestKey ? digest(given) : undefined
}

function isPrintOf(given: Fingerprint, right: string): boolean {
  return given !== undefined && timingSafeEqual(given, digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

import { CountersignError, longest, type WireFields, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { refuseLong } from '../../endpoint/parseRequest.ts'
import type { Namespace } from '../Account.ts'

/**
 * Wallet names of older clients, with their namespace. Two others are off: `moralisErd` carries no signature at all,
 * and `moralisDot` signs with a curve that is not offered here.
 */
const providers: ReadonlyMap<string, Namespace> = new Map([
  ['moralisEth', 'eip155'],
  ['moralisSol', 'solana'],
])

export type ProviderProof = { provider: string; namespace: Namespace; id: string; signature?: string; data?: string }

/**
 * The sign-in methods that a body names. `null` in the place of one is no order to take a wallet away: an older client sends
 * it for all wallets when it unlinked one of them. The wallets themselves are the truth. The anonymous id is for
 * `readAnonymousId`.
 */
export function readAuthData(value: WireValue | undefined): ProviderProof[] {
  if (value === undefined || value === null) return []
  // A field that is taken out, as for any other; sign-in methods stay.
  if (Reflect.get(Object(value), '__op') === 'Delete') return []
  if (typeof value !== 'object' || Array.isArray(value)) throw unsupported()
  return Object.entries(value).flatMap(([provider, fields]) => {
    if (fields === null || provider === 'anonymous') return []
    const namespace = providers.get(provider)
    // Other providers are for `readProviders`, which rejects unknown ones.
    if (!namespace) return []
    return [{ provider, namespace, ...readFields(provider, fields) }]
  })
}

function readFields(provider: string, fields: WireValue | undefined): Pick<ProviderProof, 'id' | 'signature' | 'data'> {
  const { id, signature, data } = (typeof fields === 'object' ? fields : {}) as Record<string, WireValue | undefined>
  const texts = typeof id === 'string' && isTextOrNone(signature) && isTextOrNone(data)
  if (!texts)
    throw new CountersignError('ObjectNotFound', `authData.${provider} needs id, signature and data, each as a string.`)
  refuseLong(`authData.${provider}.id`, id, longest.address)
  if (signature !== undefined) refuseLong(`authData.${provider}.signature`, signature, longest.signature)
  if (data !== undefined) refuseLong(`authData.${provider}.data`, data, longest.message)
  return { id, ...(signature !== undefined && { signature }), ...(data !== undefined && { data }) }
}

function isTextOrNone(value: WireValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function unsupported(): CountersignError {
  return new CountersignError('UnsupportedService', 'This authentication method is unsupported.')
}

/** The sign-in methods as the older clients know them, for the user's own eyes. Signatures are not repeated. */
export function echoAuthData(user: WireFields, isAnonymous: boolean): WireFields {
  const { ethAddress, solAddress } = user
  return {
    // Without the id: a session left open elsewhere must not learn what opens the account for ever.
    ...(isAnonymous && { anonymous: {} }),
    ...(typeof ethAddress === 'string' && { moralisEth: { id: ethAddress } }),
    ...(typeof solAddress === 'string' && { moralisSol: { id: solAddress } }),
  }
}

const longestAnonymousId = 200

/**
 * Reads the anonymous id of a body: the id, `null` to remove it, or `undefined` if absent. A client that received it
 * without the id sends it back that way, which changes nothing.
 */
export function readAnonymousId({ config }: Context, authData: WireValue | undefined): string | null | undefined {
  if (authData === null || typeof authData !== 'object' || !Object.hasOwn(authData, 'anonymous')) return undefined
  const given: WireValue = Reflect.get(authData, 'anonymous')
  if (given === null) return null
  if (!config.enableAnonymousUsers) {
    throw new CountersignError('UnsupportedService', 'This authentication method is unsupported.', {
      details: 'Anonymous users are turned off (enableAnonymousUsers is false).',
    })
  }
  if (typeof given === 'object' && Object.keys(given).length === 0) return undefined
  const shortestAnonymousId = config.anonymous.minimumIdLength
  const id: unknown = typeof given === 'object' ? Reflect.get(given, 'id') : undefined
  if (typeof id !== 'string' || id.length < shortestAnonymousId || id.length > longestAnonymousId) {
    throw new CountersignError(
      'LinkedIdMissing',
      `authData.anonymous needs an id: a random string of ${shortestAnonymousId} to ${longestAnonymousId} characters, such as a UUID.`,
    )
  }
  return id
}

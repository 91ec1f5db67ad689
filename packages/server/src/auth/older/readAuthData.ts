import { CountersignError, longest, type WireValue } from '@countersign/protocol'
import { refuseLong } from '../../context/limits.ts'
import type { Namespace } from '../Namespace.ts'
import { providers } from './providers.ts'

export type ProviderProof = { provider: string; namespace: Namespace; id: string; signature?: string; data?: string }

/**
 * The ways in that a body names. `null` in the place of one is no order to take a wallet away: an older client sends
 * it for all wallets when it unlinked one of them. The wallets themselves are the truth. The anonymous way in is for
 * `readAnonymousId`.
 */
export function readAuthData(value: WireValue | undefined): ProviderProof[] {
  if (value === undefined || value === null) return []
  // A field that is taken out, as for any other; ways in stay.
  if (Reflect.get(Object(value), '__op') === 'Delete') return []
  if (typeof value !== 'object' || Array.isArray(value)) throw unsupported()
  return Object.entries(value).flatMap(([provider, fields]) => {
    if (fields === null || provider === 'anonymous') return []
    const namespace = providers.get(provider)
    if (!namespace) throw unsupported()
    return [{ provider, namespace, ...readFields(provider, fields) }]
  })
}

function readFields(provider: string, fields: WireValue | undefined): Pick<ProviderProof, 'id' | 'signature' | 'data'> {
  const { id, signature, data } = (typeof fields === 'object' ? fields : {}) as Record<string, WireValue | undefined>
  const texts = typeof id === 'string' && isTextOrNone(signature) && isTextOrNone(data)
  if (!texts)
    throw new CountersignError('ObjectNotFound', `authData.${provider} needs id, signature and data, each as text.`)
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

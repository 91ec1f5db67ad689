import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'

/** The id alone opens the account: one that is short could be guessed. The clients send a UUID. */
const shortest = 16
const longest = 200

/**
 * What a body says of the anonymous way in: its id, `null` to take it off, or `undefined` where it says nothing. A
 * client that got it without its id sends it back that way, which changes nothing.
 */
export function readAnonymousId({ config }: Context, authData: WireValue | undefined): string | null | undefined {
  if (authData === null || typeof authData !== 'object' || !Object.hasOwn(authData, 'anonymous')) return undefined
  const given: WireValue = Reflect.get(authData, 'anonymous')
  if (given === null) return null
  if (!config.enableAnonymousUsers) {
    throw new CountersignError('UnsupportedService', 'This authentication method is unsupported.', {
      details: 'Anonymous users are switched off: enableAnonymousUsers is false.',
    })
  }
  if (typeof given === 'object' && Object.keys(given).length === 0) return undefined
  const id: unknown = typeof given === 'object' ? Reflect.get(given, 'id') : undefined
  if (typeof id !== 'string' || id.length < shortest || id.length > longest) {
    throw new CountersignError(
      'LinkedIdMissing',
      `authData.anonymous needs an id: a text of ${shortest} to ${longest} characters that nobody can guess, such as a UUID.`,
    )
  }
  return id
}

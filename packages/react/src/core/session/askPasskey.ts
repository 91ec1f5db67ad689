import type { WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { PasskeyError } from '../errors/PasskeyError.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import { request } from './request.ts'

/** Fetched while the server makes its challenge, so that the browser's window opens no later than without. */
export const loadPasskeys = /*#__PURE__*/ loadOnce(() => import('./askBrowser.ts'))

/**
 * Returns true if passkeys can work on this page: a browser with support, a secure page, a host with a name.
 *
 * @example
 * if (isPasskeySupported()) await signInWithPasskey(client)
 */
export function isPasskeySupported(): boolean {
  const { PublicKeyCredential, navigator, location } = globalThis as Partial<typeof globalThis>
  if (!PublicKeyCredential || !navigator?.credentials) return false
  // Browsers bind passkeys to names, not to addresses in numbers.
  return !/^[\d.]+$|^\[/.test(location?.hostname ?? '')
}

/** Before anything is asked of the server. */
export function requirePasskeys(): void {
  if (!isPasskeySupported()) throw new PasskeyError('passkeyUnsupported')
}

/** Asks the browser for a passkey of this site, and returns its assertion. */
export async function askPasskey(
  client: Client,
  purpose: 'signIn' | 'reauthenticate',
  signal: AbortSignal | undefined,
  autofill = false,
): Promise<{ credential: WireFields }> {
  requirePasskeys()
  if (autofill) return (await loadPasskeys()).waitForChoice(client, signal)
  const prepared = purpose === 'signIn' ? client.internal.prepared?.take('passkey') : undefined
  const [options, { getPasskey }] = await Promise.all([
    prepared ?? request(client, 'createPasskeyChallenge', { purpose }, { signal }).then((made) => made.options),
    loadPasskeys(),
  ])
  return { credential: await getPasskey(options, signal) }
}

import type { SignInOptions } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { isPasskeySupported, loadPasskeys } from '../session/askPasskey.ts'
import { request } from '../session/request.ts'
import type { PreparedChallenges, PreparedValues } from '../state/WalletState.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'

/** Milliseconds for which one is used: the server keeps it for some minutes, and signing takes a while. */
const usable = 120_000

export type PrepareSignInInput = {
  /** The methods that the page offers; wallets and passkeys by default. */
  readonly methods?: SignInOptions['methods']
}

/**
 * Fetches challenges for wallets and passkeys, so that nothing waits between a click and its prompt: browsers block
 * windows that open late. Call it when sign-in methods are shown; the sheet does. It opens no prompt, and never fails.
 *
 * @example
 * useEffect(() => void prepareSignIn(client), [client])
 */
export async function prepareSignIn(client: Client, input: PrepareSignInInput = {}): Promise<void> {
  const { methods = ['wallet', 'passkey'] } = input
  const { connectors } = client.internal
  client.internal.prepared ??= createPrepared()
  const { fetch } = client.internal.prepared
  const askWallet = (namespace: 'eip155' | 'solana') => async () =>
    (await request(client, 'createChallenge', { purpose: 'signIn', namespace })).fields
  const askPasskey = async () => (await request(client, 'createPasskeyChallenge', { purpose: 'signIn' })).options
  const wallets = methods.includes('wallet') ? connectors.get() : []
  const hasSolana = wallets.some(({ signIn, namespace }) => signIn && namespace === 'solana')
  const hasEvm = wallets.some(
    ({ kind, namespace }) => namespace === 'eip155' && (kind === 'injected' || kind === 'custom'),
  )
  const hasPasskeys = methods.includes('passkey') && isPasskeySupported()
  await Promise.all([
    hasPasskeys && fetch('passkey', askPasskey),
    hasPasskeys && loadPasskeys().catch(() => undefined),
    hasEvm && fetch('eip155', askWallet('eip155')),
    hasSolana && fetch('solana', askWallet('solana')),
    wallets.length > 0 && loadWalletLayer().catch(() => undefined),
  ])
}

function createPrepared(): PreparedChallenges {
  const kept: { [Kind in keyof PreparedValues]?: { value?: PreparedValues[Kind]; readonly until: number } } = {}
  return {
    async fetch(kind, ask) {
      const before = kept[kind]
      if (before && Date.now() < before.until) return
      // Marked at once, so that it is asked for once.
      const own: (typeof kept)[typeof kind] = { until: Date.now() + usable }
      kept[kind] = own
      try {
        own.value = await ask()
      } catch {
        delete kept[kind]
      }
    },
    take(kind) {
      const found = kept[kind]
      if (!found?.value) return undefined
      delete kept[kind]
      return Date.now() < found.until ? found.value : undefined
    },
  }
}

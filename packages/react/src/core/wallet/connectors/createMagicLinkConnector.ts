import { ValidationError } from '../../errors/errors.ts'
import type { Connector, Eip1193Provider } from '../../state/Connector.ts'
import { createSdkLink } from './createSdkLink.ts'
import { loadPeer, startOnce, toRejection, waitFor } from './walletSdk.ts'

export type MagicLinkOptions = {
  /** The publishable key of your application at Magic. */
  readonly apiKey: string
  /** The person's address, or a function that returns it. Without it Magic's own window asks. */
  readonly email?: string | (() => string | undefined | Promise<string | undefined>)
  /** The chain: Magic's name for it, or a node. */
  readonly network?: string | { readonly rpcUrl: string; readonly chainId?: number }
  readonly locale?: string
  /** Endpoint of Magic; its own by default. */
  readonly endpoint?: string
  /** Shows Magic's window while the email is sent; true by default. */
  readonly showUI?: boolean
  /** Loads the SDK; `() => import('magic-sdk')` by default. */
  readonly load?: () => Promise<unknown>
}

/** Used part of the SDK. */
type Magic = {
  readonly rpcProvider: Eip1193Provider
  readonly auth: { loginWithEmailOTP(input: { email: string; showUI: boolean }): Promise<unknown> }
  readonly wallet: { connectWithUI(): Promise<unknown> }
  readonly user: {
    isLoggedIn(): Promise<boolean>
    getInfo(): Promise<{ email?: string | null }>
    logout(): Promise<unknown>
    onUserLoggedOut?(listener: (isLoggedOut: boolean) => void): void
  }
}

type MagicSdk = new (apiKey: string, options: Record<string, unknown>) => Magic

/**
 * Magic (`magicLink`): a wallet that belongs to an e-mail address. Its SDK, an optional peer, is loaded on the first
 * click.
 *
 * @example
 * import { createMagicLinkConnector } from '@countersign/react/magic'
 *
 * const magic = createMagicLinkConnector({ apiKey: 'pk_live_…', email: () => prompt('Your e-mail address') ?? undefined })
 * const client = createClient({ connectors: [magic] })
 */
export function createMagicLinkConnector(options: MagicLinkOptions): Connector {
  if (!options.apiKey) {
    throw new ValidationError(
      '"apiKey" not provided, please provide Api Key',
      'It is shown at https://dashboard.magic.link.',
    )
  }
  const { apiKey, email, network, locale, endpoint, showUI = true, load = () => import('magic-sdk') } = options

  const open = startOnce(async () => {
    const Sdk = await loadPeer<MagicSdk>('magic-sdk', 'Magic', load)
    const given = Object.entries({ network, locale, endpoint }).filter(([, value]) => value !== undefined)
    return new Sdk(apiKey, Object.fromEntries(given))
  })

  async function logIn(magic: Magic, address: string | undefined): Promise<void> {
    if (await magic.user.isLoggedIn()) {
      const isSame = !address || (await magic.user.getInfo()).email?.toLowerCase() === address.toLowerCase()
      if (isSame) return
      await magic.user.logout()
    }
    if (address) await magic.auth.loginWithEmailOTP({ email: address, showUI })
    else await magic.wallet.connectWithUI()
  }

  return {
    id: 'magicLink',
    kind: 'magicLink',
    namespace: 'eip155',
    name: 'Magic',
    async connect({ signal }) {
      const address = typeof email === 'function' ? await email() : email
      if (email !== undefined && !address) throw new ValidationError('"email" not provided, please provide Email')
      const magic = await waitFor(open(), signal)
      await waitFor(logIn(magic, address).catch(throwError), signal)
      return createLink(magic)
    },
    async reconnect({ signal }) {
      const magic = await waitFor(open(), signal)
      return (await waitFor(magic.user.isLoggedIn(), signal)) ? createLink(magic) : undefined
    },
  }
}

function createLink(magic: Magic) {
  return createSdkLink({
    provider: magic.rpcProvider,
    toError,
    watchEnd(end) {
      // The SDK takes no listener back.
      let isWatching = true
      magic.user.onUserLoggedOut?.((isLoggedOut) => {
        if (isWatching && isLoggedOut) end()
      })
      return () => {
        isWatching = false
      }
    },
    async disconnect() {
      await magic.user.logout()
    },
  })
}

function throwError(cause: unknown): never {
  throw toError(cause)
}

// Magic's codes: access denied, action rejected, request cancelled.
const toError = (cause: unknown) => toRejection(cause, [-10011, -10012, -10014], /denied|reject|cancel/i)

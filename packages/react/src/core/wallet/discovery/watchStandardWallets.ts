import { CountersignError } from '@countersign/protocol'
import type { Connector, Eip1193Provider, Signer, WalletConnection } from '../../state/Connector.ts'

const limit = 50

/**
 * Finds the browser's Solana wallets by Wallet Standard, also late ones, and reports the whole list on each change. A
 * second one of the same name gets a different id.
 */
export function watchStandardWallets(listener: (connectors: readonly Connector[]) => void): () => void {
  const known = new Map<StandardWallet, Connector>()
  const api = {
    register(...wallets: unknown[]): () => void {
      const added = wallets.filter((wallet) => isSolanaWallet(wallet) && !known.has(wallet)) as StandardWallet[]
      for (const wallet of added.slice(0, limit - known.size)) {
        const name = readLine(wallet.name)
        const copies = [...known.values()].filter((one) => one.name === name).length
        const id = `solana:${name}${copies > 0 ? `#${copies + 1}` : ''}`
        known.set(wallet, createSolanaConnector(wallet, { id, name, icon: readIcon(wallet.icon) }))
      }
      if (added.length > 0) listener([...known.values()])
      return () => {
        const gone = added.filter((wallet) => known.delete(wallet))
        if (gone.length > 0) listener([...known.values()])
      }
    },
  }
  const hear = (event: Event) => {
    try {
      ;(event as CustomEvent<(registry: typeof api) => void>).detail(api)
    } catch {
      // A wallet that fails at this is as good as not there.
    }
  }
  window.addEventListener('wallet-standard:register-wallet', hear)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => window.removeEventListener('wallet-standard:register-wallet', hear)
}

function isSolanaWallet(wallet: unknown): wallet is StandardWallet {
  const { name, chains, features } = Object(wallet)
  return (
    typeof name === 'string' &&
    name !== '' &&
    Array.isArray(chains) &&
    chains.some((chain) => String(chain).startsWith('solana:')) &&
    typeof features?.['standard:connect']?.connect === 'function' &&
    ('solana:signMessage' in features || 'solana:signIn' in features)
  )
}

/** A Solana wallet that registered itself by Wallet Standard. */
function createSolanaConnector(wallet: StandardWallet, info: Pick<Connector, 'id' | 'name' | 'icon'>): Connector {
  const { features } = wallet
  const feature = features['solana:signIn']

  function open(): WalletConnection {
    return {
      accounts: listAddresses(wallet),
      chainId: 'mainnet',
      signer: createSolanaSigner(wallet),
      watch(listener) {
        const stop = features['standard:events']?.on('change', ({ accounts }) => {
          if (accounts) listener({ type: 'accountsChanged', accounts: listAddresses(wallet) })
        })
        return () => stop?.()
      },
      async disconnect() {
        await features['standard:disconnect']?.disconnect().catch(() => undefined)
      },
    }
  }

  return {
    ...info,
    kind: 'solana',
    namespace: 'solana',
    async connect() {
      await features['standard:connect'].connect()
      return open()
    },
    async reconnect() {
      await features['standard:connect'].connect({ silent: true })
      return listAddresses(wallet).length > 0 ? open() : undefined
    },
    signIn:
      feature &&
      (async (_, { namespace: _namespace, address: _address, ...fields }) => {
        const [signed] = await feature.signIn({ ...fields, version: '1' })
        if (!signed)
          throw new CountersignError('OtherCause', 'Data not signed', { details: 'The wallet returned nothing.' })
        const message = new TextDecoder().decode(signed.signedMessage)
        return {
          link: open(),
          address: signed.account.address,
          message,
          signature: encodeBase64(signed.signature),
        }
      }),
  }
}

function listAddresses({ accounts }: StandardWallet): string[] {
  return accounts.filter(({ chains }) => chains.some((one) => one.startsWith('solana:'))).map(({ address }) => address)
}

/** Creates a signer from a Solana wallet. Checks that the wallet signed the given text. */
function createSolanaSigner(wallet: StandardWallet): Signer {
  const { features } = wallet
  return {
    namespace: 'solana',
    async getAccount({ prompt = true } = {}) {
      if (prompt && wallet.accounts.length === 0) await features['standard:connect'].connect()
      const address = wallet.accounts[0]?.address
      return address === undefined ? undefined : { address, chainId: 'mainnet' }
    },
    async signMessage(text, { address }) {
      const account = wallet.accounts.find((one) => one.address === address)
      const feature = features['solana:signMessage']
      if (!account || !feature) return undefined
      const message = new TextEncoder().encode(text)
      const [signed] = await feature.signMessage({ account, message })
      if (!signed) return undefined
      if (!isOf(signed.signedMessage, message)) {
        throw new CountersignError('OperationForbidden', 'The wallet signed a different message.', {
          details: 'The signature was not sent. Try another version of the wallet.',
        })
      }
      return encodeBase64(signed.signature)
    },
  }
}

/** The text itself, or the text at the end of the envelope that hardware wallets sign (it begins with 0xff). */
function isOf(signed: Uint8Array, message: Uint8Array): boolean {
  const start = signed.length - message.length
  if (start !== 0 && (start < 0 || signed[0] !== 0xff)) return false
  return message.every((byte, index) => byte === signed[start + index])
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** An account as Wallet Standard gives it. */
type StandardAccount = {
  readonly address: string
  readonly chains: readonly string[]
  readonly features: readonly string[]
}

type SignInInput = {
  readonly domain: string
  readonly statement?: string
  readonly uri: string
  readonly version: string
  readonly chainId: string
  readonly nonce: string
  readonly issuedAt: string
  readonly expirationTime?: string
}

type Signed = { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }

/** A wallet that registered itself by Wallet Standard, as far as signing in takes it. */
type StandardWallet = {
  readonly name: string
  readonly icon?: unknown
  readonly chains: readonly string[]
  readonly accounts: readonly StandardAccount[]
  readonly features: {
    readonly 'standard:connect': {
      connect(input?: { readonly silent?: boolean }): Promise<{ readonly accounts: readonly StandardAccount[] }>
    }
    readonly 'standard:disconnect'?: { disconnect(): Promise<void> }
    readonly 'standard:events'?: {
      on(event: 'change', listener: (change: { accounts?: readonly StandardAccount[] }) => void): () => void
    }
    readonly 'solana:signMessage'?: {
      signMessage(input: { account: StandardAccount; message: Uint8Array }): Promise<readonly Signed[]>
    }
    readonly 'solana:signIn'?: {
      signIn(input: SignInInput): Promise<readonly (Signed & { readonly account: StandardAccount })[]>
    }
  }
}

export type Announcement = {
  readonly uuid: string
  readonly rdns: string
  readonly name: string
  readonly icon: string | undefined
  readonly provider: Eip1193Provider
}

/**
 * Reads a wallet's announcement (EIP-6963), each part once: an object with getters could return something else the
 * second time. Returns undefined for anything else.
 */
export function readAnnouncement(detail: unknown): Announcement | undefined {
  try {
    const { info, provider } = Object(detail)
    const { uuid, rdns, name, icon } = Object(info)
    const isComplete = [uuid, rdns, name].every((part) => typeof part === 'string' && part !== '')
    if (!isComplete || typeof provider?.request !== 'function') return undefined
    return { uuid, rdns: readLine(rdns), name: readLine(name), icon: readIcon(icon), provider }
  } catch {
    return undefined
  }
}

/** One short line: no control characters, and none that turn the writing direction and so disguise a name. */
function readLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 64)
}

/** Accepts only pictures that an `<img>` shows without a request to another host, and never a document. */
function readIcon(icon: unknown): string | undefined {
  const isImage = typeof icon === 'string' && icon.length < 500_000 && /^data:image\/[\w.+-]+[;,]/i.test(icon.trim())
  return isImage ? icon.trim() : undefined
}

import type { PageAnswer, PageCall, PageEvent, PageInfo, SolanaKey } from './PageCall.ts'

/**
 * The wallet's part in a page; returns a function that receives its events. It is also sent into pages as text, so it
 * uses nothing from outside itself.
 */
export function installTestWallet(
  page: Window,
  info: PageInfo,
  answer: (call: PageCall) => Promise<PageAnswer>,
): (event: PageEvent) => void {
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const listen = (event: string, listener: (payload: unknown) => void) => {
    listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
  }
  const emit = (event: string, payload: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(payload)
  }
  const call = async (method: string, params?: unknown): Promise<unknown> => {
    const { result, error } = await answer({ method, params })
    if (error) throw Object.assign(new Error(error.message), error)
    return result
  }

  const provider = {
    request: ({ method, params }: { method: string; params?: unknown }) => call(method, params),
    on: listen,
    removeListener: (event: string, listener: (payload: unknown) => void) => listeners.get(event)?.delete(listener),
  }
  const { uuid, name, rdns, icon } = info
  const detail = Object.freeze({ info: Object.freeze({ uuid, name, rdns, icon }), provider })
  const announceEvm = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))

  const toAccount = ({ address, publicKey }: SolanaKey) => ({
    address,
    publicKey: Uint8Array.from(publicKey),
    chains: ['solana:mainnet'],
    features: ['solana:signMessage'],
  })
  const wallet = { accounts: [] as ReturnType<typeof toAccount>[] }
  const share = (accounts: unknown) => {
    wallet.accounts = (accounts as SolanaKey[]).map(toAccount)
    return { accounts: wallet.accounts }
  }
  const toSigned = (answer: unknown) => {
    const { signedMessage, signature } = answer as { signedMessage: number[]; signature: number[] }
    return { signedMessage: Uint8Array.from(signedMessage), signature: Uint8Array.from(signature) }
  }
  const signIn = {
    version: '1.0.0',
    async signIn(input: unknown) {
      const answer = (await call('solana:signIn', input)) as { accounts: SolanaKey[] }
      const [account] = share(answer.accounts).accounts
      return [{ account, ...toSigned(answer) }]
    },
  }
  const features = {
    'standard:connect': {
      version: '1.0.0',
      connect: async (input?: { silent?: boolean }) => share(await call('solana:connect', input ?? {})),
    },
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: async () => void share(await call('solana:disconnect')),
    },
    'standard:events': {
      version: '1.0.0',
      on(event: string, listener: (payload: unknown) => void) {
        listen(`solana:${event}`, listener)
        return () => listeners.get(`solana:${event}`)?.delete(listener)
      },
    },
    'solana:signMessage': {
      version: '1.0.0',
      async signMessage({ account, message }: { account: { address: string }; message: Uint8Array }) {
        const answer = await call('solana:signMessage', { address: account.address, message: [...message] })
        return [toSigned(answer)]
      },
    },
    ...(info.solana === 'signIn' && { 'solana:signIn': signIn }),
  }
  Object.assign(wallet, { version: '1.0.0', name, icon, chains: ['solana:mainnet'], features })
  const register = (api: { register(...wallets: unknown[]): unknown }) => api.register(wallet)

  let isAnnounced = false
  const announce = () => {
    if (isAnnounced) return
    isAnnounced = true
    if (info.evm === 'announced' || info.evm === 'both') {
      page.addEventListener('eip6963:requestProvider', announceEvm)
      announceEvm()
    }
    if (info.evm === 'legacy' || info.evm === 'both') {
      Object.defineProperty(page, 'ethereum', { value: provider, configurable: true, writable: true })
      page.dispatchEvent(new Event('ethereum#initialized'))
    }
    if (info.solana === 'none') return
    page.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail))
    page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  }
  void call('test:isAnnounced').then((is) => is === true && announce())

  return (event) => {
    if (event.type === 'announce') announce()
    if (event.type === 'evm') emit(event.name, event.payload)
    if (event.type === 'solana') emit('solana:change', share(event.accounts))
  }
}

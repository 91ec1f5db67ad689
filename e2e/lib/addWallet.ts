import type { Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export type PageWallet = {
  readonly addresses: readonly string[]
  /** The texts that were signed. */
  readonly signed: string[]
  /** Every method that was called, in order. */
  readonly calls: string[]
  /** What its owner says to the next requests. */
  answer: 'yes' | 'no'
  select: (index: number) => Promise<void>
  selectChain: (chainId: number) => Promise<void>
}

/** A browser wallet: a provider in the page, announced by EIP-6963 and as `window.ethereum`; true keys out of its reach. */
export async function addWallet(page: Page): Promise<PageWallet> {
  const keys = Array.from({ length: 3 }, () => privateKeyToAccount(generatePrivateKey()))
  let selected = 0
  let chainId = 1
  let isShared = false
  const present = () => [...keys.slice(selected), ...keys.slice(0, selected)].map((key) => key.address.toLowerCase())
  const wallet: PageWallet = {
    addresses: keys.map((key) => key.address.toLowerCase()),
    signed: [],
    calls: [],
    answer: 'yes',
    async select(index) {
      selected = index
      await emit('accountsChanged', present())
    },
    async selectChain(id) {
      chainId = id
      await emit('chainChanged', `0x${id.toString(16)}`)
    },
  }
  const emit = (event: string, data: unknown) =>
    page.evaluate(([name, payload]) => dispatchEvent(new CustomEvent(`wallet:${name}`, { detail: payload })), [
      event,
      data,
    ] as const)

  await page.exposeFunction('askWallet', async (method: string, params: unknown[]) => {
    wallet.calls.push(method)
    const refusal = { error: { code: 4001, message: 'The person said no.' } }
    switch (method) {
      case 'eth_requestAccounts':
      case 'wallet_requestPermissions':
        if (wallet.answer === 'no') return refusal
        isShared = true
        return { result: method === 'eth_requestAccounts' ? present() : [{ parentCapability: 'eth_accounts' }] }
      case 'eth_accounts':
        return { result: isShared ? present() : [] }
      case 'eth_chainId':
        return { result: `0x${chainId.toString(16)}` }
      case 'net_version':
        return { result: String(chainId) }
      case 'wallet_revokePermissions':
        isShared = false
        return { result: null }
      case 'personal_sign': {
        if (wallet.answer === 'no') return refusal
        const [raw, address] = params as [`0x${string}`, string]
        const key = keys.find((one) => one.address.toLowerCase() === address.toLowerCase())
        if (!key) return { error: { code: -32602, message: 'No such account' } }
        wallet.signed.push(Buffer.from(raw.slice(2), 'hex').toString('utf8'))
        return { result: await key.signMessage({ message: { raw } }) }
      }
      default:
        return { error: { code: 4200, message: `${method} is not supported` } }
    }
  })

  await page.addInitScript(() => {
    type Listener = (data: unknown) => void
    type Ask = (
      method: string,
      params: unknown,
    ) => Promise<{ result?: unknown; error?: { code: number; message: string } }>
    const host = window as unknown as { askWallet: Ask; ethereum: unknown }
    const wrappers = new Map<Listener, EventListener>()
    const provider = {
      isMetaMask: true,
      async request({ method, params = [] }: { method: string; params?: unknown }) {
        const { result, error } = await host.askWallet(method, params)
        if (error) throw Object.assign(new Error(error.message), error)
        return result
      },
      on(event: string, listener: Listener) {
        const wrapper = (one: Event) => listener((one as CustomEvent).detail)
        wrappers.set(listener, wrapper)
        addEventListener(`wallet:${event}`, wrapper)
        return provider
      },
      removeListener(event: string, listener: Listener) {
        const wrapper = wrappers.get(listener)
        if (wrapper) removeEventListener(`wallet:${event}`, wrapper)
        return provider
      },
    }
    host.ethereum = provider
    const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    const info = { uuid: '8d7f0c2e-6f0a-4c7e-9c0e-3a5f2b1d4e6c', name: 'Paper Wallet', icon, rdns: 'org.example.paper' }
    const detail = Object.freeze({ info: Object.freeze(info), provider })
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    addEventListener('eip6963:requestProvider', announce)
    announce()
  })
  return wallet
}

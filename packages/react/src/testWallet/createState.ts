import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Prompts } from './createPrompts.ts'
import type { SolanaSecret } from './createSolanaKey.ts'
import type { PageEvent } from './PageCall.ts'
import type { TestWalletOptions } from './TestWallet.ts'

export type TestState = {
  readonly keys: readonly PrivateKeyAccount[]
  readonly solanaKeys: readonly SolanaSecret[]
  readonly prompts: Prompts
  readonly chains: Set<number>
  readonly rpcUrl: string | undefined
  readonly signInWithEthereum: boolean
  readonly sendsCalls: boolean
  /** Hashes of calls sent together, by id. */
  readonly batches: Map<string, readonly string[]>
  readonly signed: string[]
  chainId: number
  isPermitted: boolean
  /** Accounts shared with the page, the one in use first. */
  readonly listAccounts: () => readonly string[]
  readonly listSolana: () => readonly SolanaSecret[]
  readonly permit: () => Promise<void>
  readonly untilUnlocked: () => Promise<void>
  readonly finishSigning: () => Promise<void>
  readonly takeText: (text: string) => string
  readonly leavePending: () => void
  readonly endPending: (isApproved: boolean) => Promise<void>
  readonly lock: () => Promise<void>
  readonly unlock: () => Promise<void>
  readonly revoke: () => Promise<void>
  readonly switchAccount: (index: number) => Promise<void>
  readonly switchAccountWhileSigning: (index: number) => void
  readonly switchChain: (chainId: number) => Promise<void>
  readonly alterNextText: (change: (text: string) => string) => void
}

type Parts = {
  readonly emit: (event: PageEvent) => Promise<void>
  readonly prompts: Prompts
  readonly solanaKeys: readonly SolanaSecret[]
}

/** State of the wallet, with an event for every change. */
export function createState(options: TestWalletOptions, { emit, prompts, solanaKeys }: Parts): TestState {
  const chainId = options.chainId ?? 1
  const secrets = options.privateKeys ?? Array.from({ length: options.accounts ?? 2 }, generatePrivateKey)
  const keys = secrets.map((secret) => privateKeyToAccount(secret))
  let selected = 0
  let isPending = false
  let flip: number | undefined
  let change: ((text: string) => string) | undefined
  let unlocked: { readonly done: Promise<void>; readonly end: () => void } | undefined

  const inUse = <Key>(all: readonly Key[]): readonly Key[] => {
    const first = all[selected]
    if (!state.isPermitted || unlocked || first === undefined) return []
    return [first, ...all.filter((one) => one !== first)]
  }
  const tellAccounts = async () => {
    await emit({ type: 'evm', name: 'accountsChanged', payload: state.listAccounts() })
    await emit({
      type: 'solana',
      accounts: state.listSolana().map(({ address, publicKey }) => ({ address, publicKey })),
    })
  }

  const state: TestState = {
    keys,
    solanaKeys,
    prompts,
    chains: new Set([chainId, ...(options.chains ?? [1])]),
    rpcUrl: options.rpcUrl,
    signInWithEthereum: options.signInWithEthereum ?? false,
    sendsCalls: options.sendCalls ?? true,
    batches: new Map(),
    signed: [],
    chainId,
    isPermitted: options.permitted ?? false,
    // Wallets differ in the letters' case; this one never uses the checksum's.
    listAccounts: () => inUse(keys).map(({ address }) => address.toLowerCase()),
    listSolana: () => inUse(solanaKeys),
    async permit() {
      if (state.isPermitted) return
      state.isPermitted = true
      await tellAccounts()
    },
    untilUnlocked: () => unlocked?.done ?? Promise.resolve(),
    async finishSigning() {
      if (flip === undefined) return
      const to = flip
      flip = undefined
      await state.switchAccount(to)
    },
    takeText(text) {
      const taken = change ? change(text) : text
      change = undefined
      return taken
    },
    leavePending() {
      isPending = true
      prompts.leave()
    },
    async endPending(isApproved) {
      if (!isPending) return
      isPending = false
      if (isApproved) await state.permit()
    },
    async lock() {
      let end: () => void = () => undefined
      const done = new Promise<void>((resolve) => {
        end = resolve
      })
      unlocked = { done, end }
      await tellAccounts()
    },
    async unlock() {
      unlocked?.end()
      unlocked = undefined
      await tellAccounts()
    },
    async revoke() {
      state.isPermitted = false
      await tellAccounts()
    },
    async switchAccount(index) {
      selected = index
      await tellAccounts()
    },
    switchAccountWhileSigning(index) {
      flip = index
    },
    async switchChain(next) {
      state.chains.add(next)
      state.chainId = next
      await emit({ type: 'evm', name: 'chainChanged', payload: `0x${next.toString(16)}` })
    },
    alterNextText(next) {
      change = next
    },
  }
  return state
}

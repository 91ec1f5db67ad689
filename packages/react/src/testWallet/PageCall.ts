import type { TestError } from './TestWallet.ts'

/** Message between the wallet and its part in a page. Plain JSON, because the two may be in two processes. */
export type PageCall = { readonly method: string; readonly params?: unknown }
export type PageAnswer = { readonly result?: unknown; readonly error?: TestError }
export type SolanaKey = { readonly address: string; readonly publicKey: readonly number[] }

export type PageEvent =
  | { readonly type: 'announce' }
  | { readonly type: 'evm'; readonly name: string; readonly payload: unknown }
  | { readonly type: 'solana'; readonly accounts: readonly SolanaKey[] }

export type PageInfo = {
  readonly uuid: string
  readonly name: string
  readonly rdns: string
  readonly icon: string
  readonly evm: 'announced' | 'legacy' | 'both' | 'none'
  readonly solana: 'signIn' | 'signMessage' | 'none'
}

/** The wallet's own side of its part in a page. */
export type PageHost = {
  readonly info: PageInfo
  readonly answer: (call: PageCall) => Promise<PageAnswer>
  readonly watch: (listener: (event: PageEvent) => void | Promise<void>) => () => void
}

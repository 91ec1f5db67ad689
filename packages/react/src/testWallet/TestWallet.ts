/** A wallet's error. */
export type TestError = { readonly code: number; readonly message: string; readonly data?: unknown }

/** A call that reached the wallet. A prompt is one that would have opened its window. */
export type TestRequest = { readonly method: string; readonly params: unknown; readonly isPrompt: boolean }

export type TestWalletOptions = {
  readonly name?: string
  /** The reverse domain name that it announces. */
  readonly rdns?: string
  readonly icon?: string
  /** How many accounts it has; 2 by default. Their keys are new ones, unless they are given. */
  readonly accounts?: number
  readonly privateKeys?: readonly `0x${string}`[]
  readonly chainId?: number
  /** Supported chains; any other gets 4902. */
  readonly chains?: readonly number[]
  /** A node that it reads from and sends to; without one it knows no methods but its own. */
  readonly rpcUrl?: string
  /** Announced by EIP-6963 (default), put into the page as `window.ethereum`, both, or neither. */
  readonly evm?: 'announced' | 'legacy' | 'both' | 'none'
  /** Supports `wallet_sendCalls`, `wallet_getCallsStatus` and `wallet_getCapabilities` (EIP-5792); true by default. */
  readonly sendCalls?: boolean
  /**
   * Supports `wallet_connect` with the capability `signInWithEthereum` (ERC-7846): one prompt connects and signs in.
   */
  readonly signInWithEthereum?: boolean
  /** Registered by Wallet Standard: with `solana:signIn`, or with `solana:signMessage` alone. Not at all by default. */
  readonly solana?: 'signIn' | 'signMessage' | 'none'
  /** `later`: only when `announce()` is called. */
  readonly announce?: 'now' | 'later'
  /** The page was given permission before. */
  readonly permitted?: boolean
}

/** A wallet with real keys, controlled by the test. */
export type TestWallet = {
  readonly addresses: readonly `0x${string}`[]
  readonly solanaAddresses: readonly string[]
  /** From now on prompts wait for `approve` or `reject`. Before that they are approved at once. */
  readonly hold: () => void
  /** From now on prompts are approved at once, the one that is open too. */
  readonly release: () => void
  /** Approves the open prompt, or waits for the next one. */
  readonly approve: () => Promise<void>
  readonly reject: () => Promise<void>
  /** The next prompt is refused, by its owner (4001) or with the given error. */
  readonly rejectNext: (error?: TestError) => void
  /** Leaves an earlier prompt open: the wallet returns -32002 until `approve` or `reject`. */
  readonly leavePending: () => void
  /** Shares no account, and a request waits until it is unlocked. */
  readonly lock: () => Promise<void>
  readonly unlock: () => Promise<void>
  readonly switchAccount: (index: number) => Promise<void>
  /** Changes the account while the next signature is being given. */
  readonly switchAccountWhileSigning: (index: number) => void
  readonly switchChain: (chainId: number) => Promise<void>
  /** Milliseconds that each prompt takes. */
  readonly slow: (milliseconds: number) => void
  /** Takes the permission back, as its owner can in the wallet. */
  readonly revoke: () => Promise<void>
  /** Goes away: a `disconnect` event. */
  readonly disconnect: () => Promise<void>
  /** Loses its node for a moment, which MetaMask reports as a `disconnect` that is none. */
  readonly loseChain: () => Promise<void>
  /** Announces itself now. */
  readonly announce: () => Promise<void>
  /** Signs another text in place of the next one, as a hostile wallet would. */
  readonly alterNextText: (change: (text: string) => string) => void
  readonly requests: () => readonly TestRequest[]
  readonly prompts: () => readonly TestRequest[]
  /** The texts that were signed. */
  readonly signed: () => readonly string[]
  readonly clear: () => void
}

/** An account as Wallet Standard gives it. */
export type StandardAccount = {
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
export type StandardWallet = {
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

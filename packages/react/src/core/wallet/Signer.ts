/** The account that a wallet would sign with. The chain is a number for EVM, such as `mainnet` for Solana. */
export type SignerAccount = { readonly address: string; readonly chainId?: number | string }

/** What proves an account: a wallet's connector, a key in a test, anything that can sign a text. */
export type Signer = {
  readonly namespace: 'eip155' | 'solana'
  /** The account in use. With `prompt: false` the wallet opens no window and answers what it already shares. */
  getAccount(options?: { readonly prompt?: boolean }): Promise<SignerAccount | undefined>
  /** The signature: hexadecimal for EVM; base64, base58 or hexadecimal for Solana. */
  signMessage(text: string, account: SignerAccount): Promise<string | undefined>
}

/** What every action takes that has a wallet sign. The chain is the account's own where none is named. */
export type SignerInput = { readonly signer: Signer; readonly chainId?: number | string }

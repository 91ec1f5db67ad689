import type { Connector } from './Connector.ts'

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

/** What every action takes that has a wallet sign. With neither signer nor connector it is the connected wallet. */
export type SignerInput = {
  readonly signer?: Signer
  /** A connector, its id or an alias (R13); it is connected first if it is not yet. */
  readonly connector?: Connector | string
  /** The account's own chain where none is named. */
  readonly chainId?: number | string
  /** Called with the exact text before the wallet is asked to sign it. */
  readonly onMessage?: (text: string) => void
  /** Called when the wallet has signed, before the server checks it. */
  readonly onSigned?: (signature: string) => void
  /** Called with the text that another device connects by, to be shown as a QR code. */
  readonly onUri?: (uri: string) => void
}

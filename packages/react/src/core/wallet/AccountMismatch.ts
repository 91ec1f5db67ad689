/** The wallet is on another account than those of the signed-in user. */
export type AccountMismatch = {
  /** The account that the wallet is on. */
  readonly account: string
  readonly namespace: 'eip155' | 'solana'
  /** The address that the user is known by. */
  readonly signedInAs: string
}

export type SolanaNetworkName = 'mainnet' | 'devnet'

/** A network of Solana and all its nodes, as one that answers. */
export type SolanaNetwork = {
  name: SolanaNetworkName
  /**
   * Asks one node, the next where it fails. What was asked a moment ago is answered from memory. `read` checks what
   * came: a node whose answer it throws at has failed as well.
   */
  request<Value>(
    method: string,
    params: readonly unknown[],
    read: (value: unknown) => Value,
  ): Promise<SolanaAnswer<Value>>
  /** What is known of mints, which seldom change. */
  mints: Map<string, { details: MintDetails | undefined; until: number }>
}

export type SolanaAnswer<Value> = { value: Value; place: Place }

/** What an answer holds for, and where it is from. */
export type Place = { slot: number; source: 'node' | 'cache' }

/** What the metadata of a mint says: Metaplex, or the mint itself by Token-2022. */
export type MintDetails = {
  standard: 'metaplex' | 'token-2022'
  name: string
  symbol: string
  uri: string
  updateAuthority: string | undefined
  /** The rest is of Metaplex alone. */
  sellerFeeBasisPoints?: number
  primarySaleHappened?: boolean
  isMutable?: boolean
  /** Says that the mint is a currency, however little of it somebody holds. */
  isFungible?: boolean
  creators?: { address: string; verified: boolean; share: number }[]
  collection?: { address: string; verified: boolean }
}

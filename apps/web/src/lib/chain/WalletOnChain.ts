/** A wallet as it is on one chain. */
export type WalletOnChain = { address: string; chain: number; chainName: string }

import { CountersignError } from '@countersign/protocol'

/** The wallet is on another chain than the call is for. Nothing was sent. */
export class WrongChainError extends CountersignError {
  override readonly name: string = 'WrongChainError'
  /** The chain that is needed, for `switchChain`. */
  readonly chainId: number
  /** The chain that the wallet is on. */
  readonly walletChainId: number

  constructor(chainId: number, walletChainId: number) {
    super('OperationForbidden', `The wallet is on the chain ${walletChainId}; this needs the chain ${chainId}.`, {
      reason: 'wrongChain',
      params: { chainId, walletChainId },
      details: `Offer to change it, by switchChain(client, { chainId: ${chainId} }), and try again.`,
    })
    this.chainId = chainId
    this.walletChainId = walletChainId
  }
}

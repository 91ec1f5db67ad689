import type { Loose } from '../Loose.ts'

/** The signer of the connected account, in the shape that ethers 5 takes for one of its own. */
export interface MoralisSigner {
  readonly _isSigner: true
  readonly provider: MoralisWeb3Provider
  getAddress(): Promise<string>
  getChainId(): Promise<number>
  getBalance(block?: Loose): Promise<Loose>
  getTransactionCount(block?: Loose): Promise<number>
  getGasPrice(): Promise<Loose>
  signMessage(message: string | Uint8Array): Promise<string>
  _signTypedData(domain: object, types: object, value: object): Promise<string>
  call(transaction: Loose, block?: Loose): Promise<string>
  estimateGas(transaction: Loose): Promise<Loose>
  sendTransaction(transaction: Loose): Promise<Loose>
  connect(provider: Loose): MoralisSigner
}

/** Supported part of the Web3Provider of ethers 5. Numbers of 256 bits are BigNumbers. */
export interface MoralisWeb3Provider {
  readonly _isProvider: true
  /** The wallet itself (EIP-1193). */
  readonly provider: Loose
  getSigner(addressOrIndex?: string | number): MoralisSigner
  send(method: string, params?: readonly unknown[]): Promise<Loose>
  listAccounts(): Promise<string[]>
  getNetwork(): Promise<{ chainId: number; name: string }>
  detectNetwork(): Promise<{ chainId: number; name: string }>
  getBlockNumber(): Promise<number>
  getBalance(address: string, block?: Loose): Promise<Loose>
  getCode(address: string, block?: Loose): Promise<string>
  getStorageAt(address: string, position: Loose, block?: Loose): Promise<string>
  getTransactionCount(address: string, block?: Loose): Promise<number>
  getGasPrice(): Promise<Loose>
  getFeeData(): Promise<Loose>
  call(transaction: Loose, block?: Loose): Promise<string>
  estimateGas(transaction: Loose): Promise<Loose>
  getBlock(block: Loose): Promise<Loose>
  getLogs(filter: Loose): Promise<Loose[]>
  getTransaction(hash: string): Promise<Loose>
  getTransactionReceipt(hash: string): Promise<Loose>
  waitForTransaction(hash: string, confirmations?: number): Promise<Loose>
  resolveName(name: string): Promise<string | null>
  lookupAddress(address: string): Promise<string | null>
}

/** What is used of a wagmi config, the same in versions 2 and 3. The real one fits; wagmi itself is not imported. */
export type WagmiConfig = {
  readonly state: WagmiState
  subscribe(selector: (state: WagmiState) => unknown, listener: () => void): () => void
}

export type WagmiState = {
  readonly status: 'connected' | 'connecting' | 'disconnected' | 'reconnecting'
  readonly current: string | null
  readonly connections: ReadonlyMap<string, WagmiConnection>
}

export type WagmiConnection = {
  readonly accounts: readonly string[]
  readonly chainId: number
  readonly connector: {
    readonly uid: string
    getProvider(): Promise<unknown>
    disconnect(): Promise<void>
    readonly emitter: { emit(event: 'disconnect'): void }
  }
}

import type { WagmiConfig, WagmiConnection } from './WagmiConfig.ts'

/** The connection in use. While wagmi reconnects it only remembers one, which cannot be used yet. */
export function findConnection({ state }: WagmiConfig): WagmiConnection | undefined {
  if (state.status !== 'connected' || state.current === null) return undefined
  return state.connections.get(state.current)
}

export {
  createRainbowKitAdapter,
  type RainbowKitAdapter,
  type RainbowKitAdapterOptions,
  type RainbowKitStatus,
  toRainbowKitStatus,
} from './core/wallet/connectors/createRainbowKitAdapter.ts'
export type { WagmiConfig } from './core/wallet/connectors/createWagmiConnector.ts'

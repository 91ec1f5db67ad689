export {
  createRainbowKitAdapter,
  type RainbowKitAdapter,
  type RainbowKitAdapterOptions,
  type RainbowKitStatus,
  toRainbowKitStatus,
} from './core/signInFlow/createRainbowKitAdapter.ts'
export type { WagmiConfig } from './core/wallet/connectors/createWagmiConnector.ts'

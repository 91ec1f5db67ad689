export {
  createRainbowKitAdapter,
  type RainbowKitAdapter,
  type RainbowKitAdapterOptions,
} from './core/wallet/rainbowkit/createRainbowKitAdapter.ts'
export { type RainbowKitStatus, toRainbowKitStatus } from './core/wallet/rainbowkit/toRainbowKitStatus.ts'
export type { WagmiConfig } from './core/wallet/wagmi/WagmiConfig.ts'

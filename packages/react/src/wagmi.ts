export { createWagmiConnector, type WagmiConnectorOptions } from './core/wallet/wagmi/createWagmiConnector.ts'
export type { WagmiConfig } from './core/wallet/wagmi/WagmiConfig.ts'
export { watchWagmi } from './core/wallet/wagmi/watchWagmi.ts'

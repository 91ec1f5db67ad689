export type { WagmiConfig } from './core/wallet/connectors/createWagmiConnector.ts'
export {
  createWagmiConnector,
  type WagmiConnectorOptions,
  watchWagmi,
} from './core/wallet/connectors/createWagmiConnector.ts'

export {
  createWalletConnectConnector,
  type WalletConnectOptions,
} from './core/wallet/connectors/createWalletConnectConnector.ts'

export { createWeb3AuthConnector, type Web3AuthOptions } from './core/wallet/connectors/createWeb3AuthConnector.ts'

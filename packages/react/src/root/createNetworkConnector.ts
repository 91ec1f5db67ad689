export { createNetworkConnector } from '../core/wallet/connectors/createNetworkConnector.ts'

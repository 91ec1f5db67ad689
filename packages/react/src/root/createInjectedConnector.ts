export { createInjectedConnector } from '../core/wallet/connectors/createInjectedConnector.ts'

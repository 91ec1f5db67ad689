export { createDemoConnector } from '../core/wallet/connectors/createDemoConnector.ts'

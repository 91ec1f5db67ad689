export { createEip1193Connector } from '../core/wallet/connectors/createEip1193Connector.ts'

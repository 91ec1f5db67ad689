export { createMagicLinkConnector, type MagicLinkOptions } from './core/wallet/connectors/createMagicLinkConnector.ts'

export { createEip1193Signer } from '../core/wallet/connectors/createEip1193Signer.ts'

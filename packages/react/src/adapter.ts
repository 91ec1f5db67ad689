// For packages that put an interface of their own over the client, as @countersign/moralis does: docs/sdk-integrations.md.

export {
  type EthersCode,
  HelperError,
  type IntegerLike,
  type ProviderLike,
  readInteger,
  show,
  toEip1193Provider,
  writeBytes,
} from './core/chain/ethers.ts'
export { readDocument, writeQuery } from './core/documents/findDocuments.ts'
export { toCountersignError } from './core/errors/errors.ts'
export { loadOnce } from './core/platform/loadOnce.ts'
export type { WritableStore } from './core/state/createStore.ts'
export { createStore } from './core/state/createStore.ts'
export { requireProvider } from './core/wallet/connection/askProvider.ts'
export { askNode } from './core/wallet/connectors/walletLinks.ts'
export { loadWalletLayer } from './core/wallet/loadWalletLayer.ts'
export { ClientContext } from './hooks/client/useClient.ts'

export { type Acl, CountersignError, errorCodes } from '@countersign/protocol'
export { CountersignProvider, type CountersignProviderProps } from './components/CountersignProvider.tsx'
export { findSecondStep } from './core/account/secondFactor.ts'
export type { Client, ClientOptions, InitialSession } from './core/client/Client.ts'
export type { Callbacks } from './core/client/runAction.ts'
export { op, where } from './core/documents/namespaces.ts'
export { defineQuery, type Query, type QueryOptions, relationQuery, type Where } from './core/documents/Query.ts'
export { bytes, geoPoint, pointer, polygon, readBytes } from './core/documents/values.ts'
export type { ActionError } from './core/errors/ActionError.ts'
export { isPasskeySupported } from './core/session/askPasskey.ts'
export { takeProviderResponse } from './core/session/providers.ts'
export { createClient } from './core/setup/createClient.ts'
export type { Connector, Signer } from './core/state/Connector.ts'
export type { Changes, NewFields } from './core/values/Changes.ts'
export type { Bytes, Doc, GeoPoint, Pointer, Polygon, Ref, Relation, StoredFile } from './core/values/Document.ts'
export type { FieldValue } from './core/values/FieldValue.ts'
// Applications add to `Register`, which TypeScript allows only for a name that a star exports.
export type * from './core/values/Register.ts'
export type { User } from './core/values/User.ts'
export { createDemoConnector } from './core/wallet/connectors/createDemoConnector.ts'
export { createEip1193Connector } from './core/wallet/connectors/createEip1193Connector.ts'
export { createEip1193Signer } from './core/wallet/connectors/createEip1193Signer.ts'
export { createInjectedConnector } from './core/wallet/connectors/createInjectedConnector.ts'
export { createNetworkConnector } from './core/wallet/connectors/createNetworkConnector.ts'
export type { ActionInput, ActionResult, HookResult } from './derived.ts'
export { useRefetchUser, useSaveUser } from './hooks/account/useAccount.ts'
export { useSignInWithSecondFactor } from './hooks/account/useSecondFactor.ts'
export { useClient } from './hooks/client/useClient.ts'
export { useRead } from './hooks/client/useRead.ts'
export type { ReadOptions, UseAsync } from './hooks/client/useReading.ts'
export { useConfig } from './hooks/documents/useConfig.ts'
export { useDocumentPages } from './hooks/documents/useDocumentPages.ts'
export { useDocument, useDocumentCount, useDocuments } from './hooks/documents/useDocuments.ts'
export { useFunction, useRunFunction } from './hooks/documents/useFunction.ts'
export { useLiveDocuments, useSubscription } from './hooks/documents/useLiveDocuments.ts'
export { useDeleteDocument, useSaveDocument } from './hooks/documents/useSaveDocument.ts'
export { useUpload } from './hooks/documents/useUpload.ts'
export { useSignInWithFarcaster } from './hooks/session/useFarcaster.ts'
export { useProviders, useSignInWithProvider } from './hooks/session/useProviders.ts'
export { useInitialization, useSession, useUser } from './hooks/session/useSession.ts'
export {
  useSignInWithPasskey,
  useSignInWithPassword,
  useSignInWithRecoveryCode,
  useSignInWithWallet,
  useSignOut,
  useSignUp,
} from './hooks/session/useSignIn.ts'
export {
  useRequestEmailCode,
  useSignInWithEmailCode,
  useSignInWithEmailLink,
} from './hooks/session/useSignInWithEmailCode.ts'
export {
  useAccountMismatch,
  useConnectors,
  useConnectWallet,
  useDisconnectWallet,
  useWallet,
} from './hooks/wallet/useWallet.ts'

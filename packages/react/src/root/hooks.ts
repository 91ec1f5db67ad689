export { CountersignProvider } from '../components/CountersignProvider.tsx'
export { createClient } from '../core/setup/createClient.ts'
export { useRefetchUser, useSaveUser } from '../hooks/account/useAccount.ts'
export { useSignInWithSecondFactor } from '../hooks/account/useSecondFactor.ts'
export { useClient } from '../hooks/client/useClient.ts'
export { useRead } from '../hooks/client/useRead.ts'
export { useConfig } from '../hooks/documents/useConfig.ts'
export { useDocumentPages } from '../hooks/documents/useDocumentPages.ts'
export { useDocument, useDocumentCount, useDocuments } from '../hooks/documents/useDocuments.ts'
export { useFunction, useRunFunction } from '../hooks/documents/useFunction.ts'
export { useLiveDocuments, useSubscription } from '../hooks/documents/useLiveDocuments.ts'
export { useDeleteDocument, useSaveDocument } from '../hooks/documents/useSaveDocument.ts'
export { useUpload } from '../hooks/documents/useUpload.ts'
export { useSignInWithFarcaster } from '../hooks/session/useFarcaster.ts'
export { useProviders, useSignInWithProvider } from '../hooks/session/useProviders.ts'
export { useInitialization, useSession, useUser } from '../hooks/session/useSession.ts'
export {
  useSignInWithPasskey,
  useSignInWithPassword,
  useSignInWithRecoveryCode,
  useSignInWithWallet,
  useSignOut,
  useSignUp,
} from '../hooks/session/useSignIn.ts'
export {
  useRequestEmailCode,
  useSignInWithEmailCode,
  useSignInWithEmailLink,
} from '../hooks/session/useSignInWithEmailCode.ts'
export {
  useAccountMismatch,
  useConnectors,
  useConnectWallet,
  useDisconnectWallet,
  useWallet,
} from '../hooks/wallet/useWallet.ts'

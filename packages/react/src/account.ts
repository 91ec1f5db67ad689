export type { Reauthentication, Role, SecondFactor } from './core/account/inputs.ts'
export { acceptInvitation } from './core/session/acceptInvitation.ts'
export type {
  AccessToken,
  AccountSecurity,
  Activity,
  ConnectedApp,
  Identity,
  Mail,
  MergePreview,
  NewAccessToken,
  Passkey,
  Session,
  SignInMethods,
  UndoDeadline,
  Wallet,
} from './core/values/records.ts'
export { useAccessTokens, useCreateAccessToken, useRevokeAccessToken } from './hooks/account/useAccessTokens.ts'
export { useDeleteUser, useExportAccount } from './hooks/account/useAccount.ts'
export { useConnectedApps, useDisconnectApp } from './hooks/account/useConnectedApps.ts'
export { useRequestEmailVerification, useUndoEmailChange, useVerifyEmail } from './hooks/account/useEmail.ts'
export {
  useLinkedWallets,
  useLinkWallet,
  useRestoreWallet,
  useUnlinkWallet,
  useUpdateWallet,
} from './hooks/account/useLinkedWallets.ts'
export { useMergeAccounts, usePreviewAccountMerge, useUndoAccountMerge } from './hooks/account/useMergeAccounts.ts'
export { useOutbox } from './hooks/account/useOutbox.ts'
export { usePasskeys, useRegisterPasskey, useRemovePasskey, useRestorePasskey } from './hooks/account/usePasskeys.ts'
export {
  useChangePassword,
  useRecoverAccount,
  useRequestPasswordReset,
  useResetPassword,
} from './hooks/account/usePassword.ts'
export { useRoles } from './hooks/account/useRoles.ts'
export {
  useConfirmTotp,
  useForgetDevices,
  useRemoveSecondFactor,
  useSecondFactor,
  useStartTotp,
  useUpdateSecondFactor,
} from './hooks/account/useSecondFactor.ts'
export {
  useAccountSecurity,
  useActivity,
  useCreateRecoveryCodes,
  useSignInMethods,
  useUpdateAccountSecurity,
} from './hooks/account/useSecurity.ts'
export { type SentMail, useSentMails } from './hooks/account/useSentMails.ts'
export { useRevokeOtherSessions, useRevokeSession, useSessions } from './hooks/account/useSessions.ts'
export { useLinkFarcaster } from './hooks/session/useFarcaster.ts'
export { useLinkProvider, useRestoreIdentity, useUnlinkIdentity } from './hooks/session/useProviders.ts'
export { useReauthenticate } from './hooks/session/useSignIn.ts'

// For each hook of the account what must compile and what must not; `types.test.ts` holds the list complete. Compiling is the test.

import {
  type Activity,
  type Passkey,
  type Session,
  type UndoDeadline,
  useAccessTokens,
  useAccountSecurity,
  useActivity,
  useChangePassword,
  useConnectedApps,
  useCreateAccessToken,
  useCreateRecoveryCodes,
  useDeleteUser,
  useDisconnectApp,
  useExportAccount,
  useLinkedWallets,
  useLinkWallet,
  useMergeAccounts,
  useOutbox,
  usePasskeys,
  usePreviewAccountMerge,
  useRecoverAccount,
  useRegisterPasskey,
  useRemovePasskey,
  useRequestEmailVerification,
  useRequestPasswordReset,
  useResetPassword,
  useRestorePasskey,
  useRestoreWallet,
  useRevokeAccessToken,
  useRevokeOtherSessions,
  useRevokeSession,
  useRoles,
  useSessions,
  useSignInMethods,
  useUndoAccountMerge,
  useUndoEmailChange,
  useUnlinkWallet,
  useUpdateAccountSecurity,
  useUpdateWallet,
  useVerifyEmail,
  type Wallet,
} from '../src/account.ts'
import { op, type User, useRefetchUser, useSaveUser } from '../src/index.ts'
import { usePush } from '../src/push.ts'

const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

export function usePushTypes(): void {
  const { state, subscribe, unsubscribe } = usePush({ worker: '/worker.js' })
  state satisfies 'unsupported' | 'default' | 'denied' | 'subscribed' | undefined
  void subscribe()
  void subscribe({ channels: ['news'] })
  void unsubscribe()
  // @ts-expect-error channels are texts
  void subscribe({ channels: [5] })
}

export function useSaveUserTypes(): void {
  const { saveUser, data } = useSaveUser()
  data satisfies User | undefined
  void saveUser({ nick: 'ada', level: op.increment(1) })
  // @ts-expect-error a number is not a text
  void saveUser({ nick: 5 })
}

export function useRefetchUserTypes(): void {
  const { refetchUser, data } = useRefetchUser()
  data satisfies User | undefined
  void refetchUser({ onError: ({ reason }) => reason === 'serverUnreachable' })
  // @ts-expect-error it takes callbacks alone
  void refetchUser('id')
}

export function useDeleteUserTypes(): void {
  const { deleteUser, error } = useDeleteUser()
  if (error?.reason === 'reauthenticationRequired') error.message satisfies string
  void deleteUser()
  // @ts-expect-error it is always the signed-in one
  void deleteUser({ objectId: 'x' })
}

export function useExportAccountTypes(): void {
  const { exportAccount, data } = useExportAccount()
  data satisfies object | undefined
  void exportAccount()
  // @ts-expect-error it takes callbacks alone
  void exportAccount({ format: 'csv' })
}

export function useAccountSecurityTypes(): void {
  useAccountSecurity().data?.recoveryCodes.left satisfies number | undefined
  useAccountSecurity({ select: ({ signInAlerts }) => signInAlerts }).data satisfies boolean | undefined
  // @ts-expect-error no such option
  useAccountSecurity({ stale: 1 })
}

export function useUpdateAccountSecurityTypes(): void {
  const { updateAccountSecurity, data } = useUpdateAccountSecurity()
  data?.signInAlerts satisfies boolean | undefined
  void updateAccountSecurity({ signInAlerts: true })
  // @ts-expect-error on or off
  void updateAccountSecurity({ signInAlerts: 'on' })
}

export function useSignInMethodsTypes(): void {
  useSignInMethods().data?.wallets.length satisfies number | undefined
  useSignInMethods({ select: ({ passkeys }) => passkeys.length }).data satisfies number | undefined
  // @ts-expect-error nothing is there before it was read
  useSignInMethods().data.wallets
}

export function useActivityTypes(): void {
  useActivity({ limit: 5, before: new Date() }).data satisfies readonly Activity[] | undefined
  // @ts-expect-error a time is a date
  useActivity({ before: '2026-01-01' })
}

export function useRolesTypes(): void {
  useRoles().data?.[0]?.name satisfies string | undefined
  // @ts-expect-error a role has no such field
  useRoles().data?.[0]?.title
}

export function useCreateRecoveryCodesTypes(): void {
  const { createRecoveryCodes, data } = useCreateRecoveryCodes()
  data satisfies readonly string[] | undefined
  void createRecoveryCodes()
  // @ts-expect-error there are always ten
  void createRecoveryCodes({ count: 5 })
}

export function useSessionsTypes(): void {
  useSessions({ staleTime: 1000, retry: 2 }).data satisfies readonly Session[] | undefined
  // @ts-expect-error a time is a number of milliseconds
  useSessions({ staleTime: '1s' })
}

export function useAccessTokensTypes(): void {
  useAccessTokens().data?.[0]?.lastUsedAt satisfies Date | undefined
  // @ts-expect-error the text is shown once, when it is created
  useAccessTokens().data?.[0]?.token
}

export function useCreateAccessTokenTypes(): void {
  const { createAccessToken, data, error } = useCreateAccessToken()
  data?.token satisfies string | undefined
  if (error?.reason === 'invalidScope') error.message satisfies string
  void createAccessToken({ name: 'x', scopes: ['Score:read'] as const, expiresIn: 3600 })
  // @ts-expect-error scopes are missing
  void createAccessToken({ name: 'x' })
}

export function useRevokeAccessTokenTypes(): void {
  const { revokeAccessToken } = useRevokeAccessToken()
  void revokeAccessToken({ objectId: 'x' })
  // @ts-expect-error which one is missing
  void revokeAccessToken()
}

export function useConnectedAppsTypes(): void {
  useConnectedApps({ select: (apps) => apps.length }).data satisfies number | undefined
  useConnectedApps().data?.[0]?.connectedAt satisfies Date | undefined
  // @ts-expect-error an app has no such field
  useConnectedApps().data?.[0]?.secret
}

export function useDisconnectAppTypes(): void {
  const { disconnectApp } = useDisconnectApp()
  void disconnectApp({ id: 'x' })
  // @ts-expect-error which one is missing
  void disconnectApp()
}

export function useRevokeSessionTypes(): void {
  const { revokeSession, reset } = useRevokeSession()
  reset satisfies () => void
  void revokeSession({ objectId: 'x' })
  // @ts-expect-error which one is missing
  void revokeSession()
}

export function useRevokeOtherSessionsTypes(): void {
  const { revokeOtherSessions, data } = useRevokeOtherSessions()
  data satisfies number | undefined
  void revokeOtherSessions()
  // @ts-expect-error it is all others
  void revokeOtherSessions({ objectId: 'x' })
}

export function useChangePasswordTypes(): void {
  const { changePassword, error } = useChangePassword()
  if (error?.reason === 'wrongCurrentPassword') error.message satisfies string
  void changePassword({ newPassword: 'y' })
  // @ts-expect-error the new one is missing
  void changePassword({ currentPassword: 'x' })
}

export function useRequestPasswordResetTypes(): void {
  const { requestPasswordReset, status } = useRequestPasswordReset()
  status satisfies string
  void requestPasswordReset({ email: 'a@b.c' })
  // @ts-expect-error a mail goes to an address
  void requestPasswordReset({ username: 'ada' })
}

export function useResetPasswordTypes(): void {
  const { resetPassword, error } = useResetPassword()
  if (error?.reason === 'linkExpired') error.message satisfies string
  void resetPassword({ token: 'x', password: 'y' })
  void resetPassword({ token: 'x', password: 'y', passkey: true })
  void resetPassword({ token: 'x', password: 'y', secondFactorCode: '123456' })
  // @ts-expect-error the token is missing
  void resetPassword({ password: 'y' })
}

export function useRequestEmailVerificationTypes(): void {
  const { requestEmailVerification, status } = useRequestEmailVerification()
  status satisfies string
  void requestEmailVerification({ email: 'a@b.c' })
  // @ts-expect-error a mail goes to an address
  void requestEmailVerification({})
}

export function useVerifyEmailTypes(): void {
  const { verifyEmail, error } = useVerifyEmail()
  if (error?.reason === 'linkExpired') error.message satisfies string
  void verifyEmail({ token: 'x' })
  // @ts-expect-error the token is a text
  void verifyEmail({ token: 5 })
}

export function useUndoEmailChangeTypes(): void {
  const { undoEmailChange, data } = useUndoEmailChange()
  data satisfies string | undefined
  void undoEmailChange({ token: 'x' })
  // @ts-expect-error the token is missing
  void undoEmailChange({})
}

export function useRecoverAccountTypes(): void {
  const { recoverAccount, error } = useRecoverAccount()
  if (error?.reason === 'olderProofRequired') error.message satisfies string
  void recoverAccount({ token: 'x', password: 'x', newPassword: 'y' })
  void recoverAccount({ token: 'x', passkey: true })
  void recoverAccount({ token: 'x', connector: 'injected' })
  // @ts-expect-error the token is missing
  void recoverAccount({ passkey: true })
}

export function useOutboxTypes(): void {
  useOutbox().data?.[0]?.createdAt satisfies Date | undefined
  // @ts-expect-error nothing is there before it was read
  useOutbox().data[0]
}

export function usePasskeysTypes(): void {
  usePasskeys({ initialData: [] }).data satisfies readonly Passkey[] | undefined
  // @ts-expect-error a list is not one
  usePasskeys().data?.name
}

export function useRegisterPasskeyTypes(): void {
  const { registerPasskey, error } = useRegisterPasskey()
  if (error?.reason === 'passkeyCancelled') error.message satisfies string
  void registerPasskey({ name: 'Phone' })
  // @ts-expect-error a name is a text
  void registerPasskey({ name: 5 })
}

export function useRemovePasskeyTypes(): void {
  const { removePasskey, error } = useRemovePasskey()
  if (error?.reason === 'lastSignInMethod') error.message satisfies string
  void removePasskey({ objectId: 'x' })
  // @ts-expect-error which one is missing
  void removePasskey({})
}

export function useRestorePasskeyTypes(): void {
  const { restorePasskey, data, error } = useRestorePasskey()
  if (error?.reason === 'passkeyRestoreExpired') error.message satisfies string
  data?.name satisfies string | undefined
  void restorePasskey({ objectId: 'x' })
  // @ts-expect-error which one is missing
  void restorePasskey({})
}

export function useLinkedWalletsTypes(): void {
  useLinkedWallets({ refetchOnFocus: true }).data satisfies readonly Wallet[] | undefined
  // @ts-expect-error it is on or off
  useLinkedWallets({ refetchOnFocus: 'always' })
}

export function useLinkWalletTypes(): void {
  const { linkWallet, data } = useLinkWallet()
  data satisfies Wallet | undefined
  void linkWallet()
  // @ts-expect-error an address proves nothing
  void linkWallet({ address })
}

export function useUpdateWalletTypes(): void {
  const { updateWallet, data } = useUpdateWallet()
  data satisfies Wallet | undefined
  void updateWallet({ objectId: 'x', label: 'Savings' })
  // @ts-expect-error which one is missing
  void updateWallet({ label: 'Savings' })
}

export function useUnlinkWalletTypes(): void {
  const { unlinkWallet, data } = useUnlinkWallet()
  data satisfies UndoDeadline | undefined
  void unlinkWallet({ objectId: 'x' })
  // @ts-expect-error it is named by its id
  void unlinkWallet({ address })
}

export function useRestoreWalletTypes(): void {
  const { restoreWallet, data } = useRestoreWallet()
  data satisfies Wallet | undefined
  void restoreWallet({ objectId: 'x' })
  // @ts-expect-error which one is missing
  void restoreWallet()
}

export function usePreviewAccountMergeTypes(): void {
  const { previewAccountMerge, data } = usePreviewAccountMerge()
  data?.objectId satisfies string | undefined
  void previewAccountMerge({ connector: 'injected' })
  // @ts-expect-error no such option
  void previewAccountMerge({ account: address })
}

export function useMergeAccountsTypes(): void {
  const { mergeAccounts, data } = useMergeAccounts()
  data?.undoUntil satisfies Date | undefined
  void mergeAccounts({ objectId: 'x' })
  // @ts-expect-error which one is missing
  void mergeAccounts()
}

export function useUndoAccountMergeTypes(): void {
  const { undoAccountMerge, error } = useUndoAccountMerge()
  if (error?.reason === 'mergeUndoExpired') error.message satisfies string
  void undoAccountMerge({ objectId: 'x' })
  // @ts-expect-error which one is missing
  void undoAccountMerge({})
}

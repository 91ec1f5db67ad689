// For each hook what must compile and what must not; `types.test.ts` holds the list complete. Compiling is the test.

import {
  type ActionError,
  type Activity,
  type Client,
  type ConnectedWallet,
  type Connector,
  type CountersignError,
  createInjectedConnector,
  type Doc,
  defineQuery,
  op,
  type Passkey,
  pointer,
  type Session,
  type StoredFile,
  type UndoDeadline,
  type User,
  useAccountMismatch,
  useAccountSecurity,
  useActivity,
  useAddChain,
  useChains,
  useChangePassword,
  useClient,
  useConfirmTotp,
  useConnectors,
  useConnectWallet,
  useCreateRecoveryCodes,
  useDeleteDocument,
  useDeleteUser,
  useDisconnectWallet,
  useDocument,
  useDocumentCount,
  useDocumentPages,
  useDocuments,
  useEnsAddress,
  useEnsName,
  useExportAccount,
  useForgetDevices,
  useFunction,
  useInitialization,
  useLinkedWallets,
  useLinkFarcaster,
  useLinkProvider,
  useLinkWallet,
  useLiveDocuments,
  useMergeAccounts,
  useNativeBalance,
  useNfts,
  useOutbox,
  usePasskeys,
  usePortfolio,
  usePreviewAccountMerge,
  useProviders,
  useReadContract,
  useReauthenticate,
  useRefetchUser,
  useRegisterPasskey,
  useRemovePasskey,
  useRemoveSecondFactor,
  useRequestEmailCode,
  useRequestEmailVerification,
  useRequestPasswordReset,
  useResetPassword,
  useRestoreIdentity,
  useRestorePasskey,
  useRestoreWallet,
  useRevokeOtherSessions,
  useRevokeSession,
  useRoles,
  useRunFunction,
  useSaveDocument,
  useSaveUser,
  useSecondFactor,
  useSendTransaction,
  useSendTransfer,
  useSession,
  useSessions,
  useSignInMethods,
  useSignInWithEmailCode,
  useSignInWithEmailLink,
  useSignInWithFarcaster,
  useSignInWithPasskey,
  useSignInWithPassword,
  useSignInWithProvider,
  useSignInWithRecoveryCode,
  useSignInWithSecondFactor,
  useSignInWithWallet,
  useSignMessage,
  useSignOut,
  useSignUp,
  useStartTotp,
  useSubscription,
  useSwitchChain,
  useToken,
  useTokenBalances,
  useTokenPrice,
  useTransactions,
  useTransfers,
  useUndoAccountMerge,
  useUndoEmailChange,
  useUnlinkIdentity,
  useUnlinkWallet,
  useUpdateAccountSecurity,
  useUpdateSecondFactor,
  useUpdateWallet,
  useUpload,
  useUser,
  useVerifyEmail,
  useWallet,
  useWriteContract,
  type Wallet,
} from '../src/index.ts'
import { usePush } from '../src/push.ts'
import { createSignInFlow, useQrDrawing, useSignInFlow } from '../src/sheet.ts'
import { useFollowTransaction } from '../src/transactions.ts'

const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const abi = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'owner', type: 'address' }],
    outputs: [{ type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ type: 'bool' }],
  },
] as const

export function useClientTypes(): void {
  useClient() satisfies Client
  // @ts-expect-error it is the one of the provider
  useClient({ appId: 'x' })
}

export function useSessionTypes(): void {
  const { status, user, error, operation } = useSession()
  status satisfies 'undefined' | 'unauthenticated' | 'authenticating' | 'authenticated' | 'error'
  user?.username satisfies string | undefined
  error satisfies CountersignError | undefined
  operation satisfies 'signIn' | 'signOut' | 'restore' | undefined
  // @ts-expect-error no such state
  status === 'loading'
}

export function useUserTypes(): void {
  const user = useUser()
  user?.nick satisfies string | undefined
  // @ts-expect-error there may be none
  user.nick
  // @ts-expect-error a snapshot is not changed
  if (user) user.nick = 'ada'
}

export function useInitializationTypes(): void {
  const { status, initialize } = useInitialization()
  status satisfies 'idle' | 'initializing' | 'ready' | 'error'
  void initialize({ appId: 'app', serverUrl: '/server' })
  // @ts-expect-error an id is a text
  void initialize({ appId: 5 })
}

export function useSignUpTypes(): void {
  const { signUp, data } = useSignUp()
  data satisfies User | undefined
  void signUp({ username: 'ada', password: 'x' }, { onSuccess: (user) => user satisfies User })
  // @ts-expect-error its password is missing
  void signUp({ username: 'ada' })
}

export function useSignInWithPasswordTypes(): void {
  const { signInWithPassword, error } = useSignInWithPassword()
  error satisfies ActionError<'signInWithPassword'> | undefined
  void signInWithPassword({ username: 'ada', password: 'x' })
  // @ts-expect-error its password is missing
  void signInWithPassword({ username: 'ada' })
}

export function useSignInWithWalletTypes(): void {
  const { signInWithWallet, error } = useSignInWithWallet()
  void signInWithWallet()
  void signInWithWallet({ connector: 'injected', restoreAccount: true })
  error?.reason satisfies string | undefined
  // @ts-expect-error no such option
  void signInWithWallet({ conector: 'injected' })
}

export function useSignInWithPasskeyTypes(): void {
  const { signInWithPasskey, data } = useSignInWithPasskey()
  data satisfies User | undefined
  void signInWithPasskey({ onSuccess: (user) => user satisfies User })
  // @ts-expect-error a passkey needs no name
  void signInWithPasskey({ username: 'ada' })
}

export function useSignInWithRecoveryCodeTypes(): void {
  const { signInWithRecoveryCode, data } = useSignInWithRecoveryCode()
  data satisfies User | undefined
  void signInWithRecoveryCode({ username: 'ada', code: 'x' })
  // @ts-expect-error its code is missing
  void signInWithRecoveryCode({ username: 'ada' })
}

export function useRequestEmailCodeTypes(): void {
  const { requestEmailCode, data } = useRequestEmailCode()
  data?.handle satisfies string | undefined
  void requestEmailCode({ email: 'a@b.c' })
  void requestEmailCode({ purpose: 'reauthenticate' })
  // @ts-expect-error no such purpose
  void requestEmailCode({ purpose: 'link' })
}

export function useSignInWithEmailCodeTypes(): void {
  const { signInWithEmailCode, error } = useSignInWithEmailCode()
  if (error?.reason === 'emailCodeExpired') error.message satisfies string
  void signInWithEmailCode({ handle: 'x', code: '123456' })
  // @ts-expect-error a code is a text
  void signInWithEmailCode({ handle: 'x', code: 123456 })
}

export function useSignInWithEmailLinkTypes(): void {
  const { signInWithEmailLink, error } = useSignInWithEmailLink()
  if (error?.reason === 'linkExpired') error.message satisfies string
  void signInWithEmailLink({ token: 'x' })
  // @ts-expect-error the token is missing
  void signInWithEmailLink({})
}

export function useProvidersTypes(): void {
  useProviders({ select: (providers) => providers.length }).data satisfies number | undefined
  // @ts-expect-error a list is not one
  useProviders().data?.name
}

export function useSignInWithProviderTypes(): void {
  const { signInWithProvider, data } = useSignInWithProvider()
  data satisfies User | undefined
  void signInWithProvider({ provider: 'google' })
  // @ts-expect-error which one is missing
  void signInWithProvider()
}

export function useLinkProviderTypes(): void {
  const { linkProvider, status } = useLinkProvider()
  status satisfies string
  void linkProvider({ provider: 'google' })
  // @ts-expect-error a provider has a name
  void linkProvider({ provider: 5 })
}

export function useSignInWithFarcasterTypes(): void {
  const { signInWithFarcaster, error } = useSignInWithFarcaster()
  if (error?.reason === 'invalidSignature') error.message satisfies string
  void signInWithFarcaster({ sign: async ({ nonce }) => ({ message: nonce, signature: '0x' }) })
  // @ts-expect-error a signature belongs to it
  void signInWithFarcaster({ sign: async ({ nonce }) => ({ message: nonce }) })
}

export function useLinkFarcasterTypes(): void {
  const { linkFarcaster, data } = useLinkFarcaster()
  data?.linkedAt satisfies Date | undefined
  void linkFarcaster({ sign: async ({ domain }) => ({ message: domain, signature: '0x' }) })
  // @ts-expect-error nobody signs
  void linkFarcaster({})
}

export function useFollowTransactionTypes(): void {
  const sent = useFollowTransaction({ chain: 1, hash: '0x1', data: { order: 'o-17' } })
  if (sent.status === 'success') {
    sent.data.status satisfies 'pending' | 'mined' | 'final' | 'reverted' | 'replaced' | 'dropped'
    sent.data.value satisfies bigint | undefined
  }
  useFollowTransaction(undefined)
  const status = useFollowTransaction(undefined, { select: (followed) => followed.status })
  if (status.status === 'success') status.data satisfies string
  // @ts-expect-error a hash is of one chain
  useFollowTransaction({ hash: '0x1' })
}

export function usePushTypes(): void {
  const { state, subscribe, unsubscribe } = usePush({ worker: '/worker.js' })
  state satisfies 'unsupported' | 'default' | 'denied' | 'subscribed' | undefined
  void subscribe()
  void subscribe({ channels: ['news'] })
  void unsubscribe()
  // @ts-expect-error channels are texts
  void subscribe({ channels: [5] })
}

export function useUnlinkIdentityTypes(): void {
  const { unlinkIdentity, data } = useUnlinkIdentity()
  data?.undoUntil satisfies Date | undefined
  void unlinkIdentity({ provider: 'google' })
  // @ts-expect-error which one is missing
  void unlinkIdentity({})
}

export function useRestoreIdentityTypes(): void {
  const { restoreIdentity, status } = useRestoreIdentity()
  status satisfies string
  void restoreIdentity({ provider: 'google' })
  // @ts-expect-error which one is missing
  void restoreIdentity({})
}

export function useSecondFactorTypes(): void {
  useSecondFactor({ staleTime: 1000 }).status satisfies 'pending' | 'success' | 'error'
  // @ts-expect-error a time is a number of milliseconds
  useSecondFactor({ staleTime: '1s' })
}

export function useStartTotpTypes(): void {
  const { startTotp, data } = useStartTotp()
  data?.uri satisfies string | undefined
  void startTotp({})
  // @ts-expect-error a ticket is a text
  void startTotp({ ticket: 5 })
}

export function useConfirmTotpTypes(): void {
  const { confirmTotp, status } = useConfirmTotp()
  status satisfies string
  void confirmTotp({ code: '123456' })
  // @ts-expect-error a code is a text
  void confirmTotp({ code: 123456 })
}

export function useRemoveSecondFactorTypes(): void {
  const { removeSecondFactor, status } = useRemoveSecondFactor()
  status satisfies string
  void removeSecondFactor()
  // @ts-expect-error it takes callbacks alone
  void removeSecondFactor({ code: '123456' })
}

export function useUpdateSecondFactorTypes(): void {
  const { updateSecondFactor, error } = useUpdateSecondFactor()
  void updateSecondFactor({ passkey: true }, { onSuccess: (factor) => factor.passkey satisfies boolean })
  if (error?.reason === 'passkeyMissing') error.docsUrl satisfies string
  // @ts-expect-error on or off
  void updateSecondFactor({ passkey: 'on' })
}

export function useForgetDevicesTypes(): void {
  const { forgetDevices, status } = useForgetDevices()
  status satisfies 'idle' | 'pending' | 'success' | 'error'
  void forgetDevices()
  // @ts-expect-error all of them, and none by name
  void forgetDevices({ objectId: 'x' })
}

export function useSignInWithSecondFactorTypes(): void {
  const { signInWithSecondFactor, data } = useSignInWithSecondFactor()
  data satisfies User | undefined
  void signInWithSecondFactor({ ticket: 'x', code: '123456' })
  // @ts-expect-error the code or a passkey is missing
  void signInWithSecondFactor({ ticket: 'x' })
}

export function useSignOutTypes(): void {
  const { signOut, status } = useSignOut()
  status satisfies 'idle' | 'pending' | 'success' | 'error'
  void signOut({ onComplete: () => undefined })
  // @ts-expect-error it takes callbacks alone
  void signOut({ everywhere: true })
}

export function useReauthenticateTypes(): void {
  const { reauthenticate, data } = useReauthenticate()
  data?.confirmedUntil satisfies Date | undefined
  void reauthenticate({ password: 'x' })
  void reauthenticate({ passkey: true })
  void reauthenticate({ connector: 'injected' })
  // @ts-expect-error what proves it is missing
  void reauthenticate()
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

export function useWalletTypes(): void {
  const wallet = useWallet()
  if (wallet.status === 'connected') wallet.connector satisfies Connector
  if (wallet.status === 'connected' && wallet.namespace === 'eip155') {
    wallet.account satisfies `0x${string}` | undefined
    wallet.chainId satisfies number | undefined
  }
  // @ts-expect-error a Solana account is no EVM address
  if (wallet.status === 'connected') wallet.account satisfies `0x${string}` | undefined
  // @ts-expect-error there may be none
  wallet.account
}

export function useConnectorsTypes(): void {
  useConnectors()[0]?.id satisfies string | undefined
  // @ts-expect-error the list is not changed
  useConnectors().push(createInjectedConnector())
}

export function useConnectWalletTypes(): void {
  const { connectWallet, data } = useConnectWallet()
  data satisfies ConnectedWallet | undefined
  void connectWallet({ connector: createInjectedConnector(), chainId: 1 })
  // @ts-expect-error a chain is a number
  void connectWallet({ chainId: 'mainnet' })
}

export function useDisconnectWalletTypes(): void {
  const { disconnectWallet, status } = useDisconnectWallet()
  status satisfies string
  void disconnectWallet()
  // @ts-expect-error there is one
  void disconnectWallet({ connector: 'injected' })
}

export function useAccountMismatchTypes(): void {
  const { mismatch, dismiss } = useAccountMismatch()
  mismatch?.signedInAs satisfies string | undefined
  dismiss satisfies () => void
  // @ts-expect-error there may be none
  mismatch.account
}

export function useSwitchChainTypes(): void {
  const { switchChain, error } = useSwitchChain()
  if (error?.reason === 'userRejected') error.message satisfies string
  void switchChain({ chainId: 1 })
  // @ts-expect-error a chain is a number
  void switchChain({ chainId: '1' })
}

export function useAddChainTypes(): void {
  const { addChain, status } = useAddChain()
  status satisfies string
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  void addChain({ id: 8453, name: 'Base', nativeCurrency, rpcUrls: ['https://base.example'] })
  // @ts-expect-error its coin and nodes are missing
  void addChain({ id: 8453, name: 'Base' })
}

export function useSignMessageTypes(): void {
  const { signMessage, data } = useSignMessage()
  data satisfies string | undefined
  void signMessage({ message: 'I was here' })
  // @ts-expect-error a text on its own
  void signMessage('I was here')
}

export function useReadContractTypes(): void {
  const { data } = useReadContract({ address, abi, functionName: 'balanceOf', args: [address] }, { staleTime: 1000 })
  data satisfies bigint | undefined
  useReadContract({ address, abi, functionName: 'balanceOf', args: [address] }, { select: String }).data satisfies
    | string
    | undefined
  // @ts-expect-error the argument is missing
  useReadContract({ address, abi, functionName: 'balanceOf' })
  // @ts-expect-error it changes something
  useReadContract({ address, abi, functionName: 'transfer', args: [address, 1n] })
  // @ts-expect-error a contract has an address
  useReadContract({ address: 'usdc', abi, functionName: 'balanceOf', args: [address] })
}

export function useWriteContractTypes(): void {
  const { writeContract, data } = useWriteContract()
  data?.hash satisfies `0x${string}` | undefined
  void writeContract({ address, abi, functionName: 'transfer', args: [address, 1n], onHash: (hash) => hash.length })
  // @ts-expect-error it changes nothing
  void writeContract({ address, abi, functionName: 'balanceOf', args: [address] })
  // @ts-expect-error the second argument is missing
  void writeContract({ address, abi, functionName: 'transfer', args: [address] })
}

export function useSendTransactionTypes(): void {
  const { sendTransaction, data } = useSendTransaction()
  data?.receipt?.blockNumber satisfies bigint | undefined
  void sendTransaction({ to: address, value: 1n, wait: true })
  // @ts-expect-error a name is no address
  void sendTransaction({ to: 'ada.eth', value: 1n })
}

export function useSendTransferTypes(): void {
  const { sendTransfer, data } = useSendTransfer()
  data?.hash satisfies `0x${string}` | undefined
  void sendTransfer({ type: 'erc721', address, to: address, tokenId: 1n })
  // @ts-expect-error which token is missing
  void sendTransfer({ type: 'erc721', address, to: address })
}

export function useDocumentsTypes(): void {
  const { data } = useDocuments('Game', {
    where: { score: { $gt: 1 } },
    order: ['-score'],
    select: (rows) => rows.length,
  })
  data satisfies number | undefined
  // @ts-expect-error no such class
  useDocuments('Gmae')
}

export function useDocumentTypes(): void {
  useDocument('Game', 'x', { keys: ['title'] }).data?.title satisfies string | undefined
  // @ts-expect-error no such field
  useDocument('Game', 'x', { keys: ['titel'] })
}

export function useDocumentPagesTypes(): void {
  const { data, hasMore, loadMore } = useDocumentPages('Game', { order: ['-score'], limit: 20, include: ['owner'] })
  data?.[0]?.owner?.name satisfies string | undefined
  hasMore satisfies boolean
  void loadMore()
  // @ts-expect-error pages follow each other without it
  useDocumentPages('Game', { skip: 20 })
}

export function useDocumentCountTypes(): void {
  useDocumentCount('Game', { where: { title: 'Go' } }).data satisfies number | undefined
  // @ts-expect-error a number is not a text
  useDocumentCount('Game', { where: { title: 5 } })
}

export function useLiveDocumentsTypes(): void {
  useLiveDocuments('Game', { include: ['owner'] }).data?.[0]?.owner?.name satisfies string | undefined
  // @ts-expect-error a text leads nowhere
  useLiveDocuments('Game', { include: ['title'] })
}

export function useSubscriptionTypes(): void {
  useSubscription({ query: defineQuery('Game'), onCreate: (game) => game.title satisfies string })
    .status satisfies string
  // @ts-expect-error no such event
  useSubscription({ query: defineQuery('Game'), onCreated: () => undefined })
}

export function useSaveDocumentTypes(): void {
  const { create, save, data } = useSaveDocument('Game')
  data?.objectId satisfies string | undefined
  void create({ title: 'Go' }, { onSuccess: (game) => game satisfies Doc<'Game'> })
  void save(pointer('Game', 'x'), { score: op.increment(1) })
  // @ts-expect-error of another class
  void save(pointer('Team', 'x'), { score: 1 })
}

export function useDeleteDocumentTypes(): void {
  const { deleteDocument, error } = useDeleteDocument()
  if (error?.reason === 'objectNotFound') error.message satisfies string
  void deleteDocument(pointer('Game', 'x'))
  // @ts-expect-error an id says no class
  void deleteDocument('x')
}

export function useUploadTypes(): void {
  const { upload, progress, data } = useUpload()
  progress satisfies number
  data satisfies StoredFile | undefined
  void upload({ file: new Blob(['x']), name: 'x.txt' })
  // @ts-expect-error a path is no file
  void upload({ file: '/tmp/x' })
}

export function useFunctionTypes(): void {
  useFunction('averageStars', { movie: 'x' }).data?.average satisfies number | undefined
  // @ts-expect-error its input is needed
  useFunction('averageStars')
}

export function useRunFunctionTypes(): void {
  const { run, data } = useRunFunction('averageStars')
  data?.average satisfies number | undefined
  void run({ movie: 'x' })
  // @ts-expect-error a text is needed
  void run({ movie: 5 })
}

export function useChainsTypes(): void {
  useChains({ select: (chains) => chains.map(({ name }) => name) }).data satisfies readonly string[] | undefined
  // @ts-expect-error a list is not one
  useChains().data?.name
}

export function useEnsNameTypes(): void {
  useEnsName({ address }).data?.name satisfies string | undefined
  // @ts-expect-error a name is looked up by an address
  useEnsName({ name: 'ada.eth' })
}

export function useEnsAddressTypes(): void {
  useEnsAddress({ name: 'ada.eth', staleTime: 60_000 }).data?.address satisfies string | undefined
  useEnsAddress(undefined)
  // @ts-expect-error the name is missing
  useEnsAddress({})
}

export function useNativeBalanceTypes(): void {
  useNativeBalance({ select: ({ balance }) => balance }).data satisfies bigint | undefined
  // @ts-expect-error no such chain
  useNativeBalance({ chain: 'polygon' })
}

export function useTokenBalancesTypes(): void {
  useTokenBalances({ placeholderData: [] }).data?.[0]?.balance satisfies bigint | undefined
  // @ts-expect-error a list of tokens
  useTokenBalances({ tokens: address })
}

export function useTokenPriceTypes(): void {
  useTokenPrice({ token: address }).data?.usd satisfies unknown
  // @ts-expect-error which token is missing
  useTokenPrice({})
}

export function useTokenTypes(): void {
  useToken({ token: address, enabled: false }).data?.symbol satisfies string | null | undefined
  // @ts-expect-error which token is missing
  useToken({ chain: 'local' })
}

export function useNftsTypes(): void {
  const { data, loadMore } = useNfts({ select: (rows) => rows.length })
  data satisfies number | undefined
  void loadMore()
  // @ts-expect-error how many is a number
  useNfts({ limit: 'all' })
}

export function usePortfolioTypes(): void {
  usePortfolio({ chains: ['local'], refetchInterval: 60_000 }).data?.chains.length satisfies number | undefined
  // @ts-expect-error no such chain
  usePortfolio({ chains: ['polygon'] })
}

export function useTransactionsTypes(): void {
  useTransactions({ limit: 5 }).data?.[0]?.value satisfies bigint | undefined
  // @ts-expect-error blocks have numbers
  useTransactions({ fromBlock: 'latest' })
}

export function useTransfersTypes(): void {
  useTransfers({ live: true, kind: 'erc20', initialData: [] }).data?.[0]?.amount satisfies bigint | undefined
  // @ts-expect-error no such kind
  useTransfers({ kind: 'erc777' })
}

export function useSignInFlowTypes(client: Client): void {
  const { state } = useSignInFlow()
  if (state.status === 'done') state.user satisfies User
  createSignInFlow(client, { purpose: 'link' }).state.get().status satisfies string
  // @ts-expect-error no such purpose
  useSignInFlow({ purpose: 'pay' })
}

export function useQrDrawingTypes(): void {
  useQrDrawing('wc:x')?.size satisfies number | undefined
  // @ts-expect-error a text is drawn
  useQrDrawing(5)
}

const names = (text: string) => text.trim().split(/\s+/)

/** Names that moved from the root of @countersign/react, by the entry that has them now. */
const entries = {
  account: names(`
    AccountSecurity Activity Identity Mail MergePreview Passkey Reauthentication Role SecondFactor
    Session SignInMethods UndoDeadline Wallet acceptInvitation useAccountSecurity useActivity
    useChangePassword useConfirmTotp useCreateRecoveryCodes useDeleteUser useExportAccount
    useForgetDevices useLinkFarcaster useLinkProvider useLinkWallet useLinkedWallets useMergeAccounts
    useOutbox usePasskeys usePreviewAccountMerge useReauthenticate useRegisterPasskey useRemovePasskey
    useRemoveSecondFactor useRequestEmailVerification useRequestPasswordReset useResetPassword
    useRestoreIdentity useRestorePasskey useRestoreWallet useRevokeOtherSessions useRevokeSession
    useRoles useSecondFactor useSessions useSignInMethods useStartTotp useUndoAccountMerge
    useUndoEmailChange useUnlinkIdentity useUnlinkWallet useUpdateAccountSecurity useUpdateSecondFactor
    useUpdateWallet useVerifyEmail
  `),
  chain: names(`
    Avatar Chain ChainId ChainInfo ChainRef EnsAddress EnsName NativeBalance Nft Portfolio
    ReadContractInput SentTransaction Token TokenBalance TokenPrice Transaction Transfer
    WriteContractInput shortenAddress useAddChain useCallsStatus useCapabilities useChains useEnsAddress
    useEnsName useNativeBalance useNfts usePortfolio useReadContract useSendCalls useSendTransaction
    useSendTransfer useSignMessage useSwitchChain useToken useTokenBalances useTokenPrice
    useTransactions useTransfers useWriteContract
  `),
  errors: names(`
    MissingProviderError NotAuthenticatedError PasskeyError ProviderError ReauthenticationRequiredError
    RevertError UserRejectedError ValidationError WrongChainError
  `),
  sheet: names(`
    Language SheetMessages
  `),
  core: names(`
    AcceptInvitationInput AccountExport AccountMismatch ActionName ActionOptions ActionReason
    AddressInput AddressOfInput AsyncState ChainEndpoint ChainInput ChainOptions ChainResult
    ChainResultPage ChangePasswordInput CloudFunctionInput CloudFunctionName CloudFunctionOutput
    CommonReason ConfirmTotpInput ConnectOptions ConnectWalletInput ConnectedWallet ConnectorKind
    CountersignErrorOptions DemoOptions Distance Eip1193Info Eip1193Provider EndpointName EndpointTypes
    FarcasterChallenge FarcasterInput FarcasterSign Found FunctionArgs FunctionName FunctionResult
    GetOptions IdentityInput InitializationState InitializeInput InjectedOptions ListActivityInput
    LiveState MergeAccountsInput NativeBalanceInput NetworkOptions NftsInput Operators Optimistic
    PageInput PasskeyErrorReason PortfolioInput PreviewAccountMergeInput Proof ProviderInput RateLimit
    RawTransaction ReadDefaults Reads ReauthenticateInput RegisterPasskeyInput RemovePasskeyInput
    RequestEmailCodeInput RequestEmailVerificationInput RequestPasswordResetInput RequestedEmailCode
    ResetPasswordInput RestorePasskeyInput RestoreWalletInput Result Revert RevokeSessionInput SaveInput
    Saved SearchOptions SecondCode SecondStep SendOptions SendTransactionInput SendTransferInput
    SessionOperation SessionState SignInFields SignInWithEmailCodeInput SignInWithEmailLinkInput
    SignInWithFarcasterInput SignInWithPasswordInput SignInWithProviderInput SignInWithRecoveryCodeInput
    SignInWithSecondFactorInput SignMessageInput SignUpInput SignedIn SignerAccount SignerInput
    StartTotpInput StartedTotp StorageAdapter Store SubscribeInput SubscriptionHandlers SwitchChainInput
    SyncStorage TimeName TokenBalancesInput TokenInput TokenPriceInput TransactionsInput TransferKind
    TransfersInput UndoAccountMergeInput UndoEmailChangeInput UnlinkWalletInput
    UpdateAccountSecurityInput UpdateSecondFactorInput UpdateWalletInput UploadFileInput UserChanges
    VerifyEmailInput WalletConnection WalletEvent WalletState WithArgs WithDates Writes
  `),
}

const entryOf = new Map(Object.entries(entries).flatMap(([entry, list]) => list.map((name) => [name, entry] as const)))

/** Types whose parameter the codemod cannot know, or that have no successor. */
const advice = new Map([
  ['ActionState', 'Use HookResult<…> with the name of the hook.'],
  ['ApplicationConfig', "Use HookResult<'useConfig'>."],
  ['PlainReadOptions', 'Use ReadOptions.'],
  ['Run', 'Use HookResult<…> with the names of the hook and of its action.'],
  ['RunOptional', 'Use HookResult<…> with the names of the hook and of its action.'],
  ['RunPlain', 'Use HookResult<…> with the names of the hook and of its action.'],
  ['UseChainData', "Take HookResult<…> with the name of the hook, such as 'useNativeBalance'."],
  ['UseChainPages', "Take HookResult<…> with the name of the hook, such as 'useTransfers'."],
  ['UseDocumentPages', "Use HookResult<'useDocumentPages', 'Game'> with the name of your class."],
  ['UseFunction', "Use HookResult<'useFunction', 'averageStars'> with the name of your function."],
  ['UseRunFunction', "Use HookResult<'useRunFunction', 'averageStars'> with the name of your function."],
  ['UseSaveDocument', "Use HookResult<'useSaveDocument', 'Game'> with the name of your class."],
])

/** Types of results that follow from the name of a hook. */
const results = new Set(
  names(`
    UseAccountMismatch UseAddChain UseChangePassword UseConfirmTotp UseConnectWallet
    UseCreateRecoveryCodes UseDeleteDocument UseDeleteUser UseDisconnectWallet UseExportAccount
    UseForgetDevices UseInitialization UseLinkFarcaster UseLinkProvider UseLinkWallet UseMergeAccounts
    UsePreviewAccountMerge UseReauthenticate UseRefetchUser UseRegisterPasskey UseRemovePasskey
    UseRemoveSecondFactor UseRequestEmailCode UseRequestEmailVerification UseRequestPasswordReset
    UseResetPassword UseRestoreIdentity UseRestorePasskey UseRestoreWallet UseRevokeOtherSessions
    UseRevokeSession UseSaveUser UseSendCalls UseSendTransaction UseSendTransfer UseSignInWithEmailCode
    UseSignInWithEmailLink UseSignInWithFarcaster UseSignInWithPasskey UseSignInWithPassword
    UseSignInWithProvider UseSignInWithRecoveryCode UseSignInWithSecondFactor UseSignInWithWallet
    UseSignMessage UseSignOut UseSignUp UseStartTotp UseSubscription UseSwitchChain UseUndoAccountMerge
    UseUndoEmailChange UseUnlinkIdentity UseUnlinkWallet UseUpdateAccountSecurity UseUpdateSecondFactor
    UseUpdateWallet UseUpload UseVerifyEmail UseWriteContract
  `),
)

/** Place of a name that was at the root of @countersign/react. */
export type Place =
  | { readonly entry: string; readonly hook?: never; readonly advice?: never }
  | { readonly hook: string; readonly entry?: never; readonly advice?: never }
  | { readonly advice: string; readonly entry?: never; readonly hook?: never }

/** Returns the new entry of a name, or undefined if it stayed at the root. */
export function findPlace(name: string): Place | undefined {
  const entry = entryOf.get(name)
  if (entry !== undefined) return { entry }
  const sentence = advice.get(name)
  if (sentence !== undefined) return { advice: `${name} is no longer exported. ${sentence}` }
  return results.has(name) ? { hook: `u${name.slice(1)}` } : undefined
}

/** Names that left the root. */
export function listMoved(): string[] {
  return [...entryOf.keys(), ...advice.keys(), ...results]
}

// For each hook of sign-in and the session what must compile and what must not; `types.test.ts` holds the list complete. Compiling is the test.

import {
  useConfirmTotp,
  useForgetDevices,
  useLinkFarcaster,
  useLinkProvider,
  useReauthenticate,
  useRemoveSecondFactor,
  useRestoreIdentity,
  useSecondFactor,
  useStartTotp,
  useUnlinkIdentity,
  useUpdateSecondFactor,
} from '../src/account.ts'
import {
  type ActionError,
  type Client,
  type CountersignError,
  type User,
  useClient,
  useInitialization,
  useProviders,
  useRequestEmailCode,
  useSession,
  useSignInWithEmailCode,
  useSignInWithEmailLink,
  useSignInWithFarcaster,
  useSignInWithPasskey,
  useSignInWithPassword,
  useSignInWithProvider,
  useSignInWithRecoveryCode,
  useSignInWithSecondFactor,
  useSignInWithWallet,
  useSignOut,
  useSignUp,
  useUser,
} from '../src/index.ts'
import { createSignInFlow, useQrDrawing, useSignInFlow } from '../src/sheet.ts'

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

'use client'

import type { ReauthenticateInput, Reauthentication } from '../../core/account/inputs.ts'
import { reauthenticate } from '../../core/account/reauthenticate.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run, RunOptional, RunPlain } from '../../core/readings/createMutation.ts'
import { type PasskeySignIn, signInWithPasskey } from '../../core/session/signInWithPasskey.ts'
import { type SignInWithPasswordInput, signInWithPassword } from '../../core/session/signInWithPassword.ts'
import { type SignInWithRecoveryCodeInput, signInWithRecoveryCode } from '../../core/session/signInWithRecoveryCode.ts'
import { signOut } from '../../core/session/signOut.ts'
import { type SignUpInput, signUp } from '../../core/session/signUp.ts'
import type { User } from '../../core/values/User.ts'
import { signInWithWallet, type WalletSignIn } from '../../core/wallet/signInWithWallet.ts'
import { useAction, usePlainAction } from '../client/useMutation.ts'

export type UseSignInWithWallet = ActionState<User, ActionError<'signInWithWallet'>> & {
  readonly signInWithWallet: RunOptional<WalletSignIn, User, ActionError<'signInWithWallet'>>
  readonly reset: () => void
}

/**
 * Signs a user in by wallet.
 *
 * @example
 * const { signInWithWallet, status } = useSignInWithWallet()
 * <button disabled={status === 'pending'} onClick={() => signInWithWallet({ connector: 'injected' })}>Go</button>
 */
export function useSignInWithWallet(): UseSignInWithWallet {
  return useAction('signInWithWallet', signInWithWallet)
}

export type UseSignInWithPassword = ActionState<User, ActionError<'signInWithPassword'>> & {
  readonly signInWithPassword: Run<SignInWithPasswordInput, User, ActionError<'signInWithPassword'>>
  readonly reset: () => void
}

/**
 * Signs a user in by name and password.
 *
 * @example
 * const { signInWithPassword, status } = useSignInWithPassword()
 * <button disabled={status === 'pending'} onClick={() => signInWithPassword({ username: 'ada', password: 'correct horse' })}>Go</button>
 */
export function useSignInWithPassword(): UseSignInWithPassword {
  return useAction('signInWithPassword', signInWithPassword)
}

export type UseSignInWithPasskey = ActionState<User, ActionError<'signInWithPasskey'>> & {
  readonly signInWithPasskey: (callbacks?: PasskeySignIn) => Promise<User | undefined>
  readonly reset: () => void
}

/**
 * Signs a user in by passkey, without a user name.
 *
 * @example
 * const { signInWithPasskey, status } = useSignInWithPasskey()
 * <button disabled={status === 'pending'} onClick={() => signInWithPasskey()}>Go</button>
 */
export function useSignInWithPasskey(): UseSignInWithPasskey {
  return usePlainAction('signInWithPasskey', signInWithPasskey)
}

export type UseSignInWithRecoveryCode = ActionState<User, ActionError<'signInWithRecoveryCode'>> & {
  readonly signInWithRecoveryCode: Run<SignInWithRecoveryCodeInput, User, ActionError<'signInWithRecoveryCode'>>
  readonly reset: () => void
}

/**
 * Signs a user in by name and a recovery code.
 *
 * @example
 * const { signInWithRecoveryCode, status } = useSignInWithRecoveryCode()
 * <button disabled={status === 'pending'} onClick={() => signInWithRecoveryCode({ username: 'ada', code: 'k3m9-x0qa-7tzd-55wp' })}>Go</button>
 */
export function useSignInWithRecoveryCode(): UseSignInWithRecoveryCode {
  return useAction('signInWithRecoveryCode', signInWithRecoveryCode)
}

export type UseSignUp = ActionState<User, ActionError<'signUp'>> & {
  readonly signUp: Run<SignUpInput, User, ActionError<'signUp'>>
  readonly reset: () => void
}

/**
 * Makes an account and signs its user in.
 *
 * @example
 * const { signUp, status } = useSignUp()
 * <button disabled={status === 'pending'} onClick={() => signUp({ username: 'ada', password: 'correct horse' })}>Go</button>
 */
export function useSignUp(): UseSignUp {
  return useAction('signUp', signUp)
}

export type UseSignOut = ActionState<void, ActionError<'signOut'>> & {
  readonly signOut: RunPlain<void, ActionError<'signOut'>>
  readonly reset: () => void
}

/**
 * Signs the user out.
 *
 * @example
 * const { signOut, status } = useSignOut()
 * <button disabled={status === 'pending'} onClick={() => signOut()}>Go</button>
 */
export function useSignOut(): UseSignOut {
  return usePlainAction('signOut', signOut)
}

export type UseReauthenticate = ActionState<Reauthentication, ActionError<'reauthenticate'>> & {
  readonly reauthenticate: Run<ReauthenticateInput, Reauthentication, ActionError<'reauthenticate'>>
  readonly reset: () => void
}

/**
 * Shows the server once more that it is the user who sits there.
 *
 * @example
 * const { reauthenticate, status } = useReauthenticate()
 * <button disabled={status === 'pending'} onClick={() => reauthenticate({ password: 'correct horse' })}>Go</button>
 */
export function useReauthenticate(): UseReauthenticate {
  return useAction('reauthenticate', reauthenticate)
}

'use client'

import { reauthenticate } from '../../core/account/reauthenticate.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState } from '../../core/readings/createMutation.ts'
import { type PasskeySignIn, signInWithPasskey } from '../../core/session/signInWithPasskey.ts'
import { signInWithPassword } from '../../core/session/signInWithPassword.ts'
import { signInWithRecoveryCode } from '../../core/session/signInWithRecoveryCode.ts'
import { signOut } from '../../core/session/signOut.ts'
import { signUp } from '../../core/session/signUp.ts'
import type { User } from '../../core/values/User.ts'
import { signInWithWallet } from '../../core/wallet/signInWithWallet.ts'
import { type ActionHook, useAction, usePlainAction } from '../client/useMutation.ts'

export type UseSignInWithWallet = ActionHook<'signInWithWallet', typeof signInWithWallet>

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

export type UseSignInWithPassword = ActionHook<'signInWithPassword', typeof signInWithPassword>

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

export type UseSignInWithRecoveryCode = ActionHook<'signInWithRecoveryCode', typeof signInWithRecoveryCode>

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

export type UseSignUp = ActionHook<'signUp', typeof signUp>

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

export type UseSignOut = ActionHook<'signOut', typeof signOut>

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

export type UseReauthenticate = ActionHook<'reauthenticate', typeof reauthenticate>

/**
 * Confirms the user's identity again.
 *
 * @example
 * const { reauthenticate, status } = useReauthenticate()
 * <button disabled={status === 'pending'} onClick={() => reauthenticate({ password: 'correct horse' })}>Go</button>
 */
export function useReauthenticate(): UseReauthenticate {
  return useAction('reauthenticate', reauthenticate)
}

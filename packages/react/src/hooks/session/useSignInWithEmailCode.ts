'use client'

import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run } from '../../core/readings/createMutation.ts'
import {
  type RequestEmailCodeInput,
  type RequestedEmailCode,
  requestEmailCode,
  type SignInWithEmailCodeInput,
  type SignInWithEmailLinkInput,
  signInWithEmailCode,
  signInWithEmailLink,
} from '../../core/session/signInWithEmailCode.ts'
import type { User } from '../../core/values/User.ts'
import { useAction } from '../client/useMutation.ts'

export type UseRequestEmailCode = ActionState<RequestedEmailCode, ActionError<'requestEmailCode'>> & {
  readonly requestEmailCode: Run<RequestEmailCodeInput, RequestedEmailCode, ActionError<'requestEmailCode'>>
  readonly reset: () => void
}

/**
 * Has a code mailed that signs in.
 *
 * @example
 * const { requestEmailCode, status } = useRequestEmailCode()
 * <button disabled={status === 'pending'} onClick={() => requestEmailCode({ email: 'ada@example.org' })}>Go</button>
 */
export function useRequestEmailCode(): UseRequestEmailCode {
  return useAction('requestEmailCode', requestEmailCode)
}

export type UseSignInWithEmailCode = ActionState<User, ActionError<'signInWithEmailCode'>> & {
  readonly signInWithEmailCode: Run<SignInWithEmailCodeInput, User, ActionError<'signInWithEmailCode'>>
  readonly reset: () => void
}

/**
 * Signs a user in by a code that was mailed.
 *
 * @example
 * const { signInWithEmailCode, status } = useSignInWithEmailCode()
 * <button disabled={status === 'pending'} onClick={() => signInWithEmailCode({ handle, code: '123456' })}>Go</button>
 */
export function useSignInWithEmailCode(): UseSignInWithEmailCode {
  return useAction('signInWithEmailCode', signInWithEmailCode)
}

export type UseSignInWithEmailLink = ActionState<User, ActionError<'signInWithEmailLink'>> & {
  readonly signInWithEmailLink: Run<SignInWithEmailLinkInput, User, ActionError<'signInWithEmailLink'>>
  readonly reset: () => void
}

/**
 * Signs a user in by the link of a mail, in the browser that asked for it.
 *
 * @example
 * const { signInWithEmailLink, status } = useSignInWithEmailLink()
 * <button disabled={status === 'pending'} onClick={() => signInWithEmailLink({ token })}>Go</button>
 */
export function useSignInWithEmailLink(): UseSignInWithEmailLink {
  return useAction('signInWithEmailLink', signInWithEmailLink)
}

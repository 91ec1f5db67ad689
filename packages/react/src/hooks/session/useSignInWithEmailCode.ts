'use client'
import { requestEmailCode, signInWithEmailCode, signInWithEmailLink } from '../../core/session/signInWithEmailCode.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'

export type UseRequestEmailCode = ActionHook<'requestEmailCode', typeof requestEmailCode>

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

export type UseSignInWithEmailCode = ActionHook<'signInWithEmailCode', typeof signInWithEmailCode>

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

export type UseSignInWithEmailLink = ActionHook<'signInWithEmailLink', typeof signInWithEmailLink>

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

// Errors by action and by class. Compiling is the test.

import { useUnlinkWallet } from '../src/account.ts'
import { useWriteContract } from '../src/chain.ts'
import { signInWithPassword, signInWithWallet, signUp } from '../src/core.ts'
import {
  type ActionError,
  LastSignInMethodError,
  RateLimitedError,
  ReauthenticationRequiredError,
  RevertError,
  UserRejectedError,
  WrongChainError,
} from '../src/errors.ts'
import {
  type Client,
  type CountersignError,
  pointer,
  useRunFunction,
  useSaveDocument,
  useSaveUser,
  useSignInWithEmailCode,
  useSignInWithProvider,
  useSignInWithSecondFactor,
  useSignOut,
  useSignUp,
  useUpload,
} from '../src/index.ts'

declare const client: Client

export function useByAction(): void {
  const { unlinkWallet, error } = useUnlinkWallet()
  if (error?.reason === 'lastSignInMethod' || error?.reason === 'reauthenticationRequired')
    error.docsUrl satisfies string
  if (error?.reason === 'rateLimited') error.rateLimit?.retryAfter satisfies number | undefined
  // @ts-expect-error no wallet is unlinked by a username
  error?.reason === 'usernameTaken'
  // @ts-expect-error no such reason
  error?.reason === 'lastSignInMethods'
  void unlinkWallet({ objectId: 'x' }, { onError: (failure) => failure satisfies ActionError<'unlinkWallet'> })
  void unlinkWallet({ objectId: 'x' }, { onError: (failure: CountersignError) => failure.message })
  const { error: refused } = useSignUp()
  if (refused?.reason === 'usernameTaken' || refused?.reason === 'passwordTooShort')
    refused.params satisfies object | undefined
  const { error: unsaved } = useSaveUser()
  if (unsaved?.reason === 'emailTaken') unsaved.code satisfies number
  const { error: unsent } = useWriteContract()
  if (unsent?.reason === 'userRejected' || unsent?.reason === 'contractReverted') unsent.cause satisfies unknown
  const { error: unknown } = useSignInWithProvider()
  if (unknown?.reason === 'providerUnavailable' || unknown?.reason === 'signInToLink') unknown.message satisfies string
  // @ts-expect-error no provider asks for a password of ours
  unknown?.reason === 'invalidCredentials'
  const { error: wrong } = useSignInWithSecondFactor()
  if (wrong?.reason === 'invalidSecondFactorCode' || wrong?.reason === 'passkeyCancelled') wrong.code satisfies number
  // @ts-expect-error a second step has no username
  wrong?.reason === 'usernameTaken'
  const { error: late } = useSignInWithEmailCode()
  if (late?.reason === 'invalidEmailCode') late.code satisfies number
  // @ts-expect-error no wallet is asked
  late?.reason === 'userRejected'
  const { error: tooLarge } = useUpload()
  if (tooLarge?.reason === 'fileTooLarge') tooLarge.status satisfies number
  // @ts-expect-error nobody is asked by an upload
  tooLarge?.reason === 'userRejected'
  const { error: gone, save } = useSaveDocument('Game')
  if (gone?.reason === 'objectNotFound' || gone?.reason === 'duplicateValue') gone.details satisfies string | undefined
  // @ts-expect-error a document has no password
  gone?.reason === 'passwordTooShort'
  void save(pointer('Game', 'x'), {}, { onError: ({ reason }) => reason === 'objectNotFound' })
  const { error: failed } = useRunFunction('averageStars')
  if (failed?.reason === 'scriptFailed' || failed?.reason === 'objectNotFound') failed.message satisfies string
  // @ts-expect-error a function asks no wallet
  failed?.reason === 'userRejected'
  // @ts-expect-error signing out takes no password
  useSignOut().error?.reason === 'invalidCredentials'
}

export async function byOperation(): Promise<void> {
  await signInWithPassword(
    client,
    { username: 'ada', password: 'x' },
    {
      onError: ({ reason }) => reason === 'invalidCredentials' || reason === 'tooManyFailedSignIns',
    },
  )
  await signInWithWallet(client, {}, { onError: ({ reason }) => reason === 'userRejected' })
  // @ts-expect-error a sign-up does not ask a wallet
  await signUp(client, { username: 'ada', password: 'x' }, { onError: ({ reason }) => reason === 'userRejected' })
}

export function byClass(error: unknown): string {
  if (error instanceof UserRejectedError) return error.reason satisfies 'userRejected'
  if (error instanceof ReauthenticationRequiredError) return error.reason satisfies 'reauthenticationRequired'
  if (error instanceof LastSignInMethodError) return error.docsUrl
  if (error instanceof RateLimitedError) return String(error.rateLimit?.retryAfter satisfies number | undefined)
  if (error instanceof WrongChainError)
    return `${error.reason satisfies 'wrongChain'} ${error.chainId satisfies number}`
  if (error instanceof RevertError) return error.revertReason satisfies string
  // @ts-expect-error another reason
  if (error instanceof UserRejectedError) return error.reason satisfies 'rateLimited'
  return new UserRejectedError('No.').message
}

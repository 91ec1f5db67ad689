import { CountersignError, type CountersignErrorOptions, type ErrorName, type Reason } from '@countersign/protocol'

type Options = Omit<CountersignErrorOptions, 'reason'>

/**
 * Error class of a reason. `instanceof` compares the reason, so that it works for refusals of the server, for errors of
 * every entry, and in a bundle with two copies of this package.
 */
function errorOf<const Name extends Reason>(name: string, reason: Name, code: ErrorName = 'OtherCause') {
  return class extends CountersignError {
    override readonly name: string = name
    declare readonly reason: Name

    constructor(message: string, options: Options = {}) {
      super(code, message, { ...options, reason })
    }

    static override [Symbol.hasInstance](error: unknown): boolean {
      return error instanceof Error && Object(error).reason === reason
    }
  }
}

/**
 * The person rejected the request in the wallet (EIP-1193, 4001).
 *
 * @example
 * if (error instanceof UserRejectedError) return // Nothing is wrong: they changed their mind.
 */
export class UserRejectedError extends /*#__PURE__*/ errorOf('UserRejectedError', 'userRejected') {}

/**
 * The session has to be confirmed first, with `reauthenticate`.
 *
 * @example
 * if (error instanceof ReauthenticationRequiredError) await reauthenticate(client, { password: input.password })
 */
export class ReauthenticationRequiredError extends /*#__PURE__*/ errorOf(
  'ReauthenticationRequiredError',
  'reauthenticationRequired',
  'OperationForbidden',
) {}

/**
 * Too many requests; `rateLimit` says when to try again.
 *
 * @example
 * if (error instanceof RateLimitedError) showToast(`Try again in ${error.rateLimit?.retryAfter ?? 60} seconds.`)
 */
export class RateLimitedError extends /*#__PURE__*/ errorOf(
  'RateLimitedError',
  'rateLimited',
  'RequestLimitExceeded',
) {}

/**
 * Thrown without a connection to the server.
 *
 * @example
 * if (error instanceof ServerUnreachableError) showToast('You are offline.')
 */
export class ServerUnreachableError extends /*#__PURE__*/ errorOf(
  'ServerUnreachableError',
  'serverUnreachable',
  'ConnectionFailed',
) {}

/**
 * No node of the chain responds.
 *
 * @example
 * if (error instanceof NodeUnavailableError) showToast('The chain cannot be read at the moment.')
 */
export class NodeUnavailableError extends /*#__PURE__*/ errorOf(
  'NodeUnavailableError',
  'nodeUnavailable',
  'ConnectionFailed',
) {}

/**
 * The username or the password is wrong.
 *
 * @example
 * try {
 *   await signInWithPassword(client, { username: 'ada', password: input.password }, { throwOnError: true })
 * } catch (error) {
 *   if (error instanceof InvalidCredentialsError) showToast(error.message)
 * }
 */
export class InvalidCredentialsError extends /*#__PURE__*/ errorOf(
  'InvalidCredentialsError',
  'invalidCredentials',
  'ObjectNotFound',
) {}

/**
 * Somebody else has this username.
 *
 * @example
 * if (error instanceof UsernameTakenError) showToast('Choose another username.')
 */
export class UsernameTakenError extends /*#__PURE__*/ errorOf('UsernameTakenError', 'usernameTaken', 'UsernameTaken') {}

/**
 * Another account has this email address.
 *
 * @example
 * if (error instanceof EmailTakenError) showToast('Sign in instead, or use another address.')
 */
export class EmailTakenError extends /*#__PURE__*/ errorOf('EmailTakenError', 'emailTaken', 'EmailTaken') {}

/**
 * The server wants the email address verified before the first sign-in.
 *
 * @example
 * if (error instanceof EmailNotVerifiedError) await requestEmailVerification(client, { email: input.email })
 */
export class EmailNotVerifiedError extends /*#__PURE__*/ errorOf(
  'EmailNotVerifiedError',
  'emailNotVerified',
  'EmailNotFound',
) {}

/**
 * The owner deleted the account; `restoreAccount: true` keeps it.
 *
 * @example
 * if (error instanceof AccountDeletionPendingError) await signInWithWallet(client, { restoreAccount: true })
 */
export class AccountDeletionPendingError extends /*#__PURE__*/ errorOf(
  'AccountDeletionPendingError',
  'accountDeletionPending',
  'OperationForbidden',
) {}

/**
 * The wallet belongs to another account.
 *
 * @example
 * try {
 *   await linkWallet(client, { connector: 'injected' })
 * } catch (error) {
 *   if (error instanceof AccountAlreadyLinkedError) showToast('This wallet opens another account.')
 * }
 */
export class AccountAlreadyLinkedError extends /*#__PURE__*/ errorOf(
  'AccountAlreadyLinkedError',
  'accountAlreadyLinked',
  'AccountAlreadyLinked',
) {}

/**
 * The last sign-in method of an account cannot be removed.
 *
 * @example
 * if (error instanceof LastSignInMethodError) showToast('Add another sign-in method first.')
 */
export class LastSignInMethodError extends /*#__PURE__*/ errorOf(
  'LastSignInMethodError',
  'lastSignInMethod',
  'OperationForbidden',
) {}

/**
 * Thrown if the document does not exist, or is not readable for this user.
 *
 * @example
 * try {
 *   await getDocument(client, 'Game', 'xWMyZ4YEGZ')
 * } catch (error) {
 *   if (!(error instanceof DocumentNotFoundError)) throw error
 * }
 */
export class DocumentNotFoundError extends /*#__PURE__*/ errorOf(
  'DocumentNotFoundError',
  'objectNotFound',
  'ObjectNotFound',
) {}

/**
 * The caller's signal was aborted.
 *
 * @example
 * if (!(error instanceof CancelledError)) throw error
 */
export class CancelledError extends /*#__PURE__*/ errorOf('CancelledError', 'cancelled') {}

export { CountersignError, type Reason } from '@countersign/protocol'
export type { ActionError, ActionReason, CommonReason } from './core/errors/ActionError.ts'
export { MissingProviderError, NotAuthenticatedError, ValidationError } from './core/errors/errors.ts'
export { PasskeyError } from './core/errors/PasskeyError.ts'
export {
  AccountAlreadyLinkedError,
  AccountDeletionPendingError,
  CancelledError,
  DocumentNotFoundError,
  EmailNotVerifiedError,
  EmailTakenError,
  InvalidCredentialsError,
  LastSignInMethodError,
  NodeUnavailableError,
  RateLimitedError,
  ReauthenticationRequiredError,
  ServerUnreachableError,
  UsernameTakenError,
  UserRejectedError,
} from './core/errors/reasonErrors.ts'
export { ProviderError, RevertError, WrongChainError } from './core/errors/walletErrors.ts'

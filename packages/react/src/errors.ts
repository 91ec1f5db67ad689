export { CountersignError, type Reason } from '@countersign/protocol'
export type { ActionError, ActionReason, CommonReason } from './core/errors/ActionError.ts'
export {
  MissingProviderError,
  NotAuthenticatedError,
  PasskeyError,
  ProviderError,
  RevertError,
  ValidationError,
  WrongChainError,
} from './core/errors/errors.ts'
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

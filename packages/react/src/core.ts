export {
  CountersignError,
  type CountersignErrorOptions,
  type EndpointName,
  type EndpointTypes,
  errorCodes,
  type RateLimit,
} from '@countersign/protocol'
export { type ChangePasswordInput, changePassword } from './core/actions/changePassword.ts'
export { deleteUser } from './core/actions/deleteUser.ts'
export { getUser } from './core/actions/getUser.ts'
export { type InitializeInput, initialize } from './core/actions/initialize.ts'
export { listOutbox } from './core/actions/listOutbox.ts'
export { listSessions } from './core/actions/listSessions.ts'
export { type LogInInput, logIn } from './core/actions/logIn.ts'
export { logOut } from './core/actions/logOut.ts'
export { refetchUser } from './core/actions/refetchUser.ts'
export {
  type RequestEmailVerificationInput,
  requestEmailVerification,
} from './core/actions/requestEmailVerification.ts'
export { type RequestPasswordResetInput, requestPasswordReset } from './core/actions/requestPasswordReset.ts'
export { type ResetPasswordInput, resetPassword } from './core/actions/resetPassword.ts'
export { revokeOtherSessions } from './core/actions/revokeOtherSessions.ts'
export { type RevokeSessionInput, revokeSession } from './core/actions/revokeSession.ts'
export { saveUser } from './core/actions/saveUser.ts'
export { type SignUpInput, signUp } from './core/actions/signUp.ts'
export { type VerifyEmailInput, verifyEmail } from './core/actions/verifyEmail.ts'
export type { Callbacks } from './core/Callbacks.ts'
export type { Client, ClientOptions } from './core/Client.ts'
export { createClient } from './core/createClient.ts'
export { MissingProviderError } from './core/errors/MissingProviderError.ts'
export { NotAuthenticatedError } from './core/errors/NotAuthenticatedError.ts'
export { ValidationError } from './core/errors/ValidationError.ts'
export type { InitializationState } from './core/InitializationState.ts'
export type { Mail } from './core/Mail.ts'
export { request } from './core/request.ts'
export type { Session } from './core/Session.ts'
export type { SessionState } from './core/SessionState.ts'
export type { Store } from './core/Store.ts'
export type { SyncStorage } from './core/SyncStorage.ts'
export type { FieldValue, User, UserChanges } from './core/User.ts'

import type { AppEndpointTypes } from './appEndpointTypes.ts'
import type { chainEndpoints } from './chainEndpoints.ts'
import type { ChainEndpointTypes } from './chainEndpointTypes.ts'
import type { OperatorEndpointTypes } from './operatorEndpointTypes.ts'

/** What each endpoint takes and answers. The key is the endpoint's one name on every level. */
export type EndpointTypes = AppEndpointTypes & ChainEndpointTypes & OperatorEndpointTypes

export type EndpointName = keyof EndpointTypes
export type EndpointPlace = { method: Method; path: string; sessionless?: true; textQuery?: true }
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Where each endpoint stands, under the mount, for clients, which do without the contract itself; a test holds the two
 * equal. `:name` is taken from the input. `sessionless`: no session is sent along. `textQuery`: the values of the query
 * are written as they are, not as JSON.
 */
export const endpoints = {
  verifyPassword: { method: 'POST', path: '/verifyPassword', sessionless: true },
  signUp: { method: 'POST', path: '/users', sessionless: true },
  logIn: { method: 'POST', path: '/login', sessionless: true },
  logInByGet: { method: 'GET', path: '/login', sessionless: true, textQuery: true },
  logOut: { method: 'POST', path: '/logout' },
  getCurrentUser: { method: 'GET', path: '/users/me' },
  getUser: { method: 'GET', path: '/users/:objectId' },
  updateUser: { method: 'PUT', path: '/users/:objectId' },
  deleteUser: { method: 'DELETE', path: '/users/:objectId' },
  changePassword: { method: 'POST', path: '/changePassword' },
  requestPasswordReset: { method: 'POST', path: '/requestPasswordReset', sessionless: true },
  resetPassword: { method: 'POST', path: '/resetPassword', sessionless: true },
  requestEmailVerification: { method: 'POST', path: '/verificationEmailRequest', sessionless: true },
  verifyEmail: { method: 'POST', path: '/verifyEmail' },
  undoEmailChange: { method: 'POST', path: '/undoEmailChange', sessionless: true },
  listSessions: { method: 'GET', path: '/sessions' },
  getSession: { method: 'GET', path: '/sessions/:objectId' },
  updateSession: { method: 'PUT', path: '/sessions/:objectId' },
  revokeSession: { method: 'DELETE', path: '/sessions/:objectId' },
  revokeOtherSessions: { method: 'POST', path: '/revokeOtherSessions' },
  createChallenge: { method: 'POST', path: '/auth/challenge' },
  signInWithWallet: { method: 'POST', path: '/auth/signInWithWallet', sessionless: true },
  listWallets: { method: 'GET', path: '/auth/wallets' },
  linkWallet: { method: 'POST', path: '/auth/wallets' },
  updateWallet: { method: 'PUT', path: '/auth/wallets/:objectId' },
  unlinkWallet: { method: 'DELETE', path: '/auth/wallets/:objectId' },
  restoreWallet: { method: 'POST', path: '/auth/wallets/:objectId/restore' },
  listSignInMethods: { method: 'GET', path: '/auth/signInMethods' },
  previewMerge: { method: 'POST', path: '/auth/merges' },
  merge: { method: 'POST', path: '/auth/merges/:objectId' },
  undoMerge: { method: 'DELETE', path: '/auth/merges/:objectId' },
  listActivity: { method: 'GET', path: '/auth/activity' },
  getAccountSecurity: { method: 'GET', path: '/auth/security' },
  updateAccountSecurity: { method: 'PUT', path: '/auth/security' },
  createRecoveryCodes: { method: 'POST', path: '/auth/recoveryCodes' },
  signInWithRecoveryCode: { method: 'POST', path: '/auth/signInWithRecoveryCode', sessionless: true },
  requestEmailCode: { method: 'POST', path: '/auth/emailCode' },
  signInWithEmailCode: { method: 'POST', path: '/auth/signInWithEmailCode', sessionless: true },
  signInWithEmailLink: { method: 'POST', path: '/auth/signInWithEmailLink', sessionless: true },
  getSecondFactor: { method: 'GET', path: '/auth/secondFactor' },
  updateSecondFactor: { method: 'PUT', path: '/auth/secondFactor' },
  removeSecondFactor: { method: 'DELETE', path: '/auth/secondFactor' },
  forgetDevices: { method: 'DELETE', path: '/auth/secondFactor/devices' },
  startTotp: { method: 'POST', path: '/auth/totp' },
  confirmTotp: { method: 'POST', path: '/auth/totp/confirm' },
  signInWithSecondFactor: { method: 'POST', path: '/auth/signInWithSecondFactor', sessionless: true },
  exportAccount: { method: 'GET', path: '/auth/export' },
  createPasskeyRegistration: { method: 'POST', path: '/auth/passkeys/registration' },
  registerPasskey: { method: 'POST', path: '/auth/passkeys' },
  createPasskeyChallenge: { method: 'POST', path: '/auth/passkeys/challenge' },
  signInWithPasskey: { method: 'POST', path: '/auth/signInWithPasskey', sessionless: true },
  listPasskeys: { method: 'GET', path: '/auth/passkeys' },
  removePasskey: { method: 'DELETE', path: '/auth/passkeys/:objectId' },
  restorePasskey: { method: 'POST', path: '/auth/passkeys/:objectId/restore' },
  getSignInOptions: { method: 'GET', path: '/auth/methods' },
  listProviders: { method: 'GET', path: '/auth/providers' },
  createProviderChallenge: { method: 'POST', path: '/auth/providers/:provider/challenge' },
  signInWithProvider: { method: 'POST', path: '/auth/signInWithProvider', sessionless: true },
  linkProvider: { method: 'POST', path: '/auth/identities' },
  createFarcasterChallenge: { method: 'POST', path: '/auth/farcaster/challenge' },
  signInWithFarcaster: { method: 'POST', path: '/auth/signInWithFarcaster', sessionless: true },
  linkFarcaster: { method: 'POST', path: '/auth/farcaster' },
  unlinkIdentity: { method: 'DELETE', path: '/auth/identities/:provider' },
  restoreIdentity: { method: 'POST', path: '/auth/identities/:provider/restore' },
  reauthenticate: { method: 'POST', path: '/auth/reauthenticate' },
  findObjects: { method: 'GET', path: '/classes/:className' },
  createObject: { method: 'POST', path: '/classes/:className' },
  getObject: { method: 'GET', path: '/classes/:className/:objectId' },
  updateObject: { method: 'PUT', path: '/classes/:className/:objectId' },
  deleteObject: { method: 'DELETE', path: '/classes/:className/:objectId' },
  batch: { method: 'POST', path: '/batch' },
  runFunction: { method: 'POST', path: '/functions/:_function' },
  createInstallation: { method: 'POST', path: '/installations' },
  getPushKey: { method: 'GET', path: '/push/key' },
  uploadFile: { method: 'POST', path: '/files/:name' },
  listOutbox: { method: 'GET', path: '/outbox', sessionless: true },
  getHealth: { method: 'GET', path: '/health' },
} as const satisfies { [Name in EndpointName]?: EndpointPlace }

/** Endpoints that an application calls. */
export type AppEndpointName = keyof typeof endpoints | keyof typeof chainEndpoints

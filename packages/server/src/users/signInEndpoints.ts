/** Sign-in methods in the order in which they are counted: append new ones. */
export const countedMethods = [
  'password',
  'wallet',
  'passkey',
  'provider',
  'emailCode',
  'recoveryCode',
  'olderClient',
  'secondFactor',
  'farcaster',
] as const

export type CountedMethod = (typeof countedMethods)[number]

/** Endpoints that open a session, by what proves the user. */
export const signInEndpoints: ReadonlyMap<string, CountedMethod> = new Map([
  ['logIn', 'password'],
  ['logInByGet', 'password'],
  ['signInWithWallet', 'wallet'],
  ['signInWithPasskey', 'passkey'],
  ['signInWithProvider', 'provider'],
  ['signInWithEmailCode', 'emailCode'],
  ['signInWithEmailLink', 'emailCode'],
  ['signInWithRecoveryCode', 'recoveryCode'],
  // Its first step is refused, and counts there as such.
  ['signInWithSecondFactor', 'secondFactor'],
  ['signInWithFarcaster', 'farcaster'],
  ['signUpByAuthData', 'olderClient'],
])

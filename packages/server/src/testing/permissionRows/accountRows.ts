import { nextNumber, nobody, type PermissionRow, pointer, secret, signedIn } from './PermissionRow.ts'

const password = 'walk password'

/** Of the form of a passkey, and none. */
const credential = (response: object) => ({
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  response: { clientDataJSON: 'x', ...response },
})

/** Users, sessions and sign-in methods. */
export const accountRows: PermissionRow[] = [
  // OpenID provider: a request is bound to the browser that an application sent.
  { name: 'getAuthorizationRequest', call: () => ['GET', '/oidc/requests/nosuch'], expected: nobody('404/101') },
  {
    name: 'answerAuthorizationRequest',
    call: () => ['POST', '/oidc/requests/nosuch', { allow: true }],
    expected: nobody('404/101'),
  },

  // Users
  {
    name: 'signUp',
    call: () => ['POST', '/users', { username: `new${nextNumber()}`, password }],
    expected: nobody('201'),
  },
  {
    name: 'signUpInClass',
    call: () => ['POST', '/classes/_User', { username: `new${nextNumber()}`, password }],
    expected: nobody('201'),
  },
  { name: 'getAccessToken', call: () => ['GET', '/auth/token'], expected: nobody('400/209') },
  { name: 'findUsers', call: () => ['GET', '/users'], expected: nobody('200') },
  {
    name: 'getUser',
    call: ({ user }) => ['GET', `/users/${user}`],
    expected: ['404/101', '404/101', '200', '200', '200'],
  },
  {
    name: 'updateUser',
    call: ({ user }) => ['PUT', `/users/${user}`, { note: secret }],
    expected: ['400/206', '400/206', '400/206', '200', '200'],
  },
  {
    name: 'updateUserInClass',
    call: ({ user }) => ['PUT', `/classes/_User/${user}`, { note: secret }],
    expected: ['400/206', '400/206', '400/206', '200', '200'],
  },
  {
    name: 'deleteUser',
    fresh: true,
    call: ({ user }) => ['DELETE', `/users/${user}`],
    expected: ['400/206', '400/206', '400/206', '200', '200'],
  },
  {
    name: 'deleteUserInClass',
    fresh: true,
    call: ({ user }) => ['DELETE', `/classes/_User/${user}`],
    expected: ['400/206', '400/206', '400/206', '200', '200'],
  },
  {
    name: 'logIn',
    call: () => ['POST', '/login', { username: 'other', password: 'other password' }],
    expected: nobody('200'),
  },
  {
    name: 'logInByGet',
    call: () => ['GET', '/login?username=other&password=other%20password'],
    expected: nobody('200'),
  },
  {
    name: 'verifyPassword',
    call: () => ['POST', '/verifyPassword', { username: 'other', password: 'other password' }],
    expected: nobody('200'),
  },
  {
    name: 'verifyPasswordByGet',
    call: () => ['GET', '/verifyPassword?username=other&password=wrong'],
    expected: nobody('404/101'),
  },
  { name: 'trackEvent', call: () => ['POST', '/events/AppOpened', {}], expected: nobody('200') },
  { name: 'getPushKey', call: () => ['GET', '/push/key'], expected: nobody('400/115') },
  {
    name: 'sendPush',
    call: () => ['POST', '/push', {}],
    expected: ['403', '403', '403', '403', '400/115'],
  },
  {
    name: 'challenge',
    call: () => ['POST', '/challenge', { challengeData: {} }],
    expected: nobody('200'),
  },
  {
    name: 'logInAs',
    call: ({ user }) => ['POST', '/loginAs', { userId: user }],
    expected: ['400/119', '400/119', '400/119', '400/119', '200'],
  },
  { name: 'logOut', ends: true, call: () => ['POST', '/logout', {}], expected: nobody('200') },
  {
    name: 'changePassword',
    call: () => ['POST', '/changePassword', { currentPassword: 'wrong', newPassword: 'x' }],
    expected: signedIn('404/101'),
  },
  {
    name: 'requestPasswordReset',
    call: () => ['POST', '/requestPasswordReset', { email: 'nobody@example.com' }],
    expected: nobody('200'),
  },
  {
    name: 'resetPassword',
    call: () => ['POST', '/resetPassword', { token: 'guessed', password: 'x' }],
    expected: nobody('400/-1'),
  },
  {
    name: 'resetPasswordByForm',
    call: () => ['POST', '/apps/any/request_password_reset', { token: 'guessed', new_password: 'x' }],
    expected: nobody('400/-1'),
  },
  {
    name: 'requestEmailVerification',
    call: () => ['POST', '/verificationEmailRequest', { email: 'nobody@example.com' }],
    expected: nobody('200'),
  },
  {
    name: 'undoEmailChange',
    call: () => ['POST', '/undoEmailChange', { token: 'guessed' }],
    expected: nobody('400/-1'),
  },
  {
    name: 'recoverAccount',
    call: () => ['POST', '/recoverAccount', { token: 'guessed', password: 'x', newPassword: 'y' }],
    expected: nobody('400/-1'),
  },
  { name: 'undoMergeByLink', call: () => ['POST', '/undoMerge', { token: 'guessed' }], expected: nobody('400/-1') },
  { name: 'verifyEmail', call: () => ['POST', '/verifyEmail', { token: 'guessed' }], expected: nobody('400/-1') },

  // Sessions
  { name: 'listSessions', call: () => ['GET', '/sessions'], expected: ['400/209', '200', '200', '200', '200'] },
  {
    name: 'listSessionsInClass',
    call: () => ['GET', '/classes/_Session'],
    expected: ['400/209', '200', '200', '200', '200'],
  },
  {
    name: 'createSession',
    call: ({ user }) => ['POST', '/sessions', { user: pointer('_User', user) }],
    expected: signedIn('201'),
  },
  {
    name: 'createSessionInClass',
    call: ({ user }) => ['POST', '/classes/_Session', { user: pointer('_User', user) }],
    expected: signedIn('201'),
  },
  {
    name: 'getSession',
    call: ({ sessionId }) => ['GET', `/sessions/${sessionId}`],
    expected: ['400/209', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'updateSession',
    call: ({ sessionId }) => ['PUT', `/sessions/${sessionId}`, { note: secret }],
    expected: ['400/209', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'updateSessionInClass',
    call: ({ sessionId }) => ['PUT', `/classes/_Session/${sessionId}`, { note: secret }],
    expected: ['400/209', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'revokeSession',
    fresh: true,
    call: ({ sessionId }) => ['DELETE', `/sessions/${sessionId}`],
    expected: ['400/209', '400/209', '400/209', '200', '200'],
  },
  {
    name: 'revokeSessionInClass',
    fresh: true,
    call: ({ sessionId }) => ['DELETE', `/classes/_Session/${sessionId}`],
    expected: ['400/209', '400/209', '400/209', '200', '200'],
  },
  {
    name: 'revokeOtherSessions',
    ends: true,
    call: () => ['POST', '/revokeOtherSessions', {}],
    expected: signedIn('200'),
  },

  // Sign-in methods: each is the caller's own, or is proven by a signature.
  { name: 'createChallenge', call: () => ['POST', '/auth/challenge', {}], expected: nobody('400/135') },
  {
    name: 'signInWithWallet',
    call: () => ['POST', '/auth/signInWithWallet', { message: 'x', signature: '0x' }],
    expected: nobody('401/101'),
  },
  {
    name: 'linkWallet',
    call: () => ['POST', '/auth/wallets', { message: 'x', signature: '0x' }],
    expected: signedIn('401/101'),
  },
  { name: 'updateWallet', call: () => ['PUT', '/auth/wallets/nosuch', { label: 'x' }], expected: signedIn('404/101') },
  {
    name: 'previewMerge',
    call: () => ['POST', '/auth/merges', { message: 'x', signature: '0x' }],
    expected: signedIn('401/101'),
  },
  {
    name: 'updateAccountSecurity',
    call: () => ['PUT', '/auth/security', { signInAlerts: false }],
    expected: signedIn('200'),
  },
  {
    name: 'signInWithRecoveryCode',
    call: () => ['POST', '/auth/signInWithRecoveryCode', { username: 'nobody', code: 'x' }],
    expected: nobody('401/101'),
  },
  {
    name: 'updateSecondFactor',
    call: () => ['PUT', '/auth/secondFactor', { passkey: false }],
    expected: signedIn('200'),
  },
  { name: 'startTotp', call: () => ['POST', '/auth/totp', {}], expected: signedIn('200') },
  { name: 'confirmTotp', call: () => ['POST', '/auth/totp/confirm', { code: 'x' }], expected: signedIn('401/210') },
  {
    name: 'signInWithSecondFactor',
    call: () => ['POST', '/auth/signInWithSecondFactor', { ticket: 'x', code: 'x' }],
    expected: nobody('401/101'),
  },
  // Off unless the operator turns it on.
  {
    name: 'requestEmailCode',
    call: () => ['POST', '/auth/emailCode', { email: 'nobody@example.com' }],
    expected: nobody('403/119'),
  },
  {
    name: 'signInWithEmailCode',
    call: () => ['POST', '/auth/signInWithEmailCode', { handle: 'x', code: '1' }],
    expected: nobody('403/119'),
  },
  {
    name: 'signInWithEmailLink',
    call: () => ['POST', '/auth/signInWithEmailLink', { token: 'x' }],
    expected: nobody('403/119'),
  },
  {
    name: 'reauthenticate',
    call: () => ['POST', '/auth/reauthenticate', { password: 'wrong' }],
    expected: signedIn('401/101'),
  },
  {
    name: 'createPasskeyRegistration',
    call: () => ['POST', '/auth/passkeys/registration', {}],
    expected: signedIn('400/135'),
  },
  {
    name: 'registerPasskey',
    call: () => ['POST', '/auth/passkeys', { credential: credential({ attestationObject: 'x' }) }],
    expected: signedIn('401/101'),
  },
  { name: 'createPasskeyChallenge', call: () => ['POST', '/auth/passkeys/challenge', {}], expected: nobody('400/135') },
  {
    name: 'signInWithPasskey',
    call: () => [
      'POST',
      '/auth/signInWithPasskey',
      { credential: credential({ authenticatorData: 'x', signature: 'x' }) },
    ],
    expected: nobody('401/101'),
  },
  { name: 'getSignInOptions', call: () => ['GET', '/auth/methods'], expected: nobody('200') },
  { name: 'listProviders', call: () => ['GET', '/auth/providers'], expected: nobody('200') },
  {
    name: 'createProviderChallenge',
    call: () => ['POST', '/auth/providers/nosuch/challenge', {}],
    expected: nobody('404/101'),
  },
  {
    name: 'signInWithProvider',
    call: () => ['POST', '/auth/signInWithProvider', { state: 'x', code: 'x' }],
    expected: nobody('401/101'),
  },
  {
    name: 'linkProvider',
    call: () => ['POST', '/auth/identities', { state: 'x', code: 'x' }],
    expected: signedIn('401/101'),
  },
  {
    name: 'createFarcasterChallenge',
    call: () => ['POST', '/auth/farcaster/challenge', {}],
    expected: nobody('404/101'),
  },
  {
    name: 'signInWithFarcaster',
    call: () => ['POST', '/auth/signInWithFarcaster', { message: 'x', signature: '0x' }],
    expected: nobody('404/101'),
  },
  {
    name: 'linkFarcaster',
    call: () => ['POST', '/auth/farcaster', { message: 'x', signature: '0x' }],
    expected: signedIn('404/101'),
  },
  ...['_EthAddress', '_SolAddress'].flatMap((name): PermissionRow[] => [
    { name: `findIn${name}`, call: () => ['GET', `/classes/${name}`], expected: nobody('200') },
    { name: `getIn${name}`, call: () => ['GET', `/classes/${name}/nosuch`], expected: nobody('404/101') },
    { name: `createIn${name}`, call: () => ['POST', `/classes/${name}`, {}], expected: nobody('400/119') },
    { name: `updateIn${name}`, call: () => ['PUT', `/classes/${name}/nosuch`, {}], expected: nobody('400/119') },
    { name: `unlinkIn${name}`, call: () => ['DELETE', `/classes/${name}/nosuch`], expected: signedIn('404/101') },
  ]),
]

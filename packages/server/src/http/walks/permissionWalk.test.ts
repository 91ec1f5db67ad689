import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { olderFunctions } from '../endpoints/chain.ts'

/** An address on a chain. */
const someone = `0x${'1'.repeat(40)}`

const names = ['guest', 'other', 'member', 'owner', 'master'] as const

/** What the rows speak of, all of it the owner's. */
type Things = {
  doc: string
  user: string
  sessionId: string
  role: string
  device: string
  className: string
}

type Row = {
  name: string
  /** What the call may do away with is made again for each caller. */
  fresh?: boolean
  /** A call that ends sessions gets one of its own. */
  ends?: boolean
  call: (things: Things) => [method: string, path: string, body?: object]
  /** Status, and code where there is one: of the guest, another user, a member of the role, the owner, the master key. */
  expected: [guest: string, other: string, member: string, owner: string, master: string]
}

let server: TestServer

let shared: { things: Things; user: string }

let member: string

let other: string

const secret = 'for-the-owner-alone'

const password = 'walk password'

let count = 0

beforeAll(async () => {
  server = await createTestServer()
  other = (await server.signUp('other')).objectId
  member = (await server.signUp('member')).objectId
  const users = { __op: 'AddRelation', objects: [pointer('_User', member)] }
  await server.call('POST', '/roles', { name: 'crew', ACL: { '*': { read: true } }, users }, { master: true })
  server.context.registry.jobs.set('walk', { run: async () => secret })
  shared = await make()
})

afterAll(() => server.stop())

const tokens = new Map<string, string>()

async function tokenOf(userId: string, isNew = false): Promise<string> {
  const known = isNew ? undefined : tokens.get(userId)
  if (known) return known
  const { body } = await server.call('POST', '/loginAs', { userId }, { master: true })
  // A session that the operator opens counts as unconfirmed; what that refuses is in staleSessionWalk.test.ts.
  await server.context.db.query(sql`update "_Session" set "_confirmed" = "createdAt" where "user" = ${userId}`)
  if (isNew) tokens.delete(userId)
  else tokens.set(userId, body.sessionToken as string)
  return body.sessionToken as string
}

const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })

/** A new owner with a document, a session, a role and a device, which members of the crew may read. */
async function make(): Promise<typeof shared> {
  const username = `owner${++count}`
  const ofCrew = { 'role:crew': { read: true } }
  const email = `${username}@${secret}.example`
  const signedUp = await server.call('POST', '/users', { username, password, email, note: secret, ACL: ofCrew })
  const user = signedUp.body.objectId as string
  const token = signedUp.body.sessionToken as string
  const ACL = { [user]: { read: true, write: true }, ...ofCrew }
  const made = async (path: string, body: object) =>
    (await server.call('POST', path, body, { master: true })).body.objectId as string
  const doc = await made('/classes/Doc', { secret, owner: pointer('_User', user), ACL })
  const role = await made('/roles', { name: `role ${count}`, note: secret, ACL })
  const device = await made('/installations', { installationId: `device-${count}`, deviceType: 'web', secret, ACL })
  const session = await server.call('GET', '/sessions/me', undefined, { token })
  const sessionId = session.body.objectId as string
  await server.call('PUT', `/sessions/${sessionId}`, { note: secret }, { token })
  const className = `Walk${count}`
  await made(`/classes/${className}`, { secret, ACL })
  return { user, things: { doc, role, device, user, sessionId, className } }
}

const nobody = (code: string): Row['expected'] => [code, code, code, code, code]

const signedIn = (code: string): Row['expected'] => ['400/209', code, code, code, '400/209']

const operatorOnly = (code: string): Row['expected'] => ['404/108', '404/108', '404/108', '404/108', code]

const masterOnly = (code: string): Row['expected'] => ['403', '403', '403', '403', code]

/** Reads of chains are everyone's by default; here no chain has a node. */
const onChain = (name: string, path: string): Row => ({
  name,
  call: () => ['GET', `/chain/eth${path}`],
  expected: nobody('400/108'),
})

const address = `0x${'ab'.repeat(20)}`

/** What any function of the older data API needs. */
const ofChain = {
  ...{ address, owner_address: address, spender_address: address, pair_address: address, token_address: address },
  ...{ token0_address: address, token1_address: address, exchange: 'uniswapv2', domain: 'a.eth' },
  ...{ block_number_or_hash: 'latest', date: '2030-01-31', transaction_hash: `0x${'ab'.repeat(32)}` },
  ...{ abi: [], topic: 'x', function_name: 'x', addresses: [address], wallet_addresses: [address], symbols: ['x'] },
  ...{ token_id: '1', tokens: [{ token_address: address, token_id: '1' }] },
}

/** Of the form of a passkey, and none. */
const credential = (response: object) => ({
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  response: { clientDataJSON: 'x', ...response },
})

const rows: Row[] = [
  // Objects
  { name: 'createObject', call: () => ['POST', '/classes/Doc', { text: 'x' }], expected: nobody('201') },
  {
    name: 'getObject',
    call: ({ doc }) => ['GET', `/classes/Doc/${doc}`],
    expected: ['404/101', '404/101', '200', '200', '200'],
  },
  { name: 'findObjects', call: () => ['GET', '/classes/Doc?order=-createdAt'], expected: nobody('200') },
  {
    name: 'updateObject',
    call: ({ doc }) => ['PUT', `/classes/Doc/${doc}`, { text: 'x' }],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'deleteObject',
    fresh: true,
    call: ({ doc }) => ['DELETE', `/classes/Doc/${doc}`],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'batch',
    call: ({ doc }) => [
      'POST',
      '/batch',
      { transaction: true, requests: [{ method: 'PUT', path: `/server/classes/Doc/${doc}`, body: { text: 'x' } }] },
    ],
    expected: ['400/101', '400/101', '400/101', '200', '200'],
  },
  { name: 'aggregate', call: () => ['GET', '/aggregate/Doc?distinct=secret'], expected: masterOnly('200') },

  // Roles
  { name: 'createRole', call: () => ['POST', '/roles', { name: `made ${++count}`, ACL: {} }], expected: nobody('201') },
  { name: 'findRoles', call: () => ['GET', '/roles'], expected: nobody('200') },
  {
    name: 'getRole',
    call: ({ role }) => ['GET', `/roles/${role}`],
    expected: ['404/101', '404/101', '200', '200', '200'],
  },
  {
    name: 'updateRole',
    call: ({ role, user }) => [
      'PUT',
      `/roles/${role}`,
      { users: { __op: 'AddRelation', objects: [pointer('_User', user)] } },
    ],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'deleteRole',
    fresh: true,
    call: ({ role }) => ['DELETE', `/roles/${role}`],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },

  // Devices
  {
    name: 'createInstallation',
    call: () => ['POST', '/installations', { installationId: `new-${++count}`, deviceType: 'web' }],
    expected: nobody('201'),
  },
  {
    name: 'createInstallationInClass',
    call: () => ['POST', '/classes/_Installation', { installationId: `new-${++count}`, deviceType: 'web' }],
    expected: nobody('201'),
  },
  {
    name: 'findInstallations',
    call: () => ['GET', '/installations'],
    expected: ['400/119', '400/119', '400/119', '400/119', '200'],
  },
  {
    name: 'getInstallation',
    call: ({ device }) => ['GET', `/installations/${device}`],
    expected: ['404/101', '404/101', '200', '200', '200'],
  },
  {
    name: 'updateInstallation',
    call: ({ device }) => ['PUT', `/installations/${device}`, { badge: 1 }],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'updateInstallationInClass',
    call: ({ device }) => ['PUT', `/classes/_Installation/${device}`, { badge: 1 }],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'deleteInstallation',
    fresh: true,
    call: ({ device }) => ['DELETE', `/installations/${device}`],
    expected: ['400/119', '400/119', '400/119', '400/119', '200'],
  },
  {
    name: 'deleteInstallationInClass',
    fresh: true,
    call: ({ device }) => ['DELETE', `/classes/_Installation/${device}`],
    expected: ['400/119', '400/119', '400/119', '400/119', '200'],
  },

  // Users
  { name: 'signUp', call: () => ['POST', '/users', { username: `new${++count}`, password }], expected: nobody('201') },
  {
    name: 'signUpInClass',
    call: () => ['POST', '/classes/_User', { username: `new${++count}`, password }],
    expected: nobody('201'),
  },
  { name: 'findUsers', call: () => ['GET', '/users'], expected: nobody('200') },
  {
    name: 'getUser',
    call: ({ user }) => ['GET', `/users/${user}`],
    expected: ['404/101', '404/101', '200', '200', '200'],
  },
  { name: 'getCurrentUser', call: () => ['GET', '/users/me'], expected: signedIn('200') },
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
  { name: 'getCurrentSession', call: () => ['GET', '/sessions/me'], expected: signedIn('200') },
  {
    name: 'upgradeToRevocableSession',
    call: () => ['POST', '/upgradeToRevocableSession', {}],
    expected: signedIn('200'),
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
  { name: 'listWallets', call: () => ['GET', '/auth/wallets'], expected: signedIn('200') },
  {
    name: 'linkWallet',
    call: () => ['POST', '/auth/wallets', { message: 'x', signature: '0x' }],
    expected: signedIn('401/101'),
  },
  { name: 'updateWallet', call: () => ['PUT', '/auth/wallets/nosuch', { label: 'x' }], expected: signedIn('404/101') },
  { name: 'unlinkWallet', call: () => ['DELETE', '/auth/wallets/nosuch'], expected: signedIn('404/101') },
  { name: 'restoreWallet', call: () => ['POST', '/auth/wallets/nosuch/restore', {}], expected: signedIn('404/101') },
  { name: 'listSignInMethods', call: () => ['GET', '/auth/signInMethods'], expected: signedIn('200') },
  {
    name: 'previewMerge',
    call: () => ['POST', '/auth/merges', { message: 'x', signature: '0x' }],
    expected: signedIn('401/101'),
  },
  { name: 'merge', call: () => ['POST', '/auth/merges/nosuch', {}], expected: signedIn('404/101') },
  { name: 'undoMerge', call: () => ['DELETE', '/auth/merges/nosuch'], expected: signedIn('404/101') },
  { name: 'listActivity', call: () => ['GET', '/auth/activity'], expected: signedIn('200') },
  { name: 'getAccountSecurity', call: () => ['GET', '/auth/security'], expected: signedIn('200') },
  {
    name: 'updateAccountSecurity',
    call: () => ['PUT', '/auth/security', { signInAlerts: false }],
    expected: signedIn('200'),
  },
  { name: 'createRecoveryCodes', call: () => ['POST', '/auth/recoveryCodes', {}], expected: signedIn('201') },
  {
    name: 'signInWithRecoveryCode',
    call: () => ['POST', '/auth/signInWithRecoveryCode', { username: 'nobody', code: 'x' }],
    expected: nobody('401/101'),
  },
  { name: 'getSecondFactor', call: () => ['GET', '/auth/secondFactor'], expected: signedIn('200') },
  {
    name: 'updateSecondFactor',
    call: () => ['PUT', '/auth/secondFactor', { passkey: false }],
    expected: signedIn('200'),
  },
  { name: 'removeSecondFactor', call: () => ['DELETE', '/auth/secondFactor'], expected: signedIn('200') },
  { name: 'forgetDevices', call: () => ['DELETE', '/auth/secondFactor/devices'], expected: signedIn('200') },
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
  { name: 'exportAccount', call: () => ['GET', '/auth/export'], expected: signedIn('200') },
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
  { name: 'listPasskeys', call: () => ['GET', '/auth/passkeys'], expected: signedIn('200') },
  { name: 'removePasskey', call: () => ['DELETE', '/auth/passkeys/nosuch'], expected: signedIn('404/101') },
  {
    name: 'restorePasskey',
    call: () => ['POST', '/auth/passkeys/nosuch/restore', {}],
    expected: signedIn('404/101'),
  },
  { name: 'getSignInOptions', call: () => ['GET', '/auth/methods'], expected: nobody('200') },
  { name: 'listInvitations', call: () => ['GET', '/auth/invitations'], expected: masterOnly('200') },
  { name: 'createInvitation', call: () => ['POST', '/auth/invitations', {}], expected: masterOnly('201') },
  { name: 'deleteInvitation', call: () => ['DELETE', '/auth/invitations/nosuch'], expected: masterOnly('404/101') },
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
  { name: 'unlinkIdentity', call: () => ['DELETE', '/auth/identities/nosuch'], expected: signedIn('404/101') },
  {
    name: 'restoreIdentity',
    call: () => ['POST', '/auth/identities/nosuch/restore', {}],
    expected: signedIn('404/101'),
  },
  ...['_EthAddress', '_SolAddress'].flatMap((name): Row[] => [
    { name: `findIn${name}`, call: () => ['GET', `/classes/${name}`], expected: nobody('200') },
    { name: `getIn${name}`, call: () => ['GET', `/classes/${name}/nosuch`], expected: nobody('404/101') },
    { name: `createIn${name}`, call: () => ['POST', `/classes/${name}`, {}], expected: nobody('400/119') },
    { name: `updateIn${name}`, call: () => ['PUT', `/classes/${name}/nosuch`, {}], expected: nobody('400/119') },
    { name: `unlinkIn${name}`, call: () => ['DELETE', `/classes/${name}/nosuch`], expected: signedIn('404/101') },
  ]),

  // Functions
  { name: 'getPluginSpecs', call: () => ['POST', '/functions/getPluginSpecs', {}], expected: nobody('200') },
  { name: 'getServerTime', call: () => ['POST', '/functions/getServerTime', {}], expected: nobody('400/135') },
  { name: 'requestMessage', call: () => ['POST', '/functions/requestMessage', {}], expected: nobody('400/162') },
  { name: 'runFunction', call: () => ['POST', '/functions/nosuch', {}], expected: nobody('400/141') },

  // Files
  {
    name: 'uploadFile',
    call: () => ['POST', '/files/note.json', { text: 'x' }],
    expected: ['400/130', '201', '201', '201', '201'],
  },
  {
    name: 'uploadNamedFile',
    call: () => ['POST', '/files', { text: 'x' }],
    expected: ['400/130', '400/122', '400/122', '400/122', '400/122'],
  },
  { name: 'deleteFile', call: () => ['DELETE', '/files/nosuch.txt'], expected: masterOnly('400/153') },
  // The name of a file is its key; another application's files are not here.
  { name: 'getFile', call: () => ['GET', '/files/elsewhere/nosuch.txt'], expected: nobody('403') },
  { name: 'getFileMetadata', call: () => ['GET', '/files/elsewhere/metadata/nosuch.txt'], expected: nobody('403') },
  { name: 'getHealth', call: () => ['GET', '/health'], expected: nobody('200') },

  // The operator's own
  { name: 'listSchemas', call: () => ['GET', '/schemas'], expected: masterOnly('200') },
  { name: 'getSchema', call: () => ['GET', '/schemas/Doc'], expected: masterOnly('200') },
  { name: 'createSchema', call: () => ['POST', `/schemas/Made${++count}`, {}], expected: masterOnly('200') },
  {
    name: 'createNamedSchema',
    call: () => ['POST', '/schemas', { className: `Made${++count}` }],
    expected: masterOnly('200'),
  },
  {
    name: 'updateSchema',
    call: () => [
      'PUT',
      '/schemas/Doc',
      {
        classLevelPermissions: {
          find: { '*': true },
          get: { '*': true },
          count: { '*': true },
          create: { '*': true },
          update: { '*': true },
          delete: { '*': true },
          addField: { '*': true },
        },
      },
    ],
    expected: masterOnly('200'),
  },
  { name: 'applySchema', call: () => ['POST', '/schemas/apply', {}], expected: masterOnly('200') },
  {
    name: 'deleteSchema',
    fresh: true,
    call: ({ className }) => ['DELETE', `/schemas/${className}`],
    expected: masterOnly('400/255'),
  },
  {
    name: 'purgeClass',
    fresh: true,
    call: ({ className }) => ['DELETE', `/purge/${className}`],
    expected: masterOnly('200'),
  },

  // Jobs and webhooks
  { name: 'startJob', call: () => ['POST', '/jobs/walk', {}], expected: masterOnly('200') },
  { name: 'startNamedJob', call: () => ['POST', '/jobs', { jobName: 'walk' }], expected: masterOnly('200') },
  { name: 'listJobs', call: () => ['GET', '/cloud_code/jobs/data'], expected: masterOnly('200') },
  { name: 'listSchedules', call: () => ['GET', '/cloud_code/jobs'], expected: masterOnly('200') },
  {
    name: 'createSchedule',
    call: () => ['POST', '/cloud_code/jobs', { jobName: 'walk', cron: '0 0 1 1 *' }],
    expected: masterOnly('201'),
  },
  {
    name: 'updateSchedule',
    call: () => ['PUT', '/cloud_code/jobs/nosuch', { cron: '0 0 1 1 *' }],
    expected: masterOnly('404/101'),
  },
  { name: 'deleteSchedule', call: () => ['DELETE', '/cloud_code/jobs/nosuch'], expected: masterOnly('404/101') },
  { name: 'listRemoteFunctions', call: () => ['GET', '/hooks/functions'], expected: masterOnly('200') },
  {
    name: 'createRemoteFunction',
    call: () => ['POST', '/hooks/functions', { functionName: `far${++count}`, url: 'https://example.com/' }],
    expected: masterOnly('200'),
  },
  { name: 'getRemoteFunction', call: () => ['GET', '/hooks/functions/nosuch'], expected: masterOnly('400/143') },
  {
    name: 'updateRemoteFunction',
    call: () => ['PUT', '/hooks/functions/nosuch', { url: 'https://example.com/' }],
    expected: masterOnly('400/143'),
  },
  { name: 'deleteRemoteFunction', call: () => ['DELETE', '/hooks/functions/nosuch'], expected: masterOnly('400/143') },
  { name: 'listRemoteHooks', call: () => ['GET', '/hooks/triggers'], expected: masterOnly('200') },
  {
    name: 'createRemoteHook',
    call: () => [
      'POST',
      '/hooks/triggers',
      { className: `Far${++count}`, triggerName: 'afterSave', url: 'https://example.com/' },
    ],
    expected: masterOnly('200'),
  },
  { name: 'listRemoteHooksOfClass', call: () => ['GET', '/hooks/triggers/Doc'], expected: masterOnly('200') },
  { name: 'getRemoteHook', call: () => ['GET', '/hooks/triggers/Doc/beforeSave'], expected: masterOnly('400/143') },
  {
    name: 'updateRemoteHook',
    call: () => ['PUT', '/hooks/triggers/Doc/beforeSave', { url: 'https://example.com/' }],
    expected: masterOnly('400/143'),
  },
  {
    name: 'deleteRemoteHook',
    call: () => ['DELETE', '/hooks/triggers/Doc/beforeSave'],
    expected: masterOnly('400/143'),
  },
  {
    name: 'watchContractEvent',
    call: () => [
      'POST',
      '/functions/watchContractEvent',
      { chainId: 'nosuch', address: someone, abi: {}, tableName: 'X' },
    ],
    expected: masterOnly('400/162'),
  },
  ...['Eth', 'Bsc', 'Polygon'].map(
    (chain): Row => ({
      name: `watch${chain}Address`,
      call: () => ['POST', `/functions/watch${chain}Address`, { address: someone, chainId: 'nosuch' }],
      expected: masterOnly('400/162'),
    }),
  ),
  { name: 'listSyncs', call: () => ['GET', '/syncs'], expected: masterOnly('200') },
  { name: 'createSync', call: () => ['POST', '/syncs', { chain: 'nosuch' }], expected: masterOnly('400/162') },
  { name: 'deleteSync', call: () => ['DELETE', '/syncs/nosuch/nosuch'], expected: masterOnly('400/162') },
  { name: 'listStates', call: () => ['GET', '/states'], expected: masterOnly('200') },
  { name: 'replayState', call: () => ['POST', '/states/nosuch/replay', {}], expected: masterOnly('404/101') },
  { name: 'replaySync', call: () => ['POST', '/syncs/nosuch/nosuch/replay', {}], expected: masterOnly('400/162') },
  { name: 'listWebhooks', call: () => ['GET', '/webhooks'], expected: masterOnly('200') },
  {
    name: 'createWebhook',
    call: () => ['POST', '/webhooks', { url: 'https://example.com/', events: ['user.signUp'], enabled: false }],
    expected: masterOnly('201'),
  },
  { name: 'getWebhook', call: () => ['GET', '/webhooks/nosuch'], expected: masterOnly('404/101') },
  { name: 'updateWebhook', call: () => ['PUT', '/webhooks/nosuch', {}], expected: masterOnly('404/101') },
  { name: 'deleteWebhook', call: () => ['DELETE', '/webhooks/nosuch'], expected: masterOnly('404/101') },
  { name: 'testWebhook', call: () => ['POST', '/webhooks/nosuch/test', {}], expected: masterOnly('404/101') },
  { name: 'listDeliveries', call: () => ['GET', '/webhooks/nosuch/deliveries'], expected: masterOnly('404/101') },
  {
    name: 'resendDelivery',
    call: () => ['POST', '/webhooks/nosuch/deliveries/nosuch', {}],
    expected: masterOnly('404/101'),
  },

  // Chains
  { name: 'listChains', call: () => ['GET', '/chain'], expected: nobody('200') },
  onChain('getChain', ''),
  onChain('getBlock', '/blocks/latest'),
  onChain('getBlockByDate', '/date/2024-01-01'),
  onChain('getTransaction', `/transactions/0x${'ab'.repeat(32)}`),
  onChain('listInternalTransactions', `/transactions/0x${'ab'.repeat(32)}/internal`),
  onChain('getAddress', `/addresses/${address}`),
  onChain('getNativeBalance', `/addresses/${address}/balance`),
  onChain('listNativeBalances', `/balances?addresses=${address}`),
  onChain('listTokenBalances', `/addresses/${address}/tokens`),
  onChain('listNfts', `/addresses/${address}/nfts`),
  onChain('listTransfers', `/addresses/${address}/transfers`),
  onChain('listTransactions', `/addresses/${address}/transactions`),
  onChain('listCollections', `/addresses/${address}/collections`),
  onChain('getNameOf', `/addresses/${address}/name`),
  onChain('resolveName', '/names/alice.eth'),
  onChain('getNamePicture', '/names/alice.eth/picture'),
  onChain('listTokens', `/tokens?addresses=${address}`),
  onChain('getToken', `/tokens/${address}`),
  onChain('getTokenPrice', `/tokens/${address}/price`),
  onChain('getAllowance', `/tokens/${address}/allowance?owner=${address}&spender=${address}`),
  onChain('listTokenTransfers', `/tokens/${address}/transfers`),
  onChain('getCollection', `/nfts/${address}`),
  onChain('listTokenIds', `/nfts/${address}/ids`),
  onChain('listNftOwners', `/nfts/${address}/owners`),
  onChain('listNftTransfers', `/nfts/${address}/transfers`),
  onChain('getNft', `/nfts/${address}/1`),
  onChain('getNftPicture', `/nfts/${address}/1/picture`),
  onChain('listNftOwnersOfId', `/nfts/${address}/1/owners`),
  onChain('listNftTransfersOfId', `/nfts/${address}/1/transfers`),
  onChain('getValueHistory', `/addresses/${address}/value`),
  onChain('listLogs', '/logs'),
  onChain('getPair', `/pairs?tokenA=${address}&tokenB=${address}&exchange=uniswapv2`),
  {
    name: 'followTransaction',
    call: () => ['POST', `/chain/nosuch/transactions/0x${'0'.repeat(64)}/follow`, {}],
    expected: signedIn('400/162'),
  },
  {
    name: 'callContract',
    call: () => ['POST', '/chain/eth/call', { address: someone, abi: [], function: 'f' }],
    expected: nobody('400/108'),
  },
  {
    name: 'listEvents',
    call: () => ['POST', '/chain/eth/events', { address: someone, abi: [] }],
    expected: nobody('400/108'),
  },
  ...olderFunctions.map(({ name, path }): Row => {
    const needsNothing = /web3ApiVersion|endpointWeights/.test(path)
    if (name === 'web3Api_uploadFolder') {
      const data = [{ path: 'a.txt', content: 'YQ==' }]
      const call = (): [string, string, object] => ['POST', path, { data }]
      return { name, call, expected: ['400/130', '400/108', '400/108', '400/108', '400/108'] }
    }
    return { name, call: () => ['POST', path, ofChain], expected: nobody(needsNothing ? '200' : '400/108') }
  }),
  { name: 'getPortfolio', call: () => ['GET', `/portfolio/${address}`], expected: nobody('200') },

  // Without a node for it there is nothing to read for any caller.
  ...[
    { name: 'getSolanaBalance', place: 'addresses/11111111111111111111111111111111/balance', older: 'balance' },
    { name: 'listSolanaTokens', place: 'addresses/11111111111111111111111111111111/tokens', older: 'getSPL' },
    { name: 'listSolanaNfts', place: 'addresses/11111111111111111111111111111111/nfts', older: 'getNFTs' },
    {
      name: 'getSolanaPortfolio',
      place: 'addresses/11111111111111111111111111111111/portfolio',
      older: 'getPortfolio',
    },
    { name: 'getSolanaNft', place: 'nfts/11111111111111111111111111111111', older: 'getNFTMetadata' },
    { name: 'getSolanaTokenPrice', place: 'tokens/11111111111111111111111111111111/price', older: 'getTokenPrice' },
  ].flatMap(({ name, place, older }): Row[] => [
    { name, call: () => ['GET', `/solana/mainnet/${place}`], expected: nobody('400/108') },
    {
      name: `solanaApi_${older}`,
      call: () => ['POST', `/functions/sol-${older}`, { address: '1'.repeat(32) }],
      expected: nobody('400/108'),
    },
  ]),
  { name: 'listTokenGates', call: () => ['GET', '/tokenGates'], expected: masterOnly('200') },
  {
    name: 'createTokenGate',
    call: () => ['POST', '/tokenGates', { role: 'crew', chain: 1, kind: 'native' }],
    expected: masterOnly('400/108'),
  },
  { name: 'getTokenGate', call: () => ['GET', '/tokenGates/nosuch'], expected: masterOnly('404/101') },
  { name: 'deleteTokenGate', call: () => ['DELETE', '/tokenGates/nosuch'], expected: masterOnly('404/101') },
  { name: 'checkTokenGate', call: () => ['POST', '/tokenGates/nosuch/check', {}], expected: masterOnly('404/101') },

  { name: 'getConfig', call: () => ['GET', '/config'], expected: nobody('200') },
  {
    name: 'updateConfig',
    call: () => ['PUT', '/config', { params: { hidden: secret }, masterKeyOnly: { hidden: true } }],
    expected: masterOnly('200'),
  },
  { name: 'listOutbox', call: () => ['GET', '/outbox'], expected: ['400/119', '400/119', '400/119', '400/119', '200'] },
  { name: 'getConnection', call: () => ['GET', '/connection'], expected: masterOnly('200') },
  { name: 'listAudit', call: () => ['GET', '/audit'], expected: masterOnly('200') },
  { name: 'verifyAudit', call: () => ['GET', '/audit/verification'], expected: masterOnly('200') },
  { name: 'getServerInfo', call: () => ['GET', '/serverInfo'], expected: masterOnly('200') },

  // The console: who is no operator finds nothing. The roles of operators are in http/console/operatorRights.test.ts.
  { name: 'getConsole', call: () => ['GET', '/console'], expected: operatorOnly('200') },
  {
    name: 'claimConsole',
    call: () => ['POST', '/console/claim', { token: 'guessed' }],
    // Sessions that the master key opened make no operator.
    expected: signedIn('403/119'),
  },
  {
    name: 'endImpersonation',
    call: () => ['POST', '/console/impersonation/end', {}],
    expected: signedIn('404/108'),
  },
  { name: 'getOverview', call: () => ['GET', '/console/overview'], expected: operatorOnly('200') },
  { name: 'listConsoleUsers', call: () => ['GET', '/console/users'], expected: operatorOnly('200') },
  { name: 'getConsoleUser', call: ({ user }) => ['GET', `/console/users/${user}`], expected: operatorOnly('200') },
  {
    name: 'exportConsoleUser',
    call: ({ user }) => ['GET', `/console/users/${user}/export`],
    expected: operatorOnly('200'),
  },
  ...['disable', 'enable', 'signOut', 'verifyEmail', 'sendReset', 'impersonate'].map((action): Row => {
    const names: { [action: string]: string } = { verifyEmail: 'verifyUserEmail', sendReset: 'sendUserReset' }
    const call: Row['call'] = ({ user }) => ['POST', `/console/users/${user}/${action}`, {}]
    return { name: names[action] ?? `${action}User`, fresh: true, call, expected: operatorOnly('200') }
  }),
  {
    name: 'deleteConsoleUser',
    fresh: true,
    call: ({ user }) => ['DELETE', `/console/users/${user}`],
    expected: operatorOnly('200'),
  },
  {
    name: 'testAccess',
    call: () => ['GET', '/console/access?className=Doc&operation=get'],
    expected: operatorOnly('200'),
  },
  { name: 'listConsoleRoles', call: () => ['GET', '/console/roles'], expected: operatorOnly('200') },
  { name: 'getConsoleRole', call: () => ['GET', '/console/roles/nosuch'], expected: operatorOnly('404/101') },
  { name: 'listRoleMembers', call: () => ['GET', '/console/roles/nosuch/members'], expected: operatorOnly('200') },
  { name: 'listConsoleFiles', call: () => ['GET', '/console/files'], expected: operatorOnly('200') },
  {
    name: 'listTokenGateHolders',
    call: () => ['GET', '/console/tokenGates/nosuch/holders'],
    expected: operatorOnly('200'),
  },
  { name: 'getSettings', call: () => ['GET', '/console/settings'], expected: operatorOnly('200') },
  { name: 'listOperators', call: () => ['GET', '/console/operators'], expected: operatorOnly('200') },
  {
    name: 'setOperator',
    call: () => ['PUT', '/console/operators/nosuch', { role: 'admin' }],
    expected: operatorOnly('404/101'),
  },
  {
    name: 'removeOperator',
    call: () => ['DELETE', '/console/operators/nosuch'],
    expected: operatorOnly('404/101'),
  },
  { name: 'listConsoleFunctions', call: () => ['GET', '/console/functions'], expected: operatorOnly('200') },
  { name: 'listConsoleJobs', call: () => ['GET', '/console/jobs'], expected: operatorOnly('200') },
  { name: 'previewSchema', call: () => ['GET', '/console/schema?className=Doc'], expected: operatorOnly('200') },
  { name: 'listSlowQueries', call: () => ['GET', '/console/slowQueries'], expected: operatorOnly('200') },
  {
    name: 'getQueryPlan',
    call: () => ['GET', '/console/slowQueries/nosuch/plan'],
    expected: operatorOnly('404/101'),
  },
  { name: 'listMailLog', call: () => ['GET', '/console/mail'], expected: operatorOnly('200') },
  { name: 'listKeys', call: () => ['GET', '/console/keys'], expected: operatorOnly('200') },
  // Without the word for it, even who may rotate is refused.
  { name: 'rotateKeys', call: () => ['POST', '/console/keys/rotate', {}], expected: operatorOnly('400/162') },
  { name: 'retireKeys', call: () => ['POST', '/console/keys/retire', {}], expected: operatorOnly('400/162') },
  { name: 'listBackups', call: () => ['GET', '/console/backups'], expected: operatorOnly('200') },
  { name: 'createBackup', call: () => ['POST', '/console/backups', {}], expected: operatorOnly('409/108') },
  { name: 'getChainStatus', call: () => ['GET', '/console/chain'], expected: operatorOnly('200') },
  { name: 'createOperatorLink', call: () => ['POST', '/console/operatorLinks', {}], expected: operatorOnly('201') },
  { name: 'listLogLines', call: () => ['GET', '/scriptlog'], expected: masterOnly('200') },
  { name: 'listReleases', call: () => ['GET', '/releases/latest'], expected: masterOnly('200') },
  { name: 'checkSecurity', call: () => ['GET', '/security'], expected: masterOnly('200') },
  { name: 'listAudiences', call: () => ['GET', '/push_audiences'], expected: masterOnly('200') },
  {
    name: 'createAudience',
    call: () => ['POST', '/push_audiences', { name: secret, query: '{}' }],
    expected: masterOnly('201'),
  },
  { name: 'getAudience', call: () => ['GET', '/push_audiences/nosuch'], expected: masterOnly('404/101') },
  { name: 'updateAudience', call: () => ['PUT', '/push_audiences/nosuch', {}], expected: masterOnly('404/101') },
  { name: 'deleteAudience', call: () => ['DELETE', '/push_audiences/nosuch'], expected: masterOnly('404/101') },
]

describe('every endpoint as guest, other user, member of a role, owner and master', () => {
  test.each(rows)('P5, P10, P11: $name', async ({ call, expected, fresh, ends }) => {
    const seen: string[] = []
    for (const name of names) {
      const { things, user } = fresh ? await make() : shared
      const who = { guest: undefined, other, member, owner: user, master: undefined }[name]
      const [method, path, body] = call(things)
      const answer = await server.call(method, path, body, {
        ...(who && { token: await tokenOf(who, ends) }),
        master: name === 'master',
      })
      seen.push(answer.body.code === undefined ? String(answer.status) : `${answer.status}/${answer.body.code}`)
      if (name === 'guest' || name === 'other') expect(answer.text, name).not.toContain(secret)
      // Members read what the lists show them: neither addresses nor sessions.
      if (name === 'member') expect(answer.text, name).not.toContain(`@${secret}`)
    }
    expect(seen).toEqual(expected)
  })

  test('the table names every endpoint that the server has', async () => {
    const api = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const all = Object.values(api.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
    expect(rows.map(({ name }) => name).sort()).toEqual(all.sort())
  })
})

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asking, createPeople, newAddress, type Person } from '../testing/accounts/createPeople.ts'
import { answerChallenge } from '../testing/answerChallenge.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({
    auth: { social: { validateAuthData: async () => {} }, former: { validateAuthData: async () => {} } },
    emailCode: { enabled: true },
  })
})
afterAll(() => server.stop())

const {
  tryThisSession,
  tryOtherSession,
  tryPassword,
  tryPasskey,
  tryWallet,
  tryGuestId,
  tryIdentity,
  tryRecoveryCode,
  tryEmailCode,
  tryRestore,
  tryChallenge,
  tryRegistration,
  tryVerification,
  tryReset,
  tryUndo,
  resetByMail,
  call,
  mergeInto,
  createPerson,
  undoMerge,
  firstStep,
} = createPeople(() => server)

/** What may open an account, or help to, in the order in which it is tried: the last ones change the account. */
const openers = {
  'this session': tryThisSession,
  'other sessions': tryOtherSession,
  password: tryPassword,
  passkeys: tryPasskey,
  wallets: tryWallet,
  'guest id': tryGuestId,
  identities: tryIdentity,
  'recovery codes': tryRecoveryCode,
  'mailed sign-in code': tryEmailCode,
  'method set aside': tryRestore,
  'pending challenge': tryChallenge,
  'half-registered passkey': tryRegistration,
  'verification mail': tryVerification,
  'reset mail': tryReset,
  'undo mail': tryUndo,
} as const
type Opener = keyof typeof openers

const stays = true
const ends = false
const all = Object.fromEntries(Object.keys(openers).map((name) => [name, stays])) as Record<Opener, boolean>
const none = Object.fromEntries(Object.keys(openers).map((name) => [name, ends])) as Record<Opener, boolean>
/** What another session has begun ends with it. */
const withoutOthers = { ...all, 'other sessions': ends, 'pending challenge': ends, 'half-registered passkey': ends }

/** The table of docs/security.md. Each event with what happens, and what survives it. */
const events: Record<string, { happen: (person: Person) => Promise<unknown>; survives: Record<Opener, boolean> }> = {
  'reset by mail, address verified': {
    happen: resetByMail,
    survives: {
      ...none,
      passkeys: stays,
      wallets: stays,
      identities: stays,
      'method set aside': stays,
      'undo mail': stays,
    },
  },
  'reset by mail, address not verified by the holder': {
    happen: resetByMail,
    survives: { ...none, 'undo mail': stays },
  },
  'password change': {
    happen: ({ token, password }) =>
      call('POST', '/changePassword', { currentPassword: password, newPassword: 'another one' }, token),
    survives: {
      ...withoutOthers,
      'this session': ends,
      password: ends,
      'guest id': ends,
      'mailed sign-in code': ends,
      'reset mail': ends,
    },
  },
  'password set by PUT': {
    happen: ({ token, objectId }) => call('PUT', `/users/${objectId}`, { password: 'another one' }, token),
    survives: {
      ...withoutOthers,
      'this session': ends,
      password: ends,
      'guest id': ends,
      'mailed sign-in code': ends,
      'reset mail': ends,
    },
  },
  'email change': {
    happen: ({ token, objectId }) => call('PUT', `/users/${objectId}`, { email: newAddress() }, token),
    survives: { ...all, 'mailed sign-in code': ends, 'verification mail': ends, 'reset mail': ends },
  },
  'email removal': {
    happen: ({ token, objectId }) => call('PUT', `/users/${objectId}`, { email: null }, token),
    survives: { ...all, 'mailed sign-in code': ends, 'verification mail': ends, 'reset mail': ends },
  },
  'email change undone': {
    happen: ({ undoToken }) => call('POST', '/undoEmailChange', { token: undoToken }),
    survives: {
      ...none,
      passkeys: stays,
      wallets: stays,
      identities: stays,
      'recovery codes': stays,
      'method set aside': stays,
    },
  },
  'wallet unlinked': {
    happen: ({ token, walletId }) => call('DELETE', `/auth/wallets/${walletId}`, undefined, token),
    survives: { ...all, wallets: ends },
  },
  'passkey removed': {
    happen: ({ token, passkeyId }) => call('DELETE', `/auth/passkeys/${passkeyId}`, undefined, token),
    survives: { ...all, passkeys: ends },
  },
  'identity unlinked': {
    happen: ({ token, objectId }) => call('PUT', `/users/${objectId}`, { authData: { social: null } }, token),
    survives: { ...all, identities: ends },
  },
  'merge, account that stays': {
    happen: async (person) => mergeInto(person, await createPerson()),
    survives: all,
  },
  'merge, account that goes': {
    happen: async (person) => mergeInto(await createPerson(), person),
    survives: none,
  },
  'merge undone, account that stays': {
    happen: async (person) => undoMerge(person, await mergeInto(person, await createPerson())),
    survives: withoutOthers,
  },
  'merge undone, account that returns': {
    happen: async (person) => {
      const other = await createPerson()
      await undoMerge(other, await mergeInto(other, person))
    },
    survives: {
      ...none,
      password: stays,
      passkeys: stays,
      wallets: stays,
      'guest id': stays,
      identities: stays,
      'recovery codes': stays,
      'mailed sign-in code': stays,
    },
  },
  '“this wasn’t me”': {
    happen: async ({ token, otherToken }) => {
      const { body } = await call('GET', '/sessions/me', undefined, otherToken)
      return call('DELETE', `/sessions/${body.objectId}`, undefined, token)
    },
    survives: withoutOthers,
  },
  'other sessions signed out': {
    happen: ({ token }) => call('POST', '/revokeOtherSessions', {}, token),
    survives: withoutOthers,
  },
  'sign-in by recovery code': {
    happen: ({ username, codes }) => call('POST', '/auth/signInWithRecoveryCode', { username, code: codes[5] }),
    survives: all,
  },
  'new recovery codes': {
    happen: ({ token }) => call('POST', '/auth/recoveryCodes', {}, token),
    survives: { ...all, 'recovery codes': ends },
  },
  deletion: {
    happen: ({ token, objectId }) => call('DELETE', `/users/${objectId}`, undefined, token),
    // Who had the address before a thief changed it and deleted the account still takes it back.
    survives: { ...none, 'undo mail': stays },
  },
}

describe.each(Object.entries(events))('SEC-8: what survives: %s', (event, { happen, survives }) => {
  const seen: Partial<Record<Opener, boolean>> = {}
  beforeAll(async () => {
    const person = await createPerson({ verified: !event.includes('not verified') })
    await happen(person)
    for (const [name, attempt] of Object.entries(openers)) seen[name as Opener] = await attempt(person)
  })
  test.each(Object.keys(openers) as Opener[])('%s', (opener) => {
    expect(seen[opener]).toBe(survives[opener])
  })
})

test('all of these open the account while nothing has happened', async () => {
  const person = await createPerson()
  for (const [name, attempt] of Object.entries(openers)) expect([name, await attempt(person)]).toEqual([name, true])
})

test('the documentation has the same table', async () => {
  const text = await readFile(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
  const rows = Object.entries(events).map(
    ([event, { survives }]) =>
      `| ${event} | ${Object.keys(openers)
        .map((opener) => (survives[opener as Opener] ? 'stays' : '**ends**'))
        .join(' | ')} |`,
  )
  const table = [`| event | ${Object.keys(openers).join(' | ')} |`, `| --- |${' --- |'.repeat(15)}`, ...rows]
  expect(text.split('\n').filter((line) => table.includes(line))).toEqual(table)
})

/** What an account with a second factor keeps of it. `undefined`: such an account cannot be merged away. */
const withFactor: Record<string, { 'second factor': boolean; 'remembered browser': boolean } | undefined> = {
  'reset by mail, address verified': { 'second factor': stays, 'remembered browser': ends },
  'reset by mail, address not verified by the holder': { 'second factor': ends, 'remembered browser': ends },
  'password change': { 'second factor': stays, 'remembered browser': ends },
  'password set by PUT': { 'second factor': stays, 'remembered browser': ends },
  'email change': { 'second factor': stays, 'remembered browser': stays },
  'email removal': { 'second factor': stays, 'remembered browser': stays },
  'email change undone': { 'second factor': stays, 'remembered browser': ends },
  'wallet unlinked': { 'second factor': stays, 'remembered browser': stays },
  'passkey removed': { 'second factor': stays, 'remembered browser': stays },
  'identity unlinked': { 'second factor': stays, 'remembered browser': stays },
  'merge, account that stays': { 'second factor': stays, 'remembered browser': stays },
  'merge, account that goes': undefined,
  'merge undone, account that stays': { 'second factor': stays, 'remembered browser': ends },
  'merge undone, account that returns': undefined,
  '“this wasn’t me”': { 'second factor': stays, 'remembered browser': ends },
  'other sessions signed out': { 'second factor': stays, 'remembered browser': ends },
  'sign-in by recovery code': { 'second factor': stays, 'remembered browser': stays },
  'new recovery codes': { 'second factor': stays, 'remembered browser': stays },
  deletion: { 'second factor': ends, 'remembered browser': ends },
}

test.each(Object.entries(events))('SEC-8: what survives of a second factor: %s', async (event, { happen }) => {
  expect(Object.keys(withFactor)).toContain(event)
  const expected = withFactor[event]
  const person = await createPerson({ verified: !event.includes('not verified'), secondFactor: true })
  if (!expected) {
    const { token, here } = await createPerson()
    const proof = await answerChallenge(server, person.wallet, 'merge', asking(token, here))
    const refused = await call('POST', '/auth/merges', proof, token, here)
    expect([refused.status, refused.body.reason]).toEqual([403, 'otherAccountHasSecondFactor'])
    return
  }
  expect([await firstStep(person), await firstStep(person, person.deviceCookie)]).toEqual(['asked', 'in'])
  await happen(person)
  expect({
    'second factor': (await firstStep(person)) === 'asked',
    // Where nothing is asked for any more, no browser is let off it.
    'remembered browser': expected['second factor'] && (await firstStep(person, person.deviceCookie)) === 'in',
  }).toEqual(expected)
})

test('the documentation has the same of second factors', async () => {
  const text = await readFile(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
  const say = (kept: boolean | undefined) => (kept === undefined ? 'refused' : kept ? 'stays' : '**ends**')
  const rows = Object.entries(withFactor).map(
    ([event, kept]) => `| ${event} | ${say(kept?.['second factor'])} | ${say(kept?.['remembered browser'])} |`,
  )
  const table = ['| event, with a second factor | second factor | remembered browser |', '| --- | --- | --- |', ...rows]
  expect(text.split('\n').filter((line) => table.includes(line) && line !== '| --- | --- | --- |')).toEqual(
    table.filter((line) => line !== '| --- | --- | --- |'),
  )
})

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createPeople } from '../testing/accounts/createPeople.ts'
import { newAddress } from '../testing/accounts/createPerson.ts'
import { describeHolders } from '../testing/accounts/describeHolders.ts'
import type { Person } from '../testing/accounts/Person.ts'
import { serveTests } from '../testing/serveTests.ts'
import { createImports } from '../testing/transfer/createImports.ts'
import { openParseExport } from '../transfer/sources/openDump.ts'
import {
  type ChangeOfHolder,
  changesOfHolder,
  fateOf,
  type Power,
  powers,
  tablesWithoutPower,
} from '../users/holders/powers.ts'

const server = serveTests({
  rateLimit: [],
  auth: { social: { validateAuthData: async () => {} }, former: { validateAuthData: async () => {} } },
  emailCode: { enabled: true },
})

let dump: string
beforeAll(async () => {
  dump = await mkdtemp(join(tmpdir(), 'countersign-dump-'))
})
afterAll(() => rm(dump, { recursive: true, force: true }))

const { runImport } = createImports(() => server)

const people = createPeople(() => server)
const { resetByMail, call, mergeInto, createPerson, undoMerge, firstStep } = people

/** Each power tried, in the order in which it is tried: the last ones change the account. */
const attempts: Partial<Record<Power, (person: Person) => Promise<boolean>>> = {
  'alerts turned off': people.hasAlertsOff,
  'recovery mail': people.tryRecoveryMail,
  'this session': people.tryThisSession,
  'other sessions': people.tryOtherSession,
  'access tokens': people.tryAccessToken,
  password: people.tryPassword,
  passkeys: people.tryPasskey,
  wallets: people.tryWallet,
  'guest id': people.tryGuestId,
  identities: people.tryIdentity,
  'recovery codes': people.tryRecoveryCode,
  'mailed sign-in code': people.tryEmailCode,
  'method set aside': people.tryRestore,
  'pending challenge': people.tryChallenge,
  'half-registered passkey': people.tryRegistration,
  'verification mail': people.tryVerification,
  'reset mail': people.tryReset,
  'undo mail': people.tryUndo,
}
const tried = Object.keys(attempts) as Power[]

const master = (method: string, path: string) => server.call(method, path, {}, { master: true })

/** Somebody followed the verification link without a session of the account. */
const verifyOutside = ({ objectId }: Person) =>
  server.context.db.query(
    sql`update "_User" set "emailVerified" = true, "_verified_outside" = true where "objectId" = ${objectId}`,
  )

async function expectDone(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  expect(status, text).toBeLessThan(300)
}

/** Each change of holder in the table. Those with a special setup have their own test below. */
const events: Partial<Record<ChangeOfHolder, (person: Person) => Promise<unknown>>> = {
  'reset by mail, address verified': resetByMail,
  'reset by mail, address not verified by the holder': async (person) => {
    await verifyOutside(person)
    await resetByMail(person)
  },
  'mailed code, address not verified by the holder': async (person) => {
    await verifyOutside(person)
    const { handle, code, from } = await people.askEmailCode(person.email)
    await expectDone(call('POST', '/auth/signInWithEmailCode', { handle, code }, undefined, from))
  },
  'address given to its reader': async (person) => {
    await verifyOutside(person)
    const input = { token: person.resetToken, password: 'of the reader', newAccount: true }
    await expectDone(call('POST', '/resetPassword', input))
  },
  'password change': ({ token, password }) =>
    call('POST', '/changePassword', { currentPassword: password, newPassword: 'another one' }, token),
  'password set by PUT': ({ token, objectId }) => call('PUT', `/users/${objectId}`, { password: 'another one' }, token),
  'email change': ({ token, objectId }) => call('PUT', `/users/${objectId}`, { email: newAddress() }, token),
  'email removal': ({ token, objectId }) => call('PUT', `/users/${objectId}`, { email: null }, token),
  'email change undone': ({ undoToken }) => call('POST', '/undoEmailChange', { token: undoToken }),
  'added method undone': people.recover,
  'wallet unlinked': ({ token, walletId }) => call('DELETE', `/auth/wallets/${walletId}`, undefined, token),
  'passkey removed': ({ token, passkeyId }) => call('DELETE', `/auth/passkeys/${passkeyId}`, undefined, token),
  'identity unlinked': ({ token, objectId }) =>
    call('PUT', `/users/${objectId}`, { authData: { social: null } }, token),
  'merge, account that stays': async (person) => mergeInto(person, await createPerson()),
  'merge, account that goes': async (person) => mergeInto(await createPerson(), person),
  'merge undone, account that stays': async (person) =>
    undoMerge(person, await mergeInto(person, await createPerson())),
  'merge undone, account that returns': async (person) => {
    const other = await createPerson()
    await undoMerge(other, await mergeInto(other, person))
  },
  'merge undone by its link, account that returns': async (person) => {
    await mergeInto(await createPerson(), person)
    const token = await people.mailedToken(person.email, '/undo-email')
    await expectDone(call('POST', '/undoMerge', { token }))
  },
  'import that names the account': async ({ objectId }) => {
    const user = { __type: 'Pointer', className: '_User', objectId }
    const expiresAt = { __type: 'Date', iso: '2090-01-01T00:00:00.000Z' }
    const classes = {
      _User: [{ objectId, username: 'of a dump', _hashed_password: 'x', authData: { social: { id: 'of a dump' } } }],
      _Session: [{ objectId: 'ofADump001', sessionToken: `r:${'d'.repeat(32)}`, user, expiresAt }],
      _EthAddress: [{ objectId: `0x${'d'.repeat(40)}`, user }],
    }
    for (const [name, rows] of Object.entries(classes))
      await writeFile(join(dump, `${name}.json`), JSON.stringify(rows))
    await runImport(await openParseExport(dump))
    expect((await call('GET', '/users/me', undefined, `r:${'d'.repeat(32)}`)).status).toBe(400)
  },
  'deletion taken back': async (person) => {
    await expectDone(call('DELETE', `/users/${person.objectId}`, undefined, person.token))
    await expectDone(people.signInByPasskey(person, { restoreAccount: true }))
  },
  'verification by support': ({ objectId }) => expectDone(master('POST', `/console/users/${objectId}/verifyEmail`)),
  '“this wasn’t me”': async ({ token, otherToken }) => {
    const { body } = await call('GET', '/sessions/me', undefined, otherToken)
    return call('DELETE', `/sessions/${body.objectId}`, undefined, token)
  },
  'other sessions signed out': ({ token }) => call('POST', '/revokeOtherSessions', {}, token),
  'sign-in by recovery code': ({ username, codes }) =>
    call('POST', '/auth/signInWithRecoveryCode', { username, code: codes[5] }),
  'new recovery codes': ({ token }) => call('POST', '/auth/recoveryCodes', {}, token),
  'lock by an operator': ({ objectId }) => expectDone(master('POST', `/console/users/${objectId}/disable`)),
  deletion: ({ token, objectId }) => call('DELETE', `/users/${objectId}`, undefined, token),
}

const hasOwnTest: ChangeOfHolder[] = ['unlinked wallet returns by its signature', 'contract account has another holder']

/** Changes that the holder's own verification would keep from happening. */
const isTakeover = (change: ChangeOfHolder) => tried.some((power) => fateOf(change, power) === 'stops it')

/** Both orders of time: a power that is older than the window of the change, and one that was given in it. */
const orders = [
  { order: 'had for long', isAged: true },
  { order: 'given a moment before', isAged: false },
]
const cases = Object.entries(events).flatMap(([name, happen]) =>
  orders.map(({ order, isAged }) => ({ change: name as ChangeOfHolder, happen, order, isAged })),
)

describe.each(cases)('SEC-8: survivors: $change, $order', ({ change, happen, isAged }) => {
  const seen: Partial<Record<Power, boolean>> = {}
  // The window of an undo begins with the address at the earliest, so that one is older here than the rest.
  const hasUndo = !isTakeover(change) && change !== 'merge undone by its link, account that returns'
  const asked = tried.filter((power) => fateOf(change, power) !== 'stops it' && (hasUndo || power !== 'undo mail'))
  beforeAll(async () => {
    const person = await createPerson({ isAged, verified: !isTakeover(change), hasUndo })
    await happen(person)
    for (const power of asked) seen[power] = await attempts[power]?.(person)
  })
  test.each(asked)('%s', (power) => {
    const fate = fateOf(change, power)
    // Dormant entries are still stored but open nothing.
    if (power === 'alerts turned off' && fate === 'rests') return
    expect(seen[power]).toBe(fate === 'stays' || (fate === 'recent ends' && isAged))
  })
})

test('all of these open the account while nothing has happened', async () => {
  const person = await createPerson()
  for (const power of tried) expect([power, await attempts[power]?.(person)]).toEqual([power, true])
})

test.each([
  'reset by mail, address not verified by the holder',
  'mailed code, address not verified by the holder',
] as const)('SEC-8: stopped by: %s', async (change) => {
  expect([fateOf(change, 'undo mail'), fateOf(change, 'second factor')]).toEqual(['stops it', 'stops it'])
  for (const made of [{ hasUndo: true }, { hasUndo: false, secondFactor: true }]) {
    const person = await createPerson({ verified: false, ...made })
    await expect(events[change]?.(person)).rejects.toThrow(/mailNotEnough|secondFactorRequired|expected 40/)
    expect(await people.tryThisSession(person)).toBe(true)
    expect(await people.tryPasskey(person)).toBe(true)
    if (made.hasUndo) expect(await people.tryUndo(person)).toBe(true)
    else expect(await firstStep(person)).toBe('asked')
  }
})

const withFactor = cases.filter(({ change }) => !isTakeover(change))

test.each(withFactor)('SEC-8: survivors of a second factor: $change, $order', async ({ change, happen, isAged }) => {
  const [factor, browser] = [fateOf(change, 'second factor'), fateOf(change, 'remembered browser')]
  const person = await createPerson({ isAged, secondFactor: true })
  expect([await firstStep(person), await firstStep(person, person.deviceCookie)]).toEqual(['asked', 'in'])
  if (change.includes('account that goes') || change.includes('account that returns')) {
    // The proof of a wallet is no way around the factor.
    await expect(happen(person)).rejects.toThrow()
    return
  }
  await happen(person)
  const isLeft = (fate: string) => fate === 'stays' || (fate === 'recent ends' && isAged)
  expect({
    factor: (await firstStep(person)) === 'asked',
    // Without a second factor no browser is remembered.
    browser: isLeft(factor) && (await firstStep(person, person.deviceCookie)) === 'in',
  }).toEqual({ factor: isLeft(factor), browser: isLeft(factor) && isLeft(browser) })
})

test('every change of holder is tried', () => {
  expect([...Object.keys(events), ...hasOwnTest].sort()).toEqual(Object.keys(changesOfHolder).sort())
})

test('every table that names a user is a power over the account, or listed as none', async () => {
  const rows = await server.context.db.query<{ table_name: string }>(sql`
    select distinct table_name from information_schema.columns
    where table_schema = 'countersign' and (column_name = 'user' or table_name = 'merges')
    order by 1`)
  const places = Object.values(powers).flatMap((each) => [...each])
  const known = new Set([
    ...places.flatMap((place) => ('table' in place ? [place.table] : [])),
    ...Object.keys(tablesWithoutPower),
  ])
  expect(rows.map(({ table_name }) => table_name).filter((name) => !known.has(name))).toEqual([])
})

test('the documentation has the same tables', async () => {
  const file = new URL('../../../../docs/security.md', import.meta.url)
  const text = await readFile(file, 'utf8')
  const block = /(<!-- made from users\/holders\/powers.ts: WRITE_DOCS=1 writes it -->\n)[\s\S]*?(<!-- end -->)/
  const now = text.replace(block, (_all, begin: string, end: string) => `${begin}\n${describeHolders()}\n${end}`)
  if (process.env.WRITE_DOCS) await writeFile(file, now)
  expect(process.env.WRITE_DOCS ? now : text).toBe(now)
  expect(now).toContain(describeHolders())
})

import { describe, expect, test } from 'vitest'
import type { HookEvent } from '../context/Registry.ts'
import { sql } from '../db/sql.ts'
import { answerChallenge, installation } from '../testing/answerChallenge.ts'
import { createTestServer } from '../testing/createTestServer.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { serveTests } from '../testing/serveTests.ts'
import { removeDueAccounts } from './accountDeletion.ts'

const server = serveTests()

const day = 24 * 3_600_000
let count = 0

async function makeUser(fields: object = {}) {
  const username = `leaving${++count}`
  const user = await server.signUp(username, fields)
  return { ...user, username, password: `${username} password` }
}

const remove = ({ objectId, token }: { objectId: string; token: string }) =>
  server.call('DELETE', `/users/${objectId}`, undefined, { token })

const logIn = ({ username, password }: { username: string; password: string }, more: object = {}) =>
  server.call('POST', '/login', { username, password, ...more })

const exists = async (objectId: string) =>
  (await server.call('GET', `/users/${objectId}`, undefined, { master: true })).status === 200

const pending = (answer: { status: number; body: Record<string, unknown> }) => [
  answer.status,
  answer.body.code,
  answer.body.reason,
]
const scheduled = [403, 119, 'accountDeletionPending']

describe('SEC-13: an account that its owner deletes', () => {
  test('is hidden from everyone immediately, and restored by a sign-in that asks for it', async () => {
    const user = await makeUser({ ACL: { '*': { read: true } }, note: 'mine' })
    const other = await server.signUp(`other${++count}`)
    const seen = () => server.call('GET', `/users/${user.objectId}`, undefined, { token: other.token })
    expect((await seen()).status).toBe(200)
    const second = (await logIn(user)).body.sessionToken as string
    expect(await remove(user)).toMatchObject({ status: 200, body: {} })
    for (const token of [user.token, second])
      expect((await server.call('GET', '/users/me', undefined, { token })).body.code).toBe(209)
    expect((await seen()).body.code).toBe(101)
    expect((await server.call('GET', `/users/${user.objectId}`)).body.code).toBe(101)
    expect((await server.call('GET', `/users?where={"objectId":"${user.objectId}"}`)).body.results).toEqual([])

    const refused = await logIn(user)
    expect(pending(refused)).toEqual(scheduled)
    expect(refused.body).not.toHaveProperty('sessionToken')
    const due = Date.parse((refused.body.params as { time: string }).time)
    expect(Math.round((due - server.clock.now().getTime()) / day)).toBe(7)
    expect(pending(await server.call('POST', '/verifyPassword', { ...user, restoreAccount: true }))).toEqual(scheduled)
    // The date is shown to nobody without the password.
    expect((await logIn({ ...user, password: 'wrong' }, { restoreAccount: true })).body.code).toBe(101)

    const back = await logIn(user, { restoreAccount: true })
    expect(back).toMatchObject({ status: 200, body: { objectId: user.objectId, note: 'mine' } })
    expect((await seen()).status).toBe(200)
    server.clock.forward(8 * day)
    await removeDueAccounts(server.context)
    expect(await exists(user.objectId)).toBe(true)
  })

  test('keeps its name, its address and its wallets until it is deleted for good', async () => {
    const email = `leaving${count + 1}@example.com`
    const user = await makeUser({ email })
    await remove(user)
    const again = { username: user.username, password: 'x' }
    expect((await server.call('POST', '/users', again)).body.code).toBe(202)
    const sameMail = { username: `thief${++count}`, password: 'x', email }
    expect((await server.call('POST', '/users', sameMail)).body.code).toBe(203)
    server.clock.forward(7 * day - 60_000)
    await removeDueAccounts(server.context)
    expect(await exists(user.objectId)).toBe(true)
    server.clock.forward(120_000)
    expect((await logIn(user, { restoreAccount: true })).body.code).toBe(101)
    await removeDueAccounts(server.context)
    expect(await exists(user.objectId)).toBe(false)
    expect((await server.call('POST', '/users', again)).status).toBe(201)
    expect((await server.call('POST', '/users', sameMail)).status).toBe(201)
  })

  test('with only a wallet is restored by that wallet', async () => {
    const user = await createWalletUser(server)
    await remove(user)
    const signIn = async (more: object = {}) =>
      server.call(
        'POST',
        '/auth/signInWithWallet',
        { ...(await answerChallenge(server, user.account, 'signIn')), ...more },
        { headers: installation },
      )
    expect(pending(await signIn())).toEqual(scheduled)
    const thief = await createWalletUser(server)
    const stolen = await answerChallenge(server, user.account, 'link', { token: thief.token })
    const linked = await server.call('POST', '/auth/wallets', stolen, { token: thief.token, headers: installation })
    expect(linked.body.code).toBe(208)
    const back = await signIn({ restoreAccount: true })
    expect([back.status, back.body.objectId]).toEqual([200, user.objectId])
  })

  test('of a guest is restored by the guest’s id', async () => {
    const authData = { anonymous: { id: '6ba7b810-9dad-11d1-80b4-00c04fd43077' } }
    const guest = await server.call('POST', '/users', { authData }, { headers: installation })
    const objectId = guest.body.objectId as string
    await remove({ objectId, token: guest.body.sessionToken as string })
    expect(pending(await server.call('POST', '/users', { authData }, { headers: installation }))).toEqual(scheduled)
    const asked = { authData, restoreAccount: true }
    const back = await server.call('POST', '/users', asked, { headers: installation })
    expect([back.status, back.body.objectId]).toEqual([200, objectId])
    expect(back.body).not.toHaveProperty('restoreAccount')
  })

  test('is restored by a recovery code, which a refused sign-in does not consume', async () => {
    const user = await makeUser()
    const made = await server.call('POST', '/auth/recoveryCodes', {}, { token: user.token })
    const [code] = made.body.codes as string[]
    await remove(user)
    const signIn = (more: object = {}) =>
      server.call('POST', '/auth/signInWithRecoveryCode', { username: user.username, code, ...more })
    expect(pending(await signIn())).toEqual(scheduled)
    expect((await signIn({ restoreAccount: true })).status).toBe(200)
    expect((await logIn(user)).status).toBe(200)
  })

  test('a sign-in whose proof came before the deletion opens no session after it', async () => {
    const user = await makeUser()
    server.context.registry.hooks.set('beforeSignIn _User', [async () => void (await remove(user))])
    try {
      expect((await logIn(user)).body).toMatchObject({ code: 101 })
    } finally {
      server.context.registry.hooks.clear()
    }
    const left = sql`select from "_Session" where "user" = ${user.objectId}`
    expect(await server.context.db.query(left)).toEqual([])
  })

  test('is not restored past a lock that the operator set in between', async () => {
    const user = await makeUser()
    await remove(user)
    const locked = await server.call('PUT', `/users/${user.objectId}`, { ACL: {} }, { master: true })
    expect(locked.status).toBe(200)
    expect((await logIn(user, { restoreAccount: true })).body.code).toBe(101)
    const open = { ACL: { [user.objectId]: { read: true, write: true } } }
    await server.call('PUT', `/users/${user.objectId}`, open, { master: true })
    expect(pending(await logIn(user))).toEqual(scheduled)
    expect((await logIn(user, { restoreAccount: true })).status).toBe(200)
  })

  test('is mailed to its owner, and so is its return', async () => {
    const email = `owner${++count}@example.com`
    const user = await makeUser({ email })
    await server.context.db.query(sql`update "_User" set "emailVerified" = true where "objectId" = ${user.objectId}`)
    await remove(user)
    await logIn(user, { restoreAccount: true })
    const mails = async () =>
      (
        await server.context.db.query<{ body: string }>(
          sql`select body from countersign.outbox where recipient = ${email} order by created`,
        )
      ).map(({ body }) => body)
    await expect.poll(async () => (await mails()).join('\n')).toContain('will be permanently deleted')
    await expect.poll(async () => (await mails()).join('\n')).toContain('It will no longer be deleted')
  })
})

test('an account that is open to everyone is not taken for a locked one', async () => {
  const user = await createWalletUser(server)
  const ACL = { '*': { read: true, write: true } }
  expect((await server.call('PUT', `/users/${user.objectId}`, { ACL }, { token: user.token })).status).toBe(200)
  expect((await createWalletUser(server, user.account)).objectId).toBe(user.objectId)
})

test('SEC-13: the master key deletes at once, and so does the owner where no time is given', async () => {
  const user = await makeUser()
  expect((await server.call('DELETE', `/users/${user.objectId}`, undefined, { master: true })).status).toBe(200)
  expect(await exists(user.objectId)).toBe(false)
  const scheduledOne = await makeUser()
  await remove(scheduledOne)
  expect((await server.call('DELETE', `/users/${scheduledOne.objectId}`, undefined, { master: true })).status).toBe(200)
  expect(await exists(scheduledOne.objectId)).toBe(false)
  const hasty = await createTestServer({ accountDeletionGrace: 0 }, server.database)
  try {
    const quick = await makeUser()
    // Tests have moved the other server's clock ahead: a proof given there is none by this one's clock.
    const { username, password } = quick
    const { sessionToken: token } = (await hasty.call('POST', '/login', { username, password })).body
    expect((await hasty.call('DELETE', `/users/${quick.objectId}`, undefined, { token: String(token) })).status).toBe(
      200,
    )
    expect(await exists(quick.objectId)).toBe(false)
  } finally {
    await hasty.stop()
  }
})

test('SEC-13: hooks are asked when the owner deletes, and notified when the account is gone', async () => {
  const user = await makeUser()
  const seen: string[] = []
  const noteOwn = (step: string) => [
    async ({ object }: HookEvent) => {
      if (object?.objectId === user.objectId) seen.push(step)
      return undefined
    },
  ]
  const { hooks } = server.context.registry
  hooks.set('beforeDelete _User', noteOwn('before'))
  hooks.set('afterDelete _User', noteOwn('after'))
  try {
    await remove(user)
    expect(seen).toEqual(['before'])
    server.clock.forward(8 * day)
    await removeDueAccounts(server.context)
    expect(seen).toEqual(['before', 'after'])
  } finally {
    hooks.clear()
  }
})

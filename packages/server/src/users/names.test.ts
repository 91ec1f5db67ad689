import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

let people = 0
const master = { master: true }
const signUp = (input: object, options = {}) => server.call('POST', '/users', { password: 'secret', ...input }, options)
const rename = (user: { objectId: string; token: string }, input: object) =>
  server.call('PUT', `/users/${user.objectId}`, input, { token: user.token })
const enter = async (username: string, password: string) => {
  const { body } = await server.call('POST', '/login', { username, password })
  return body.objectId ?? body.code
}
const confirmAddress = (objectId: string) => server.call('PUT', `/users/${objectId}`, { emailVerified: true }, master)

const isAddress = { code: 200, error: 'A username must not be an email address, unless it is the one of the account.' }
const isWallet = {
  code: 200,
  error: 'A username must not be a wallet address, unless the wallet is linked to the account.',
}
const isHidden = {
  code: 200,
  error: 'A username must not contain control characters, direction marks or invisible characters.',
}

describe('SEC-9: names and addresses share one space', () => {
  const looksLikeOne = [
    'victim@example.com',
    'VICTIM@Example.Com',
    ' victim@example.com ',
    'victim＠example.com',
    'victim﹫example.com',
    'ｖictim@example.com',
    'victim@localhost',
    'ofﬁce@example.com',
    'two@ats@example.com',
    'with space@example.com',
  ]

  test.each(looksLikeOne)('%s is no user name at sign-up', async (username) => {
    expect((await signUp({ username })).body).toMatchObject(isAddress)
    expect((await signUp({ username, email: 'another@example.com' })).body).toMatchObject(isAddress)
    const older = { _method: 'POST', username, password: 'x' }
    expect((await server.call('POST', '/classes/_User', older)).body).toMatchObject(isAddress)
  })

  test.each(looksLikeOne)('%s is no name to change to', async (username) => {
    const user = await server.signUp(`renamer${looksLikeOne.indexOf(username)}`)
    expect((await rename(user, { username })).body).toMatchObject(isAddress)
    expect((await rename(user, { username, email: `r${user.objectId}@example.com` })).body).toMatchObject(isAddress)
    const requests = [{ method: 'PUT', path: `/server/users/${user.objectId}`, body: { username } }]
    const batch = await server.call('POST', '/batch', { requests }, { token: user.token })
    expect(batch.body).toMatchObject([{ error: isAddress }])
  })

  test('names with @ at an end are names', async () => {
    expect((await signUp({ username: '@handle' })).status).toBe(201)
    expect((await signUp({ username: 'handle@' })).status).toBe(201)
  })

  test('older applications go on naming people by their own address', async () => {
    const made = await signUp({ username: 'Own@Example.com', email: 'own@example.com' })
    expect(made.status).toBe(201)
    expect(await enter('own@example.com', 'secret')).toBe(made.body.objectId)
    const late = await server.signUp('late-address')
    expect((await rename(late, { email: 'late@example.com' })).status).toBe(200)
    expect((await rename(late, { username: 'late@example.com' })).status).toBe(200)
    const both = await server.signUp('both-at-once')
    expect((await rename(both, { username: 'both@example.com', email: 'Both@example.com' })).status).toBe(200)
  })

  test('a name equal to the own address follows it, so that the name of a former address is free', async () => {
    const { body } = await signUp({ username: 'former@example.com', email: 'former@example.com' })
    const user = { objectId: body.objectId as string, token: body.sessionToken as string }
    const path = `/users/${user.objectId}`
    const gone = await rename(user, { email: { __op: 'Delete' } })
    expect(gone.body).toMatchObject({
      code: 204,
      error: 'The username is this email address. Change the username too.',
    })
    await server.call('PUT', path, { email: 'Present@example.com' }, master)
    const [row] = await server.context.db.query<{ username: string }>(
      sql`select username from "_User" where "objectId" = ${user.objectId}`,
    )
    expect(row?.username).toBe('Present@example.com')
    expect((await signUp({ username: 'true-owner', email: 'former@example.com' })).status).toBe(201)
    expect(await enter('former@example.com', 'secret')).not.toBe(user.objectId)
    expect((await rename(user, { email: null, username: 'plain-name' })).status).toBe(200)
  })

  test('a user is found by the confirmed address, with any names of others', async () => {
    const { objectId } = await server.signUp('true-holder', { email: 'held@example.com' })
    // An import, or an account from before this rule.
    const taken = await signUp({ username: 'held@example.com', password: 'other' }, master)
    expect(taken.status).toBe(201)
    expect(await enter('held@example.com', 'other')).toBe(taken.body.objectId)
    await confirmAddress(objectId)
    expect(await enter('held@example.com', 'true-holder password')).toBe(objectId)
    expect(await enter('HELD@example.com', 'other')).toBe(101)
  })

  test('a stranger’s claim of an older account’s address catches no sign-in', async () => {
    const older = await signUp({ username: 'import@example.com', password: 'mine' }, master)
    expect((await signUp({ username: 'claimer', email: 'import@example.com' })).status).toBe(201)
    expect(await enter('import@example.com', 'mine')).toBe(older.body.objectId)
  })

  test('the same name again is no new name', async () => {
    const made = await signUp({ username: 'grown@example.com' }, master)
    const user = { objectId: made.body.objectId as string, token: made.body.sessionToken as string }
    expect((await rename(user, { username: 'grown@example.com', nick: 'G' })).status).toBe(200)
    expect((await rename(user, { username: 'other@example.com' })).body).toMatchObject(isAddress)
  })

  test('at the same time: an address that leaves does not leave its name behind', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await server.signUp(`racer${round}`, { email: `race${round}@example.com` })
      await Promise.all([
        rename(user, { username: `race${round}@example.com` }),
        server.call('PUT', `/users/${user.objectId}`, { email: `left${round}@example.com` }, master),
      ])
      const [row] = await server.context.db.query<{ username: string }>(
        sql`select username from "_User" where "objectId" = ${user.objectId}`,
      )
      expect([`racer${round}`, `left${round}@example.com`]).toContain(row?.username)
    }
  })

  const wallet = privateKeyToAccount(generatePrivateKey()).address
  test.each([
    wallet,
    wallet.toLowerCase(),
    wallet.toUpperCase(),
    `０x${wallet.slice(2)}`,
    'So11111111111111111111111111111111111111112',
    '11111111111111111111111111111111',
  ])('%s is the name of its owner only', async (username) => {
    expect((await signUp({ username })).body).toMatchObject(isWallet)
    const user = await server.signUp(`no-wallet${++people}`)
    expect((await rename(user, { username })).body).toMatchObject(isWallet)
  })

  test('the owner of a wallet may use its address as name', async () => {
    const [one, two] = [await createWalletUser(server), await createWalletUser(server)]
    expect((await rename(one, { username: two.account.address })).body).toMatchObject(isWallet)
    expect((await rename(one, { username: one.account.address })).status).toBe(200)
  })
})

describe('SEC-11: names are what people see', () => {
  test.each([
    'line\nbreak',
    'carriage\rreturn',
    'tab\tstop',
    'bell\u0007',
    'next\u0085line',
    'line\u2028separator',
    'paragraph\u2029separator',
    'right\u202eover',
    'left\u202aembed',
    'iso\u2066late\u2069',
    'mark\u200e',
    'mark\u200f',
    'mark\u061c',
    'zero\u200bwidth',
    'zero\u200cwidth',
    'zero\u200dwidth',
    'join\u2060er',
    'bom\ufeff',
    'soft\u00adhyphen',
    'filler\u3164',
    'selector\ufe0f',
    'tag\u{e0041}',
    'half \ud800',
    'blank\u2800',
  ])('%j is no user name', async (username) => {
    expect((await signUp({ username })).body).toMatchObject(isHidden)
    expect((await signUp({ username }, master)).body).toMatchObject(isHidden)
    const user = await server.signUp(`seen-${Buffer.from(username).toString('hex')}`)
    expect((await rename(user, { username })).body).toMatchObject(isHidden)
  })

  test.each([
    'Zoë Ångström',
    '王小明',
    'محمد',
    '한글',
    'हिन्दी',
    'team 👩‍👩‍👧‍👦 ❤️',
    '1️⃣ first',
    'thumb 👍🏽',
    'O’Neill-Smith',
  ])('%s is one', async (username) => {
    expect((await signUp({ username })).status).toBe(201)
  })

  test('nor do e-mail addresses hold any, or letters that only look like others', async () => {
    for (const email of [
      'a\u202eb@example.com',
      'a\u200bb@example.com',
      'ａb@example.com',
      'ab＠example.com',
      'a@b@c',
    ]) {
      const { body } = await signUp({ username: 'odd-address', email })
      expect([email, body]).toMatchObject([email, { code: 125, error: 'Email address format is invalid.' }])
    }
    expect((await signUp({ username: 'accents', email: 'zoë@exämple.com' })).status).toBe(201)
  })
})

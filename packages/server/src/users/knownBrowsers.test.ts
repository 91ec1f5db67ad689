import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { listMails } from '../testing/readMails.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({
  rateLimit: [],
  emailCode: { enabled: true },
  accountLockout: { threshold: 3, duration: 10 },
})

const from = (id: string) => ({ headers: { 'X-Parse-Installation-Id': id } })

/** Somebody with a verified address, who has signed in from one browser. */
async function createOwner() {
  const [username, home] = [`owner-${randomUUID()}`, randomUUID()]
  const email = `${username}@example.com`
  const { objectId } = await server.signUp(username, { email })
  await server.call('PUT', `/users/${objectId}`, { emailVerified: true }, { master: true })
  const password = `${username} password`
  const { body } = await server.call('POST', '/login', { username, password }, from(home))
  await server.context.background.settle()
  return { objectId, username, email, password, home, token: String(body.sessionToken) }
}

const mailsTo = (address: string, page: string) => listMails(server, address, page)

describe('SEC-43: strangers use up nothing that is the owner’s', () => {
  test('mailed codes: neither of a known browser nor of the own session', async () => {
    const { email, home, token } = await createOwner()
    const ask = (id: string) => server.call('POST', '/auth/emailCode', { email }, from(id))
    for (let i = 0; i < 6; i++) await ask(randomUUID())
    expect((await ask(randomUUID())).body.reason).toBe('tooManyEmailCodes')
    expect((await ask(home)).status).toBe(200)
    const confirm = () =>
      server.call('POST', '/auth/emailCode', { purpose: 'reauthenticate' }, { token, ...from(randomUUID()) })
    expect((await confirm()).status).toBe(200)
    // Bounded all the same.
    for (let i = 0; i < 5; i++) await ask(home)
    expect((await ask(home)).body.reason).toBe('tooManyEmailCodes')
  })

  test('passwords: wrong ones of a stranger lock neither a known browser nor the confirmation', async () => {
    const { username, password, home, token } = await createOwner()
    const logIn = (given: string, id: string) => server.call('POST', '/login', { username, password: given }, from(id))
    for (let i = 0; i < 4; i++) await logIn('wrong', randomUUID())
    expect((await logIn(password, randomUUID())).body.reason).toBe('tooManyFailedSignIns')
    const confirmed = await server.call('POST', '/auth/reauthenticate', { password }, { token })
    expect(confirmed.status, confirmed.text).toBe(200)
    expect((await logIn(password, home)).status).toBe(200)
    // A browser that is in other hands guesses no longer than a stranger.
    for (let i = 0; i < 4; i++) await logIn('wrong', home)
    expect((await logIn(password, home)).body.reason).toBe('tooManyFailedSignIns')
  })

  test('reset links: an earlier one of the owner works, and the owner gets another', async () => {
    const { email, home } = await createOwner()
    await server.call('POST', '/requestPasswordReset', { email }, from(home))
    const [mine] = await mailsTo(email, '/reset')
    for (let i = 0; i < 6; i++) await server.call('POST', '/requestPasswordReset', { email }, from(randomUUID()))
    const before = (await mailsTo(email, '/reset')).length
    await server.call('POST', '/requestPasswordReset', { email }, from(home))
    expect(await mailsTo(email, '/reset')).toHaveLength(before + 1)
    const token = new URL(mine?.link ?? '').searchParams.get('token')
    expect((await server.call('POST', '/resetPassword', { token, password: 'mine' })).status).toBe(200)
  })
})

test('a return within the hour writes nothing, a later one does, and the 20 seen last are kept', async () => {
  const { objectId, username, password, home } = await createOwner()
  const signIn = async (id: string) => {
    expect((await server.call('POST', '/login', { username, password }, from(id))).status).toBe(200)
    await server.context.background.settle()
  }
  const list = () =>
    server.context.db.query<{ written: string }>(sql`
      select b.xmin::text as written from countersign.known_browsers b where b."user" = ${objectId} order by b.seen`)

  const first = await list()
  await signIn(home)
  expect(await list()).toEqual(first)
  server.clock.forward(2 * 3_600_000)
  await signIn(home)
  const later = await list()
  expect(later).toHaveLength(1)
  expect(later).not.toEqual(first)

  for (let i = 0; i < 20; i++) await signIn(randomUUID())
  const kept = await list()
  expect(kept).toHaveLength(20)
  expect(kept).not.toContainEqual(later[0])
})

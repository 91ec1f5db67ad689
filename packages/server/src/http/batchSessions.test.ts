import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

/** Row 19: a session that ends while its batch is carried out has no part in the rest of it. */
let server: TestServer
let cloud: string
beforeAll(async () => {
  cloud = await mkdtemp(join(tmpdir(), 'cs-cloud-'))
  // Holds a part of a batch until somebody says go.
  await writeFile(
    join(cloud, 'hold.mjs'),
    `import { defineFunction, defineHook } from 'countersign'
     const wait = async (masterObjects, name) => {
       for (let times = 0; times < 500; times++) {
         if (await masterObjects.first('Signal', { where: { name } })) return
         await new Promise((resolve) => setTimeout(resolve, 20))
       }
     }
     export const hold = defineFunction({ async handle({ input, masterObjects }) {
       await masterObjects.create('Signal', { name: input.name + ' held' })
       await wait(masterObjects, input.name)
     } })
     export const beforeHeld = defineHook({ on: 'beforeSave', className: 'Held', async handle({ object, masterObjects }) {
       if (object.name) await wait(masterObjects, object.name)
     } })`,
  )
  server = await createTestServer({ cloud })
  for (const className of ['Written', 'Held', 'Signal'])
    await server.call('POST', `/classes/${className}`, { name: '' })
})
afterAll(async () => {
  await server.stop()
  await rm(cloud, { recursive: true, force: true })
})

const request = (method: string, path: string, body: object = {}) => ({ method, path: `/server${path}`, body })
const say = (name: string) => server.call('POST', '/classes/Signal', { name })
const heard = (name: string) =>
  server
    .call('POST', '/classes/Signal', { _method: 'GET', where: { name } })
    .then(({ body }) => body.results as unknown[])
const written = (name: string) =>
  server
    .call('POST', '/classes/Written', { _method: 'GET', where: { name } })
    .then(({ body }) => body.results as unknown[])

let count = 0

/** A stolen token starts a batch with slow first parts, during which the owner ends the session. */
async function steal(parts: (name: string) => object[], end: (token: string, password: string) => Promise<unknown>) {
  const name = `user${++count}`
  const { token } = await server.signUp(name)
  const owner = await server.call('POST', '/login', { username: name, password: `${name} password` })
  const holding = Array.from({ length: 4 }, () => request('POST', '/functions/hold', { name }))
  const running = server.call('POST', '/batch', { requests: [...holding, ...parts(name)] }, { token })
  await vi.waitFor(async () => expect(await heard(`${name} held`)).toHaveLength(4), { timeout: 60_000 })
  await end(owner.body.sessionToken as string, `${name} password`)
  // Every single request with this token gets this response once the session cache expires.
  await vi.waitFor(
    async () => expect((await server.call('GET', '/users/me', undefined, { token })).body.code).toBe(209),
    { timeout: 20_000 },
  )
  await say(name)
  const answers = (await running).body as unknown as { success?: object; error?: { code: number } }[]
  return { name, answers: answers.slice(4) }
}

const parts = (name: string) => [
  request('POST', '/classes/Written', { name }),
  request('POST', '/sessions'),
  request('GET', '/users/me'),
  request('GET', '/classes/Written'),
  request('POST', '/auth/recoveryCodes'),
  request('POST', '/functions/getPluginSpecs'),
  request('POST', '/users', { username: `${name}b`, password: 'x' }),
]
const refused = parts('').map(() => ({ error: expect.objectContaining({ code: 209 }) }))

test('SEC-19: after "sign out all others" the rest of a running batch is refused', async () => {
  const { name, answers } = await steal(parts, (token) => server.call('POST', '/revokeOtherSessions', {}, { token }))
  expect(answers).toEqual(refused)
  expect(await written(name)).toEqual([])
})

test('SEC-19: after a change of the password', async () => {
  const { name, answers } = await steal(parts, (token, currentPassword) =>
    server.call('POST', '/changePassword', { currentPassword, newPassword: 'another password' }, { token }),
  )
  expect(answers).toEqual(refused)
  expect(await written(name)).toEqual([])
})

test('SEC-19: also where another server ended the session', async () => {
  const other = await createTestServer({}, server.database)
  try {
    const { name, answers } = await steal(parts, (token) => other.call('POST', '/revokeOtherSessions', {}, { token }))
    expect(answers).toEqual(refused)
    expect(await written(name)).toEqual([])
  } finally {
    await other.stop()
  }
})

test('SEC-19: a batch that ends its own session goes no further', async () => {
  const { token } = await server.signUp('self')
  const { body: session } = await server.call('GET', '/sessions/me', undefined, { token })
  // Four run at once, and those that find the session ended may respond before the one that ended it.
  const requests = [
    ...Array.from({ length: 4 }, () => request('DELETE', `/sessions/${session.objectId}`)),
    request('POST', '/classes/Written', { name: 'self' }),
  ]
  const answers = (await server.call('POST', '/batch', { requests }, { token })).body as unknown as object[]
  expect(answers.at(-1)).toMatchObject({ error: { code: 209 } })
  expect(await written('self')).toEqual([])
})

test('SEC-19: a live session, a guest and the master key are not held up', async () => {
  const { token } = await server.signUp('alive')
  const requests = Array.from({ length: 8 }, () => request('POST', '/classes/Written', { name: 'alive' }))
  for (const options of [{ token }, {}, { master: true }]) {
    const answers = (await server.call('POST', '/batch', { requests }, options)).body as unknown as object[]
    expect(answers.every((answer) => 'success' in answer)).toBe(true)
  }
})

// The embedded database has one connection: nobody ends a session while a transaction is open.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'SEC-19: a transaction is refused as a whole, whichever part was the last to begin',
  async () => {
    for (const place of ['first', 'last']) {
      const name = `whole ${place}`
      const { token } = await server.signUp(`whole${place}`)
      const slow = request('POST', '/classes/Held', { name })
      const quick = request('POST', '/classes/Written', { name })
      const requests = place === 'first' ? [slow, quick] : [quick, slow]
      const running = server.call('POST', '/batch', { transaction: true, requests }, { token })
      const open = `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
      await vi.waitFor(async () => expect(await server.context.db.query({ text: open })).not.toEqual([]), {
        timeout: 60_000,
      })
      const owner = await server.call('POST', '/login', {
        username: `whole${place}`,
        password: `whole${place} password`,
      })
      await server.call('POST', '/revokeOtherSessions', {}, { token: owner.body.sessionToken as string })
      await say(name)
      const { status, body } = await running
      expect([place, status, body.code]).toEqual([place, 400, 209])
      expect(await written(name)).toEqual([])
    }
  },
)

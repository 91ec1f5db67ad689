import { expect, test } from 'vitest'
import { createLogger } from '../../log/createLogger.ts'
import { createRecentLogs } from '../../log/recentLogs.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const ask = (path: string) => server.call('GET', path, undefined, { master: true })

type Line = { timestamp: string; level: string; message: string; text: string; details: Record<string, unknown> }

const lines = async (query: string) => (await ask(`/scriptlog${query}`)).body as unknown as Line[]

test('features of the server are in the form that the parse-server dashboard reads', async () => {
  const { body } = await ask('/serverInfo')
  expect(body.parseServerVersion).toMatch(/^\d+\.\d+\.\d+$/)
  expect(
    Number.parseInt(String(body.parseServerVersion), 10),
    'the oldest that the dashboard supports',
  ).toBeGreaterThan(6)
  const features = body.features as Record<string, Record<string, boolean>>
  expect(features).toMatchObject({
    globalConfig: { create: true, read: true, update: true, delete: true },
    hooks: { create: true, read: true, update: true, delete: true },
    cloudCode: { jobs: true },
    schemas: { addField: true, removeField: true, addClass: true, removeClass: true, exportClass: false },
  })
  expect(Object.values(features.logs ?? {})).not.toContain(false)
  expect(Object.values(features.push ?? {}), 'push is not configured here').not.toContain(true)
  const adapter = { send: async () => [] }
  const pushing = await createTestServer({ push: { adapter } } as never)
  try {
    const { body: info } = await pushing.call('GET', '/serverInfo', undefined, { master: true })
    expect(info.features).toMatchObject({
      push: { immediatePush: true, storedPushData: true, pushAudiences: true, scheduledPush: false },
    })
  } finally {
    await pushing.stop()
  }
})

test('the log is read by level, time, number and order', async () => {
  const { log } = server.context
  log.info({ step: 1 }, 'first of these')
  log.warn('second of these')
  log.error({ step: 3 }, 'third of these')
  const mine = async (query: string) =>
    (await lines(query)).filter(({ text }) => text.endsWith('of these')).map(({ text }) => text.split(' ')[0])
  expect(await mine('')).toEqual(['third', 'second', 'first'])
  expect(await mine('?level=info&order=asc')).toEqual(['first', 'second', 'third'])
  expect(await mine('?level=warn')).toEqual(['third', 'second'])
  expect(await mine('?level=error&n=100')).toEqual(['third'])
  expect(await lines('?n=2')).toHaveLength(2)
  expect(await lines('?size=3')).toHaveLength(3)
  const [third] = await lines('?level=error')
  expect(third).toMatchObject({ level: 'error', message: 'third of these {"step":3}', details: { step: 3 } })
  const [second] = (await lines('?level=warn')).filter(({ text }) => text === 'second of these')
  expect(second?.message).toBe('second of these')
  expect(await mine(`?until=${Date.parse(third?.timestamp ?? '') - 60_000}`)).toEqual([])
  expect(await mine(`?startDate=${Date.parse(third?.timestamp ?? '') + 60_000}`)).toEqual([])
  expect(await mine(`?from=${new Date(Date.parse(third?.timestamp ?? '') - 60_000).toISOString()}`)).toHaveLength(3)
  // As older clients send it: a POST with the method in its body.
  const turned = await server.call('POST', '/scriptlog?level=error&n=1', { _method: 'GET' }, { master: true })
  expect(turned.body).toMatchObject([{ text: 'third of these' }])
  for (const wrong of ['?level=all', '?n=0', '?n=1001', '?until=yesterday', '?order=random'])
    expect((await ask(`/scriptlog${wrong}`)).status, wrong).toBe(400)
})

test('the log that operators read holds no password, token or key', async () => {
  const { token } = await server.signUp('logged', { email: 'logged@example.com' })
  await server.call('GET', `/login?username=logged&password=${encodeURIComponent('logged password')}`)
  await server.call('GET', '/users/me', undefined, { token })
  server.context.log.error(
    { headers: { 'x-parse-session-token': token, cookie: token }, password: 'logged password' },
    'a slip',
  )
  const { text } = await ask('/scriptlog?level=debug&n=1000')
  expect(text).toContain('/server/login')
  expect(text).toContain('a slip')
  for (const secret of ['logged password', 'logged%20password', token, server.masterKey])
    expect(text, secret).not.toContain(secret)
})

test('only so much of the log is kept', () => {
  const recent = createRecentLogs()
  const written: string[] = []
  const log = createLogger('info', { write: (line) => void written.push(line) }, recent)
  for (let at = 0; at < 12_000; at++) log.info({ at }, 'line')
  expect(written).toHaveLength(12_000)
  const kept = recent.list({ level: 'info', limit: 100_000 })
  expect(kept).toHaveLength(5_000)
  expect(kept[0]?.details).toEqual({ at: 11_999 })
  expect(kept.at(-1)?.details).toEqual({ at: 7_000 })
  log.info({ long: 'x'.repeat(20_000) }, 'a long one')
  expect(recent.list({ level: 'info', limit: 1 })).toMatchObject([{ text: 'a long one', details: { isCut: true } }])
  for (let at = 0; at < 1_000; at++) log.info({ at, long: 'x'.repeat(9_000) }, 'long')
  const characters = JSON.stringify(recent.list({ level: 'info', limit: 100_000 })).length
  expect(characters).toBeLessThan(2_100_000)
  expect(recent.list({ level: 'info', limit: 1 })).toMatchObject([{ details: { at: 999 } }])
})

test('audiences are made, found, changed and deleted, and their query is an object', async () => {
  const made = await server.call(
    'POST',
    '/push_audiences',
    { name: 'web', query: '{"deviceType":"web"}' },
    { master: true },
  )
  expect(made.status).toBe(201)
  const id = made.body.objectId as string
  expect(made.body.new_audience).toEqual({ objectId: id })
  expect(made.headers.get('Location')).toContain(`/push_audiences/${id}`)
  await server.call('POST', '/push_audiences', { name: 'all', query: {} }, { master: true })
  const { body: page } = await ask('/push_audiences?limit=1')
  expect(page).toMatchObject({ results: [{ name: 'all', query: {} }], showMore: true })
  expect((await ask('/push_audiences')).body).toMatchObject({
    results: [{ name: 'all' }, { objectId: id, name: 'web', query: { deviceType: 'web' } }],
    showMore: false,
  })
  const changed = await server.call('PUT', `/push_audiences/${id}`, { query: { channels: 'a' } }, { master: true })
  expect(changed.status).toBe(200)
  expect((await ask(`/push_audiences/${id}`)).body).toMatchObject({ name: 'web', query: { channels: 'a' } })
  expect((await server.call('DELETE', `/push_audiences/${id}`, undefined, { master: true })).status).toBe(200)
  expect((await ask(`/push_audiences/${id}`)).status).toBe(404)
  for (const wrong of [
    { name: 'x' },
    { name: '', query: {} },
    { name: 'x', query: 'no JSON' },
    { name: 'x', query: '[]' },
  ])
    expect((await server.call('POST', '/push_audiences', wrong, { master: true })).status, JSON.stringify(wrong)).toBe(
      400,
    )
})

test('the checks of security say what is true', async () => {
  await server.call('POST', '/schemas/Open', { className: 'Open' }, { master: true })
  const stateOf = async (at: TestServer) => {
    const { body } = await at.call('GET', '/security', undefined, { master: true })
    const { groups, state } = body.report as {
      state: string
      groups: { name: string; state: string; checks: { title: string; state: string; warning?: string }[] }[]
    }
    const checks = groups.flatMap((group) => group.checks)
    return { state, of: (title: string) => checks.find((check) => check.title.includes(title)) }
  }
  const open = await stateOf(server)
  expect(open.state).toBe('fail')
  expect(open.of('create classes')).toMatchObject({ state: 'fail' })
  expect(open.of('add fields')).toMatchObject({ state: 'fail', warning: expect.stringContaining('Open') })
  expect(open.of('master key works only from')).toEqual({ title: expect.any(String), state: 'success' })
  const safe = await createTestServer({ allowClientClassCreation: false })
  try {
    expect((await stateOf(safe)).state).toBe('success')
  } finally {
    await safe.stop()
  }
})

test('a parameter is deleted together with its flag, as the dashboard asks for it', async () => {
  const put = (body: object) => server.call('PUT', '/config', body, { master: true })
  await put({ params: { hidden: 'x', open: 'y' }, masterKeyOnly: { hidden: true, open: true } })
  const gone = { __op: 'Delete' }
  expect((await put({ params: { hidden: gone }, masterKeyOnly: { hidden: gone } })).status).toBe(200)
  expect((await ask('/config')).body).toEqual({ params: { open: 'y' }, masterKeyOnly: { open: true } })
  await put({ masterKeyOnly: { open: gone } })
  expect((await server.call('GET', '/config')).body.params).toEqual({ open: 'y' })
  for (const wrong of [1, 'true', null, { __op: 'Increment' }])
    expect((await put({ masterKeyOnly: { open: wrong } })).body.code, JSON.stringify(wrong)).toBe(107)
})

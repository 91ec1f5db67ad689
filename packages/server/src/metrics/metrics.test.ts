import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createTestServer } from '../testing/createTestServer.ts'
import { serveTests } from '../testing/serveTests.ts'
import { findFreePort } from '../testing/startProcess.ts'

const token = 'a token for prometheus'
const server = serveTests({ metrics: { token } })

const bearer = (value = token) => ({ Authorization: `Bearer ${value}` })

async function read(from = server): Promise<Map<string, number>> {
  const response = await fetch(`${from.url}/metrics`, { headers: bearer() })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('without the setting there are no metrics', async () => {
  const plain = await createTestServer({}, server.database)
  try {
    const response = await fetch(`${plain.url}/metrics`, { headers: bearer() })
    expect(await response.text()).not.toContain('countersign_')
  } finally {
    await plain.stop()
  }
})

test('they are for who sends the token', async () => {
  for (const headers of [{}, bearer('another token of it'), bearer(`${token}x`), { Authorization: token }]) {
    const response = await fetch(`${server.url}/metrics`, { headers: headers as Record<string, string> })
    expect([response.status, await response.text()]).toEqual([401, expect.not.stringContaining('countersign_')])
  }
  // The token itself, or the master key, opens nothing else here.
  const master = await fetch(`${server.url}/metrics`, { headers: { 'X-Parse-Master-Key': server.masterKey } })
  expect(master.status).toBe(401)
  await expect(createTestServer({ metrics: { token: 'short' } }, server.database)).rejects.toThrow('at least 16')
  await expect(createTestServer({ metrics: {} }, server.database)).rejects.toThrow('needs a port or a token')
})

test('on a port of their own they are on no other, and a token is asked for there too', async () => {
  const port = await findFreePort()
  const apart = await createTestServer({ metrics: { port } }, server.database)
  try {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(text).toContain('countersign_info{')
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
    expect(await (await fetch(`${apart.url}/metrics`)).text()).not.toContain('countersign_')
    await expect(createTestServer({ metrics: { port } }, server.database)).rejects.toThrow(`Port ${port}`)
  } finally {
    await apart.stop()
  }
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  const both = await createTestServer({ metrics: { port, token } }, server.database)
  try {
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(401)
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { headers: bearer() })).status).toBe(200)
  } finally {
    await both.stop()
  }
})

test('requests are counted by endpoint and status, sign-ins by method and outcome', async () => {
  const before = await read()
  await server.signUp('ada')
  await server.call('POST', '/login', { username: 'ada', password: 'ada password' })
  await server.call('POST', '/login', { username: 'ada', password: 'wrong' })
  await server.call('POST', '/login', { _method: 'GET', username: 'ada', password: 'ada password' })
  const id = 'f7d5e3a0-0000-4000-8000-000000000001'
  expect((await server.call('POST', '/users', { authData: { anonymous: { id } } })).status).toBe(201)
  const after = await read()
  const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(more('countersign_requests_total{endpoint="signUp",status="201"}')).toBe(1)
  expect(more('countersign_requests_total{endpoint="logIn",status="200"}')).toBe(1)
  expect(more('countersign_sign_ins_total{method="password",outcome="accepted"}')).toBe(2)
  expect(more('countersign_sign_ins_total{method="password",outcome="refused"}')).toBe(1)
  expect(more('countersign_sign_ins_total{method="olderClient",outcome="accepted"}')).toBe(1)
  expect(more('countersign_request_seconds_count{endpoint="logIn"}')).toBe(2)
  const buckets = [...after].filter(([name]) => name.startsWith('countersign_request_seconds_bucket{endpoint="logIn"'))
  const values = buckets.map(([, value]) => value)
  expect(values).toEqual(values.toSorted((one, other) => one - other))
  expect(values.at(-1)).toBe(after.get('countersign_request_seconds_count{endpoint="logIn"}'))
  expect(more('countersign_database_statement_seconds_count')).toBeGreaterThan(4)
})

test('paths and names that a caller chooses make no new series', async () => {
  await Promise.all([
    fetch(`${server.url}/nowhere`),
    server.call('GET', '/nothing/here'),
    server.call('BREW', '/nothing'),
  ])
  await server.call('GET', '/classes/First')
  const before = await read()
  for (let i = 0; i < 30; i++) {
    await fetch(`${server.url}/nowhere-${i}`)
    await server.call('GET', `/nothing/here-${i}`)
    await server.call('GET', `/classes/Class${i}`)
    await server.call('POST', `/functions/f${i}`, {})
  }
  const after = await read()
  const added = [...after.keys()].filter((name) => !before.has(name) && !name.includes('runFunction'))
  expect(added.filter((name) => name.startsWith('countersign_'))).toEqual([])
  expect([...after.keys()].join('\n')).not.toMatch(/nowhere|here-|Class1/)
})

test('sessions, live queries, jobs, webhooks and the process are among them', async () => {
  const names = [...(await read()).keys()].map((name) => name.split('{', 1)[0])
  const expected = [
    'countersign_sessions countersign_live_sockets countersign_live_subscriptions countersign_live_lag_seconds',
    'countersign_jobs_waiting countersign_jobs_running countersign_webhook_deliveries_waiting',
    'countersign_database_failures_total nodejs_eventloop_lag_p99_seconds process_resident_memory_bytes',
  ]
  expect(names).toEqual(expect.arrayContaining(expected.flatMap((line) => line.split(' '))))
  if (server.context.db.kind === 'postgres') expect(names).toContain('countersign_database_connections')
  // Figures from the database are cached for ten seconds; another server reads them itself.
  const fresh = await createTestServer({ metrics: { token } }, server.database)
  try {
    expect((await read(fresh)).get('countersign_sessions')).toBeGreaterThan(0)
  } finally {
    await fresh.stop()
  }
})

test('the dashboard asks for nothing that is not there', async () => {
  const path = fileURLToPath(new URL('../../../../deploy/grafana.json', import.meta.url))
  const dashboard = JSON.parse(await readFile(path, 'utf8')) as { panels: { targets?: { expr: string }[] }[] }
  const asked = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => expr.match(/(countersign|nodejs|process)_\w+/g) ?? []),
  )
  expect(new Set(asked).size).toBeGreaterThan(15)
  const names = new Set([...(await read()).keys()].map((name) => name.split('{', 1)[0]))
  const onlyElsewhere = /^countersign_(chain_|database_connections)/
  expect(asked.filter((name) => !names.has(name) && !onlyElsewhere.test(name))).toEqual([])
})

test('probes and scrapes that go well are not in the log', async () => {
  await Promise.all([fetch(`${server.url}/health`), fetch(`${server.url}/ready`), fetch(`${server.serverUrl}/health`)])
  await read()
  await server.call('GET', '/classes/First')
  const paths = server.logs.map((line) => JSON.parse(line) as { path?: string; status?: number })
  expect(paths.some(({ path }) => path === '/server/classes/First')).toBe(true)
  expect(paths.filter(({ path = '', status = 0 }) => /health|ready|metrics/.test(path) && status < 400)).toEqual([])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAttackedServer, longestTurn } from '../../testing/createAttackedServer.ts'
import type { TestServer } from '../../testing/createTestServer.ts'
import { longestHold } from '../../testing/longestHold.ts'

/**
 * Every endpoint, with the largest bodies that it takes and the worst that they can hold: none of them may stop the
 * event loop. As the master key, so that the handlers are reached.
 */
const size = 1_000_000

let server: TestServer

let token: string

let endpoints: Endpoint[]

type Endpoint = { method: string; path: string; fields: string[] }

type Described = { operationId: string; parameters?: { name: string; in: string }[]; requestBody?: Body }

type Body = { content: { 'application/json': { schema: { properties?: Record<string, object> } } } }

beforeAll(async () => {
  server = await createAttackedServer({ requestComplexity: { regexTimeout: 1_000 } })
  token = (await server.signUp('ann')).token
  await server.call('POST', '/classes/Heavy', { text: 'x'.repeat(1000), list: [1], number: 1, o: {} }, { master: true })
  const response = await fetch(new URL('/openapi.json', server.serverUrl))
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Described>> }
  endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path: fillIn(path),
      fields: [
        ...parameters.filter((each) => each.in === 'query').map(({ name }) => name),
        ...Object.keys(requestBody?.content['application/json'].schema.properties ?? {}),
      ],
    })),
  )
})

afterAll(() => server.stop())

const fillIn = (path: string) =>
  path
    .replace('{className}', 'Heavy')
    .replace('{chain}', 'eth')
    .replace(/\{(address|token)\}/, `0x${'ab'.repeat(20)}`)
    .replace(/\{\w+\}/g, 'x')

const list = (item: string) =>
  `[${Array(Math.floor(size / 25))
    .fill(item)
    .join(',')}]`

const keys = () => `{${Array.from({ length: size / 110 }, (_, place) => `"key${place}":${place}`).join(',')}}`

/** Values that are as large, as many or as odd as a body may hold. */
const values: Record<string, () => string> = {
  'a long text': () => JSON.stringify('x'.repeat(size)),
  'a text that grows when it is normalised': () => JSON.stringify('ﷺ'.repeat(size / 3)),
  'a text of marks that are put in order': () => JSON.stringify(`a${'̖́'.repeat(size / 8)}`),
  'many numbers': () => list('1'),
  'many objects': () => list('{}'),
  'many keys': keys,
  'a deep list': () => '['.repeat(400) + ']'.repeat(400),
  'many patterns': () => `{"$or":[${Array(200).fill('{"text":{"$regex":"(a|aa)+$"}}').join(',')}]}`,
}

describe.each(Object.keys(values))('%s', (name) => {
  test('SEC-4: stops no endpoint', async () => {
    const value = (values[name] as () => string)()
    const slow: string[] = []
    const failed: string[] = []
    for (const endpoint of endpoints) {
      const held = await longestHold({ below: longestTurn }, () => sendTo(endpoint, value, failed))
      if (held >= longestTurn) slow.push(`${endpoint.method} ${endpoint.path}: ${Math.round(held)} ms`)
    }
    expect(endpoints.length).toBeGreaterThan(100)
    expect(slow).toEqual([])
    expect(failed).toEqual([])
  }, 1_800_000)
})

async function sendTo({ method, path, fields }: Endpoint, value: string, failed: string[]): Promise<void> {
  const isGet = method === 'GET'
  const body = `{${fields.length > 0 ? fields.map((field) => `"${field}":${part(value, fields.length)}`).join(',') : `"field":${value}`}${isGet ? ',"_method":"GET"' : ''}}`
  const response = await fetch(`${server.serverUrl}${path}`, {
    method: isGet ? 'POST' : method,
    headers: {
      'X-Parse-Application-Id': server.appId,
      'X-Parse-Master-Key': server.masterKey,
      'X-Parse-Session-Token': token,
      'Content-Type': 'application/json',
    },
    body,
  })
  await response.text()
  if (response.status >= 500) failed.push(`${method} ${path}: ${response.status}`)
}

/** Each field gets its share, so that the body as a whole is one that is read. */
function part(value: string, shares: number): string {
  if (shares === 1) return value
  if (value.startsWith('"')) return `${value.slice(0, Math.floor(value.length / shares))}"`
  return value.length * shares <= size ? value : value.startsWith('{') ? '{}' : `[${'1,'.repeat(size / 25 / shares)}1]`
}

test('SEC-18: a query has ten patterns at most, and a bounded number of letters in them', async () => {
  // A class of its own: the walk above purges the other.
  await server.call('POST', '/classes/Patterned', { text: 'x' }, { master: true })
  const ask = (patterns: string[]) => {
    const where = { $or: patterns.map(($regex) => ({ text: { $regex } })) }
    return server.call('GET', `/classes/Patterned?where=${encodeURIComponent(JSON.stringify(where))}`)
  }
  const least = await ask(Array(10).fill('x$'))
  expect([least.status, (least.body.results as unknown[]).length]).toEqual([200, 1])
  for (const patterns of [Array(11).fill('x$'), Array(3).fill('a'.repeat(700))]) {
    const refused = await ask(patterns)
    expect([refused.status, refused.body.code, refused.body.error]).toEqual([
      400,
      102,
      expect.stringMatching(/pattern/),
    ])
  }
})

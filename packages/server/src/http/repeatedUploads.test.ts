import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { serveTests } from '../testing/serveTests.ts'

let token: string
let other: string

const server = serveTests({ files: { store: 'database' } })
beforeAll(async () => {
  token = (await server.signUp('uploader')).token
  other = (await server.signUp('other')).token
})

type Options = { id?: string; token?: string; age?: number; headers?: Record<string, string> }

async function send(name: string, body: string | FormData, { id, token: by = token, age, headers }: Options) {
  const response = await fetch(`${server.serverUrl}/files${name && `/${name}`}`, {
    method: 'POST',
    headers: {
      'X-Parse-Application-Id': server.appId,
      'X-Parse-Session-Token': by,
      ...(id !== undefined && { 'X-Parse-Request-Id': id }),
      ...(age !== undefined && { 'X-Countersign-Request-Age': String(age) }),
      ...headers,
    },
    body,
  })
  return { status: response.status, body: (await response.json()) as { name: string; url: string; code?: number } }
}

function form(content: string, name = 'a.txt') {
  const data = new FormData()
  data.append('file', new Blob([content], { type: 'text/plain' }), name)
  return data
}

const text = { 'Content-Type': 'text/plain' }
const stored = async () =>
  (await server.context.db.query<{ name: string }>(sql`select name from countersign.files order by name`)).length

const newId = () => randomBytes(8).toString('hex')

test('an upload that is repeated with its request id is stored once, in each of its forms', async () => {
  const bodies: [name: string, body: () => string | FormData, headers?: Record<string, string>][] = [
    ['a.txt', () => 'as the body', text],
    ['a.txt', () => form('in a form')],
    ['', () => form('under its own name')],
    [
      'a.txt',
      () => JSON.stringify({ base64: Buffer.from('as JSON').toString('base64') }),
      { 'Content-Type': 'application/json' },
    ],
  ]
  for (const [name, body, headers] of bodies) {
    const before = await stored()
    const options = { id: newId(), ...(headers && { headers }) }
    const first = await send(name, body(), options)
    expect([first.status, first.body.code]).toEqual([201, undefined])
    expect(await send(name, body(), options)).toEqual(first)
    expect(await stored()).toBe(before + 1)
    // Without an id, and with another one, it is another upload.
    expect((await send(name, body(), { ...options, id: newId() })).body.name).not.toBe(first.body.name)
    const { id: _, ...without } = options
    await send(name, body(), without)
    expect(await stored()).toBe(before + 3)
  }
})

test('two uploads with one id at the same time are one', async () => {
  const before = await stored()
  const id = newId()
  const answers = await Promise.all([1, 2, 3, 4].map(() => send('b.txt', form('at once'), { id })))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => body.name)).size).toBe(1)
  expect(await stored()).toBe(before + 1)
  const [row] = await server.context.db.query<{ whole: boolean }>(sql`
    select digest is not null as whole from countersign.files where name = ${answers[0]?.body.name}`)
  expect(row).toEqual({ whole: true })
})

test('an id that was used for another content, name or request is refused; other callers have their own ids', async () => {
  const id = newId()
  const first = await send('c.txt', 'one', { id, headers: text })
  const before = await stored()
  expect((await send('c.txt', 'two', { id, headers: text })).body.code).toBe(159)
  expect((await send('d.txt', 'one', { id, headers: text })).body.code).toBe(159)
  const headers = { 'X-Parse-Request-Id': id }
  expect((await server.call('POST', '/classes/Note', { n: 1 }, { token, headers })).body.code).toBe(159)
  expect(await stored()).toBe(before)
  const theirs = await send('c.txt', 'one', { id, token: other, headers: text })
  expect(theirs.body.name).not.toBe(first.body.name)
})

test('a refused upload is not remembered; a queued one for as long as it asks', async () => {
  const id = newId()
  expect((await send('e.html', '<script>', { id, headers: { 'Content-Type': 'text/html' } })).status).toBe(400)
  const queued = { id, age: 86_400, headers: text }
  const first = await send('e.txt', 'later', queued)
  expect(first.status).toBe(201)
  server.clock.forward(80_000_000)
  expect(await send('e.txt', 'later', queued)).toEqual(first)
  const brief = newId()
  const again = await send('f.txt', 'soon', { id: brief, headers: text })
  server.clock.forward(400_000)
  expect((await send('f.txt', 'soon', { id: brief, headers: text })).body.name).not.toBe(again.body.name)
})

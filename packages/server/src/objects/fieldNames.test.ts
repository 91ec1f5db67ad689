import { expect, test } from 'vitest'
import { writeBackup } from '../backup/writeBackup.ts'
import { openLiveSocket } from '../testing/openLiveSocket.ts'
import { listMails } from '../testing/readMails.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()
const master = { master: true }

/** Statements call tables by short names. A field of that name must not be read in place of the row. */
const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const words = [
  'after',
  'before',
  'excluded',
  'given',
  'gone',
  'item',
  'new',
  'old',
  'page',
  'place',
  'row',
  'rows',
  'value',
]
const names = [...letters, ...words]
const fields = Object.fromEntries(names.map((name) => [name, `${name} text`]))
const find = (input: object) =>
  `/classes/Names?${Object.entries(input)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')}`

test('34: a field may have the name of a table in a statement', async () => {
  const { token } = await server.signUp('names', { email: 'names@example.com' })
  const socket = await openLiveSocket(server)
  await server.call('POST', '/classes/Names', fields)
  await socket.subscribe(1, { className: 'Names', where: { n: 'changed' } })
  const { body: created } = await server.call('POST', '/classes/Names', { ...fields, n: 'first' }, { token })
  const path = `/classes/Names/${created.objectId}`
  // Large enough for the check of the object's size.
  const long = 'x'.repeat(100_000)
  const saved = await server.call('PUT', path, { n: 'changed', long }, { token })
  expect(saved.status, saved.text).toBe(200)
  expect(await socket.next('enter')).toMatchObject({ object: { ...fields, n: 'changed' } })
  expect((await server.call('GET', path, undefined, { token })).body).toMatchObject({ ...fields, n: 'changed', long })
  const batch = [{ method: 'PUT', path: `/server${path}`, body: { t: 'of a batch' } }]
  expect((await server.call('POST', '/batch', { requests: batch }, { token })).text).toContain('success')
  for (const name of names) {
    const where = { [name]: { $gte: '' } }
    const { body } = await server.call('GET', find({ where, order: name, keys: name, count: 1 }), undefined, { token })
    expect(body).toMatchObject({ count: 2, results: [{ [name]: expect.any(String) }, { [name]: expect.any(String) }] })
  }
  const stages = [
    { $match: { a: 'a text' } },
    { $group: { _id: '$t', r: { $max: '$o' }, n: { $sum: 1 } } },
    { $sort: { r: 1, _id: 1 } },
  ]
  const counted = await server.call(
    'GET',
    `/aggregate/Names?pipeline=${encodeURIComponent(JSON.stringify(stages))}`,
    undefined,
    master,
  )
  expect(counted.body.results).toEqual([
    { objectId: 'of a batch', r: 'o text', n: 1 },
    { objectId: 't text', r: 'o text', n: 1 },
  ])
  const { db, config, keys } = server.context
  let bytes = 0
  for await (const chunk of writeBackup({ db, config, keys })) bytes += chunk.length
  expect(bytes).toBeGreaterThan(1_000)
  expect((await server.call('DELETE', path, undefined, { token })).status).toBe(200)
  socket.close()
})

test('34: the language of a user and the user of a device are read from their row', async () => {
  const user = await server.signUp('short', { email: 'short@example.com' })
  const saved = await server.call('PUT', `/users/${user.objectId}`, { u: 'a field', language: 'ja' }, master)
  expect(saved.status, saved.text).toBe(200)
  await server.call('POST', '/requestPasswordReset', { email: 'short@example.com' })
  const mails = await listMails(server, 'short@example.com')
  expect(mails.some(({ text }) => text.includes('新しいパスワードを設定'))).toBe(true)

  const owner = { __type: 'Pointer', className: '_User', objectId: user.objectId }
  const device = { installationId: 'device-of-short', deviceType: 'ios', user: owner, i: 'a field' }
  const { body } = await server.call('POST', '/installations', device, master)
  const change = (token: string) => server.call('PUT', `/installations/${body.objectId}`, { badge: 1 }, { token })
  const other = await server.signUp('other')
  expect((await change(other.token)).status).not.toBe(200)
  expect((await change(user.token)).status).toBe(200)
})

import { expect, test } from 'vitest'
import { serveTests } from '../testing/serveTests.ts'
import { findSession } from './sessions/findSession.ts'

const server = serveTests({ sessionCache: false })

/** Names of tables and columns in our statements, now or in the past. */
const names = ['r', 'u', 's', 'o', 't', 'row', 'rows', 's_id', 's_expires', 's_used', 's_confirmed', 'session', 'value']

test('S20: fields named like parts of our statements give no session another age, id or confirmation', async () => {
  const before = Date.now()
  const farAway = 9_999_999_999
  const fields = Object.fromEntries(names.map((name) => [name, farAway]))
  const { token, objectId } = await server.signUp('odd', fields)
  const session = await findSession(server.context, token)
  expect(session.userId).toBe(objectId)
  expect(session.objectId).toMatch(/^\w{10}$/)
  expect(session.confirmedAt).toBeLessThan(before + 60_000)
  expect(session.expiresAt).toBeLessThan(before + 366 * 24 * 3600_000)
  const me = await server.call('GET', '/users/me', undefined, { token })
  expect(me.body).toMatchObject({ objectId, username: 'odd', ...fields })
})

test('objects with such fields are found and counted', async () => {
  const fields = Object.fromEntries(names.map((name) => [name, name]))
  await server.call('POST', '/classes/Odd', fields, { master: true })
  const { body } = await server.call(
    'GET',
    `/classes/Odd?count=1&order=r&where=${encodeURIComponent('{"t":"t"}')}`,
    undefined,
    { master: true },
  )
  expect(body).toMatchObject({ count: 1, results: [fields] })
  const pipeline = [{ $match: { r: 'r' } }, { $group: { _id: '$row', t: { $sum: 1 }, s: { $first: '$s' } } }]
  const summed = await server.call('POST', '/aggregate/Odd', { _method: 'GET', pipeline }, { master: true })
  expect(summed.body.results).toEqual([{ objectId: 'row', t: 1, s: 's' }])
})

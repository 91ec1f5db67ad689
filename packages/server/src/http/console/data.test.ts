import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, helper, watcher, ann, ask } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)

test('only an administrator restores a deleted object with its id', async () => {
  const made = await office.server.call('POST', '/classes/Kept', { text: 'x' }, { master: true })
  const objectId = made.body.objectId as string
  const again = { objectId, text: 'x' }
  // While it is there it is not written over.
  expect((await ask(root, 'POST', '/classes/Kept', { objectId, text: 'other' })).status).toBeGreaterThanOrEqual(400)
  expect((await ask(root, 'GET', `/classes/Kept/${objectId}`)).body.text).toBe('x')
  expect((await ask(root, 'DELETE', `/classes/Kept/${objectId}`)).status).toBe(200)
  for (const user of [helper, watcher, ann, undefined])
    expect((await ask(user, 'POST', '/classes/Kept', again)).status).toBeGreaterThanOrEqual(400)
  // Outside the console, operators and the master key are treated as before.
  expect((await ask(root, 'POST', '/classes/Kept', again, {})).body.code).toBe(105)
  expect((await office.server.call('POST', '/classes/Kept', again, { master: true })).body.code).toBe(105)
  const requests = [{ method: 'POST', path: '/server/classes/Kept', body: again }]
  expect((await ask(root, 'POST', '/batch', { requests })).text).toContain('success')
  expect((await ask(root, 'GET', `/classes/Kept/${objectId}`)).body).toMatchObject({ objectId, text: 'x' })
  expect((await ask(root, 'POST', '/classes/_Role', { objectId: 'chosen', name: 'chosen', ACL: {} })).body.code).toBe(
    105,
  )
  for (const objectId of ['role:admin', '*', '', '../x', 'a b'])
    expect((await ask(root, 'POST', '/classes/Kept', { objectId })).status, objectId).toBeGreaterThanOrEqual(400)
})

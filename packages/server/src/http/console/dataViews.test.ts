import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, helper, watcher, ann, ask } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)
const master = { master: true }

const filter = '[{"field":"amount","operator":"above","value":"3"}]'
const view = (className: string, more: object = {}) => ({
  ...{ className, name: 'large ones', filter, order: '-amount', hidden: ['ACL'], ...more },
})

async function makeClass(className: string): Promise<void> {
  await office.server.call('POST', `/schemas/${className}`, { fields: { amount: { type: 'Number' } } }, master)
}

const list = async (className: string, who = root) =>
  (await ask(who, 'GET', `/console/views?className=${className}`)).body.results

test('a view that an administrator saves is seen by other operators, replaced and deleted', async () => {
  await makeClass('Seen')
  const made = await ask(root, 'POST', '/console/views', view('Seen'))
  expect(made.status).toBe(201)
  expect(await list('Seen', watcher)).toMatchObject([{ name: 'large ones', filter, order: '-amount', hidden: ['ACL'] }])
  expect(await list('Other')).toEqual([])
  const path = `/console/views/${made.body.objectId}`
  const next = { filter: '', order: 'amount', hidden: [] }
  expect((await ask(root, 'PUT', path, next)).body).toMatchObject({ name: 'large ones', ...next })
  expect(await list('Seen')).toMatchObject([next])
  expect((await ask(root, 'PUT', path, { order: 'amount' })).body).toMatchObject(next)
  expect((await ask(root, 'DELETE', path)).status).toBe(200)
  expect(await list('Seen')).toEqual([])
  expect((await ask(root, 'DELETE', path)).status).toBe(404)
  expect((await ask(root, 'PUT', path, next)).status).toBe(404)
  const { results } = (await office.server.call('GET', `/audit?subject=${made.body.objectId}`, undefined, master)).body
  expect((results as { action: string }[]).map(({ action }) => action)).toEqual([
    'deleteDataView',
    'updateDataView',
    'updateDataView',
    'createDataView',
  ])
})

test('only administrators change views, and others see none', async () => {
  await makeClass('Kept')
  const made = await ask(root, 'POST', '/console/views', view('Kept'))
  const path = `/console/views/${made.body.objectId}`
  for (const who of [watcher, helper, ann]) {
    expect((await ask(who, 'POST', '/console/views', view('Kept', { name: 'mine' }))).status).toBeGreaterThan(400)
    expect((await ask(who, 'PUT', path, { filter: '', order: '', hidden: [] })).status).toBeGreaterThan(400)
    expect((await ask(who, 'DELETE', path)).status).toBeGreaterThan(400)
  }
  for (const who of [helper, ann])
    expect((await ask(who, 'GET', '/console/views?className=Kept')).status).toBeGreaterThan(400)
  expect(await list('Kept')).toMatchObject([{ name: 'large ones', filter }])
})

test('a name is taken once, also by two at the same time, and views are limited', async () => {
  await makeClass('Full')
  const both = await Promise.all([1, 2].map(() => ask(root, 'POST', '/console/views', view('Full', { name: ' a ' }))))
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const refused = both.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ code: 137, reason: 'viewNameTaken' })
  for (const wrong of [
    view('NoSuchClass'),
    view('Full', { name: '  ' }),
    view('Full', { name: 'x'.repeat(101) }),
    view('Full', { name: { $ne: null } }),
    view('Full', { filter: 'x'.repeat(30_001) }),
    view('Full', { hidden: Array.from({ length: 201 }, () => 'x') }),
    view('Full', { hidden: [{}] }),
    view('Full', { name: 'a\u0000b' }),
  ])
    expect((await ask(root, 'POST', '/console/views', wrong)).status).toBe(400)
  for (let number = 1; number < 100; number++)
    expect((await ask(root, 'POST', '/console/views', view('Full', { name: `view ${number}` }))).status).toBe(201)
  expect((await ask(root, 'POST', '/console/views', view('Full', { name: 'one more' }))).status).toBe(400)
})

test('the views of a class are deleted with it', async () => {
  await makeClass('Gone')
  await ask(root, 'POST', '/console/views', view('Gone'))
  expect((await office.server.call('DELETE', '/schemas/Gone', undefined, master)).status).toBe(200)
  await makeClass('Gone')
  expect(await list('Gone')).toEqual([])
})

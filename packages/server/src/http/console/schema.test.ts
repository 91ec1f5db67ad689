import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, watcher, helper, ask } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)

test('permissions changed by others in between are not overwritten', async () => {
  await office.server.call('POST', '/schemas/Guarded', { fields: { text: { type: 'String' } } }, { master: true })
  const read = async () => (await ask(root, 'GET', '/schemas/Guarded')).body.classLevelPermissions as object
  const seen = await read()
  const change = (changed: object, basedOn?: unknown) =>
    ask(root, 'PUT', '/schemas/Guarded', {
      classLevelPermissions: { ...seen, ...changed },
      ...(basedOn !== undefined && { basedOn: { classLevelPermissions: basedOn } }),
    })
  expect((await change({ delete: {} }, seen)).status).toBe(200)
  // Another window still shows what was there before.
  const late = await change({ create: {} }, seen)
  expect(late.status).toBe(409)
  expect(late.body.reason).toBe('permissionsChanged')
  expect(await read()).toMatchObject({ delete: {}, create: { '*': true } })
  // The order of the keys says nothing.
  const turned = Object.fromEntries(Object.entries(await read()).reverse())
  expect((await change({ create: {}, delete: {} }, turned)).status).toBe(200)
  // Two at once: one of them is refused.
  const before = await read()
  const answers = await Promise.all([change({ find: {} }, before), change({ get: {} }, before)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  // Clients that say nothing of it write as before.
  expect((await change({ find: { '*': true } })).status).toBe(200)
  expect((await change({}, 'everyone')).status).toBe(409)
})

test('a change of a class is shown as steps and as a schema file, and not carried out', async () => {
  const { server } = office
  await server.call('POST', '/classes/Kept', { text: 'x', size: 1 }, { master: true })
  const look = (query: object, user = watcher) => {
    const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`)
    return ask(user, 'GET', `/console/schema?${parts.join('&')}`)
  }
  const added = await look({ className: 'Kept', fields: { level: { type: 'Number', defaultValue: 1 } } })
  expect(added.body.plan).toEqual([{ text: expect.stringContaining('level'), drops: false }])
  expect(added.body.file).toContain("import { defineSchema } from 'countersign'")
  expect(added.body.file).toMatch(/Kept: \{\s+fields: \{[^}]*level: \{\s+type: "Number",\s+defaultValue: 1/)
  // Only the class in question: the others stay as they are.
  expect(added.body.file).not.toContain('Guarded')
  const made = await look({ className: 'New', fields: { owner: { type: 'Pointer', targetClass: '_User' } } })
  expect(JSON.stringify(made.body.plan)).toContain('New')
  const dropped = await look({ className: 'Kept', fields: { size: { __op: 'Delete' } } })
  expect(dropped.body.plan).toEqual([{ text: expect.stringContaining('size'), drops: true }])
  const gone = await look({ className: 'Kept', drop: true })
  expect(gone.body.plan).toEqual([{ text: expect.stringContaining('Kept'), drops: true }])
  const index = await look({ className: 'Kept', indexes: { bySize: { size: -1 } } })
  expect(JSON.stringify(index.body.plan)).toContain('bySize')
  expect((await look({ className: '_User', fields: { nick: { type: 'String' } } })).body.plan).toHaveLength(1)
  // Nothing has changed.
  const { fields, indexes } = (await ask(root, 'GET', '/schemas/Kept')).body as { fields: object; indexes?: object }
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(['text', 'size']))
  expect(Object.keys(fields)).not.toContain('level')
  expect(indexes ?? {}).not.toHaveProperty('bySize')
  expect((await ask(root, 'GET', '/schemas/New')).status).toBe(400)
  // Errors are reported before anyone applies the change.
  expect((await look({ className: 'Kept', fields: { bad: { type: 'Nothing' } } })).status).toBe(400)
  expect((await look({ className: '9', fields: {} })).status).toBe(400)
  expect((await look({ className: 'Nowhere', drop: true })).status).toBe(400)
  expect((await look({ className: 'Kept' }, helper)).body.reason).toBe('operatorForbidden')
})

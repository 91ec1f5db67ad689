import type { WireFields } from '@countersign/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { serveTests } from '../../testing/serveTests.ts'

const master = { master: true }
const everyone = { '*': true }
const rights = { find: everyone, get: everyone, count: everyone, create: everyone, addField: everyone }

/** Rules of the class that pointers lead to. */
const rules: [string, object][] = [
  ['Open', rights],
  ['Hiding', { ...rights, protectedFields: { '*': ['text'] } }],
  ['OnlyFind', { ...rights, get: {} }],
  ['ForUsers', { ...rights, get: { requiresAuthentication: true } }],
  ['Pointing', { ...rights, get: {}, readUserFields: ['owner'] }],
]

let ann: { objectId: string; token: string }
const server = serveTests()
const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })
async function post(path: string, sent: object): Promise<{ objectId: string }> {
  const { status, body } = await server.call('POST', path, sent, master)
  expect([status, body.error]).toEqual([201, undefined])
  return body as { objectId: string }
}

beforeAll(async () => {
  ann = await server.signUp('ann')
  for (const [className, classLevelPermissions] of rules) {
    const target = { type: 'Pointer', targetClass: className }
    const fields = { owner: { type: 'Pointer', targetClass: '_User' }, next: target }
    await server.call('POST', `/schemas/${className}`, { className, fields, classLevelPermissions }, master)
    const ids: string[] = []
    for (const [index, ACL] of [undefined, { [ann.objectId]: { read: true } }, {}, { '*': { read: true } }].entries()) {
      const owner = index % 2 ? { owner: pointer('_User', ann.objectId) } : {}
      const next = ids[0] === undefined ? {} : { next: pointer(className, ids[0]) }
      const values = {
        text: `"{${index}},\\`,
        list: [{ a: [] }, 'b"'],
        none: null,
        at: { __type: 'Date', iso: '2026-01-02T03:04:05.006Z' },
      }
      ids.push((await post(`/classes/${className}`, { ...values, ...owner, ...next, ...(ACL && { ACL }) })).objectId)
    }
    const [first = '', ...others] = ids
    for (const id of [...ids, first, 'missing']) {
      const one = pointer(className, id)
      const either = others.includes(id) ? { other: pointer(className, first) } : { other: null }
      await post(`/classes/From${className}`, {
        one,
        ...either,
        user: pointer('_User', ann.objectId),
        many: [one],
        inner: { one },
        n: ids.length,
      })
    }
  }
})

const includes = ['one', 'one,other', 'one,nowhere', 'one,n', 'one.next', 'many', '*', 'user,one', 'one,many']
const callers = { guest: () => ({}), user: () => ({ token: ann.token }), master: () => master }

describe.each(rules.map(([className]) => className))('pointers to class %s', (className) => {
  test.each(Object.entries(callers))('are included for a %s as text and as objects alike', async (name, caller) => {
    const shown = new Set<string>()
    for (const include of includes) {
      const path = `/classes/From${className}?limit=1000&order=objectId&include=${include}`
      const written = await server.call('GET', path, undefined, caller())
      // A query by pages reads and writes its objects one by one.
      const made = await server.call('GET', `${path}&cursor=true`, undefined, caller())
      expect([include, written.status]).toEqual([include, 200])
      expect([include, written.body.results]).toEqual([include, made.body.results])
      for (const object of written.body.results as WireFields[]) {
        const { one } = object as { one?: { __type: string } }
        shown.add(one?.__type ?? 'none')
        const at = `/classes/From${className}/${object.objectId}?include=${include}`
        const alone = await server.call('GET', at, undefined, caller())
        expect([include, alone.body]).toEqual([include, object])
      }
    }
    const isOpen = className === 'Open' || name === 'master'
    if (isOpen) expect([...shown].sort()).toEqual(['Object', 'Pointer', 'none'])
  })
})

test('an object that many name counts against the size of a response', async () => {
  const { objectId } = await post('/classes/Large', { text: 'x'.repeat(1_000_000) })
  const requests = Array.from({ length: 30 }, () => ({
    method: 'POST',
    path: '/server/classes/ToLarge',
    body: { one: pointer('Large', objectId) },
  }))
  await server.call('POST', '/batch', { requests }, master)
  const { status, body } = await server.call('GET', '/classes/ToLarge?include=one')
  expect([status, body.code]).toEqual([400, 116])
  expect((await server.call('GET', '/classes/ToLarge?include=one&limit=10')).status).toBe(200)
})

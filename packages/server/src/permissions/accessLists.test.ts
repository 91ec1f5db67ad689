import { beforeAll, describe, expect, test } from 'vitest'
import { openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

type User = { objectId: string; token: string }

let ann: User
let bob: User
const server = serveTests()
beforeAll(async () => {
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
})

const master = { master: true }
const own = (user: User) => ({ [user.objectId]: { read: true, write: true } })
const remove = { __op: 'Delete' }

/** An object that only Ann may read and write. */
async function makeNote(): Promise<string> {
  const { body } = await server.call('POST', '/classes/Note', { text: 'secret', ACL: own(ann) }, { token: ann.token })
  return `/classes/Note/${body.objectId}`
}

/** Readers and writers: `ar` for Ann reading, `bw` for Bob writing, `g` for a guest. */
async function reach(path: string): Promise<string> {
  const seen: string[] = []
  for (const [name, token] of [
    ['a', ann.token],
    ['b', bob.token],
    ['g', undefined],
  ] as const) {
    const options = token === undefined ? {} : { token }
    if ((await server.call('GET', path, undefined, options)).status === 200) seen.push(`${name}r`)
    if ((await server.call('PUT', path, { n: 1 }, options)).status === 200) seen.push(`${name}w`)
  }
  return seen.join(' ')
}

const aclOf = async (path: string) => (await server.call('GET', path, undefined, master)).body.ACL

describe('SEC-27: omitting something makes nothing public', () => {
  test('null keeps the access list of an object', async () => {
    const path = await makeNote()
    for (const options of [{ token: ann.token }, master]) {
      expect((await server.call('PUT', path, { ACL: null, text: 'new' }, options)).status).toBe(200)
      expect(await aclOf(path)).toEqual(own(ann))
    }
    expect(await reach(path)).toBe('ar aw')
  })

  test('Delete leaves the empty list: only the master key has access', async () => {
    for (const options of [{ token: ann.token }, master]) {
      const path = await makeNote()
      expect((await server.call('PUT', path, { ACL: remove }, options)).status).toBe(200)
      expect(await aclOf(path)).toEqual({})
      expect(await reach(path)).toBe('')
      expect((await server.call('PUT', path, { ACL: { '*': { read: true } } }, master)).status).toBe(200)
      expect(await reach(path)).toBe('ar br gr')
    }
  })

  test('a batch, a transaction among them, follows the same rule', async () => {
    for (const transaction of [false, true]) {
      const [kept, closed] = [await makeNote(), await makeNote()]
      const requests = [
        { method: 'PUT', path: `/server${kept}`, body: { ACL: null } },
        { method: 'PUT', path: `/server${closed}`, body: { ACL: remove } },
      ]
      expect((await server.call('POST', '/batch', { requests, transaction }, { token: ann.token })).status).toBe(200)
      expect([await reach(kept), await reach(closed)]).toEqual(['ar aw', ''])
    }
  })

  test('an object without a list gets the empty one by Delete, and stays as it was by null', async () => {
    const { body } = await server.call('POST', '/classes/Note', { text: 'open', ACL: null })
    const path = `/classes/Note/${body.objectId}`
    expect(await reach(path)).toBe('ar aw br bw gr gw')
    await server.call('PUT', path, { ACL: null })
    expect(await reach(path)).toBe('ar aw br bw gr gw')
    await server.call('PUT', path, { ACL: remove })
    expect(await reach(path)).toBe('')
    const closed = await server.call('POST', '/classes/Note', { text: 'closed', ACL: remove })
    expect(await reach(`/classes/Note/${closed.body.objectId}`)).toBe('')
  })

  test.each([
    { 'ACL.*': { read: true, write: true } },
    { 'ACL.*.read': true },
    { ACL: { __op: 'Add', objects: [{ '*': { read: true } }] } },
    { ACL: { __op: 'SetOnInsert', amount: null } },
    { ACL: { __op: 'Batch', ops: [remove] } },
    { ACL: [] },
    { ACL: 'public' },
    { ACL: false },
    { _rperm: null },
    { _rperm: ['*'] },
    { _wperm: remove },
    { _acl: {} },
    { '_acl.*': { r: true } },
    { '_rperm.0': '*' },
  ])('%j is refused and opens nothing', async (body) => {
    const path = await makeNote()
    for (const options of [{ token: ann.token }, master]) {
      expect((await server.call('PUT', path, body, options)).status).toBe(400)
    }
    expect(await reach(path)).toBe('ar aw')
    const users = await server.call('PUT', `/users/${ann.objectId}`, body, { token: ann.token })
    expect(users.status).toBe(400)
    expect(await aclOf(`/users/${ann.objectId}`)).toEqual(own(ann))
  })

  test('users: null keeps the list, Delete leaves the user alone in it, and sign-up ends with the default', async () => {
    for (const [index, ACL] of [null, remove].entries()) {
      const carol = await server.signUp(`carol${index}`, { ACL, nick: 'hidden' })
      const path = `/users/${carol.objectId}`
      const isHidden = async () => (await server.call('GET', path, undefined, { token: bob.token })).body.code === 101
      expect([await aclOf(path), await isHidden()]).toEqual([own(carol), true])
      await server.call('PUT', path, { ACL: { [bob.objectId]: { read: true } } }, { token: carol.token })
      expect(await isHidden()).toBe(false)
      await server.call('PUT', path, { ACL: null }, { token: carol.token })
      expect(await isHidden()).toBe(false)
      await server.call('PUT', path, { ACL: null }, master)
      expect(await aclOf(path)).toMatchObject({ [bob.objectId]: { read: true } })
      await server.call('PUT', path, { ACL: remove }, { token: carol.token })
      expect([await aclOf(path), await isHidden()]).toEqual([own(carol), true])
    }
  })

  test('users: with the master key Delete locks the account, as the empty list does', async () => {
    const dan = await server.signUp('dan')
    await server.call('PUT', `/users/${dan.objectId}`, { ACL: remove }, master)
    expect(await aclOf(`/users/${dan.objectId}`)).toEqual({})
    const answer = await server.call('POST', '/login', { username: 'dan', password: 'dan password' })
    expect(answer.body.code).toBe(101)
  })

  test('roles and devices follow it, sessions have no list', async () => {
    const made = await server.call('POST', '/roles', { name: 'listed', ACL: own(ann) }, master)
    const role = `/roles/${made.body.objectId}`
    expect((await server.call('PUT', role, { ACL: null }, { token: ann.token })).status).toBe(200)
    expect(await aclOf(role)).toEqual(own(ann))
    expect((await server.call('PUT', role, { ACL: remove }, { token: ann.token })).status).toBe(200)
    expect(await aclOf(role)).toEqual({})

    const device = { installationId: 'sec-27', deviceType: 'web' }
    const first = await server.call('POST', '/installations', { ...device, ACL: own(ann) }, { token: ann.token })
    const path = `/installations/${first.body.objectId}`
    await server.call('POST', '/installations', { ...device, ACL: null }, { token: ann.token })
    await server.call('PUT', path, { ACL: null }, { token: ann.token })
    expect(await aclOf(path)).toEqual(own(ann))
    await server.call('PUT', path, { ACL: remove }, { token: ann.token })
    expect(await aclOf(path)).toEqual({})

    const session = (await server.call('GET', '/sessions/me', undefined, { token: ann.token })).body.objectId
    for (const ACL of [null, remove]) {
      const answer = await server.call('PUT', `/sessions/${session}`, { ACL }, { token: ann.token })
      expect(answer.body.code).toBe(105)
    }
  })

  test('hooks: null of a hook changes nothing, its Delete leaves the empty list', async () => {
    const hooks = server.context.registry.hooks
    const answers = new Map<string, unknown>([
      ['keep', null],
      ['close', remove],
    ])
    for (const className of ['Hooked', '_User']) {
      hooks.set(`beforeSave ${className}`, [
        async ({ object }) => {
          const word = object?.word as string
          return answers.has(word) ? { object: { ACL: answers.get(word) as never } } : undefined
        },
      ])
    }
    try {
      for (const word of ['keep', 'close']) {
        const { body } = await server.call('POST', '/classes/Hooked', { word, ACL: own(ann) }, { token: ann.token })
        expect(await aclOf(`/classes/Hooked/${body.objectId}`)).toEqual(word === 'keep' ? own(ann) : {})
        const plain = await server.call('POST', '/classes/Hooked', { ACL: own(ann) }, { token: ann.token })
        const path = `/classes/Hooked/${plain.body.objectId}`
        // The caller's own list counts if the hook returns none.
        await server.call('PUT', path, { word, ACL: { ...own(ann), ...own(bob) } }, { token: ann.token })
        expect(await aclOf(path)).toEqual(word === 'keep' ? { ...own(ann), ...own(bob) } : {})

        const erin = await server.signUp(`erin${word}`, { word, ACL: { [bob.objectId]: { read: true } } })
        expect(await aclOf(`/users/${erin.objectId}`)).toEqual(
          word === 'keep' ? { ...own(erin), [bob.objectId]: { read: true } } : own(erin),
        )
      }
    } finally {
      hooks.clear()
    }
  })

  test('live: users without access receive nothing about an object touched by null or Delete', async () => {
    const path = await makeNote()
    const socket = await openLiveSocket(server, { connect: { sessionToken: bob.token } })
    try {
      await socket.subscribe(1, { className: 'Note' })
      await server.call('PUT', path, { ACL: null, text: 'leak' }, { token: ann.token })
      await server.call('PUT', path, { ACL: remove, text: 'leak' }, { token: ann.token })
      await server.call('POST', '/classes/Note', { text: 'last', ACL: { '*': { read: true } } }, master)
      await expect.poll(() => JSON.stringify(socket.frames)).toContain('last')
      expect(JSON.stringify(socket.frames)).not.toContain('leak')
    } finally {
      socket.close()
    }
  })

  test('class permissions: null changes nothing, omitted ones are closed, hidden fields stay hidden', async () => {
    const all = { '*': true }
    const closed = { find: all, get: all, create: all, protectedFields: { '*': ['salary'] } }
    const fields = { salary: { type: 'Number' }, name: { type: 'String' } }
    await server.call('POST', '/schemas/Person', { fields, classLevelPermissions: closed }, master)
    const { body } = await server.call('POST', '/classes/Person', { name: 'x', salary: 5 }, master)
    const path = `/classes/Person/${body.objectId}`
    const put = (classLevelPermissions: unknown) =>
      server.call('PUT', '/schemas/Person', { classLevelPermissions }, master)
    const look = async () => [
      (await server.call('GET', path)).body.salary,
      (await server.call('PUT', path, { name: 'y' })).body.code,
      (await server.call('DELETE', path)).body.code,
    ]
    expect(await look()).toEqual([undefined, 119, 119])
    expect((await put(null)).status).toBe(200)
    expect(await look()).toEqual([undefined, 119, 119])
    expect((await put({ find: all, get: all })).status).toBe(200)
    expect(await look()).toEqual([undefined, 119, 119])
    for (const wrong of [{ protectedFields: null }, { get: null }, { update: null }, { get: { '*': null } }]) {
      expect((await put({ find: all, get: all, ...wrong })).status).toBe(400)
    }
    expect((await put({})).status).toBe(200)
    expect((await server.call('GET', path)).body.code).toBe(119)
    expect((await put({ get: all })).status).toBe(200)
    expect(await look()).toEqual([undefined, 119, 119])
    // Said in words, it is shown.
    expect((await put({ get: all, protectedFields: {} })).status).toBe(200)
    expect(await look()).toEqual([5, 119, 119])
  })
})

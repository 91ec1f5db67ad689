import { beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../context/Caller.ts'
import { sql } from '../db/sql.ts'
import { createObject } from '../objects/createObject.ts'
import { deleteObject } from '../objects/deleteObject.ts'
import { updateObject } from '../objects/updateObject.ts'
import { createTestServer } from '../testing/createTestServer.ts'
import { serveTests } from '../testing/serveTests.ts'
import { accessOf } from './accessOf.ts'

let ann: { objectId: string; token: string }
let bob: { objectId: string; token: string }
const server = serveTests()
beforeAll(async () => {
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
})

const pointers = (className: string, ids: string[]) =>
  ids.map((objectId) => ({ __type: 'Pointer', className, objectId }))
const add = (className: string, ...ids: string[]) => ({ __op: 'AddRelation', objects: pointers(className, ids) })
const take = (className: string, ...ids: string[]) => ({ __op: 'RemoveRelation', objects: pointers(className, ids) })
const role = async (name: string, body: object = {}) => {
  const answer = await server.call('POST', '/roles', { name, ACL: {}, ...body }, { master: true })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.objectId as string
}
const change = (id: string, body: object, options: object = { master: true }) =>
  server.call('PUT', `/roles/${id}`, body, options)
/** Checks that the user's roles grant access to a document of one role. */
const holds = async (user: { token: string }, name: string) => {
  const ACL = { [`role:${name}`]: { write: true } }
  const { body } = await server.call('POST', '/classes/Door', { ACL }, { master: true })
  return (await server.call('PUT', `/classes/Door/${body.objectId}`, { n: 1 }, { token: user.token })).status === 200
}

describe('members of a role', () => {
  test('members do, and members of roles in it, through any number of steps', async () => {
    const top = await role('top')
    const middle = await role('middle')
    const low = await role('low', { users: add('_User', ann.objectId) })
    expect([await holds(ann, 'low'), await holds(ann, 'middle'), await holds(bob, 'low')]).toEqual([true, false, false])
    await change(middle, { roles: add('_Role', low) })
    await change(top, { roles: add('_Role', middle) })
    expect([await holds(ann, 'middle'), await holds(ann, 'top'), await holds(bob, 'top')]).toEqual([true, true, false])
    await change(middle, { roles: take('_Role', low) })
    expect([await holds(ann, 'low'), await holds(ann, 'middle'), await holds(ann, 'top')]).toEqual([true, false, false])
  })

  test('circles of roles end', async () => {
    const one = await role('circle one', { users: add('_User', bob.objectId) })
    const two = await role('circle two', { roles: add('_Role', one) })
    await change(one, { roles: add('_Role', two, one) })
    expect([await holds(bob, 'circle one'), await holds(bob, 'circle two'), await holds(ann, 'circle one')]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('a change takes effect with the next request: joining, leaving, deleting', async () => {
    const id = await role('fleeting')
    const door = (
      await server.call('POST', '/classes/Door', { ACL: { 'role:fleeting': { write: true } } }, { master: true })
    ).body.objectId
    const enter = async () => (await server.call('PUT', `/classes/Door/${door}`, { n: 1 }, { token: ann.token })).status
    for (let round = 0; round < 5; round++) {
      expect(await enter()).toBe(404)
      await change(id, { users: add('_User', ann.objectId) })
      expect(await enter()).toBe(200)
      await change(id, { users: take('_User', ann.objectId) })
    }
    await change(id, { users: add('_User', ann.objectId) })
    expect(await enter()).toBe(200)
    expect((await server.call('DELETE', `/roles/${id}`, undefined, { master: true })).status).toBe(200)
    expect(await enter()).toBe(404)
  })

  test('a rolled-back role reaches neither the request nor the cache', async () => {
    const { context } = server
    const id = await role('taken back')
    const caller = { isMaster: false, isLocalApp: false, ipAddress: '', session: { userId: bob.objectId } } as Caller
    const entities = async () => (await accessOf(context, caller)).entities
    expect(await entities()).not.toContain('role:taken back')
    const failed = context.db.transaction(async () => {
      const text = 'insert into "_Join:users:_Role" values ($1, $2)'
      await context.db.query({ text, values: [id, bob.objectId] })
      // As a change on another server would have it just now.
      context.roleCache.forgetAll()
      expect(await entities()).not.toContain('role:taken back')
      throw new Error('given up')
    })
    await expect(failed).rejects.toThrow('given up')
    expect((await accessOf(context, { ...caller })).entities).not.toContain('role:taken back')
  })

  test('also where it was changed by hand in the database', async () => {
    const id = await role('by hand')
    expect(await holds(bob, 'by hand')).toBe(false)
    await server.context.db.query(sql`insert into "_Join:users:_Role" values (${id}, ${bob.objectId})`)
    await expect.poll(() => holds(bob, 'by hand'), { timeout: 2000 }).toBe(true)
  })
})

describe('roles as objects', () => {
  const create = (body: object, options: object = { token: ann.token }) => server.call('POST', '/roles', body, options)

  test.each([
    [{ ACL: {} }, 111, 'A role needs a name.'],
    [{ name: 'fine' }, 111, 'ACL is required.'],
    [{ name: 'fine', ACL: null }, 111, 'ACL is required.'],
    [{ name: '', ACL: {} }, 139, /can contain letters/],
    [{ name: 'a:b', ACL: {} }, 139, /can contain letters/],
    [{ name: '*', ACL: {} }, 139, /can contain letters/],
    [{ name: { $ne: 1 }, ACL: {} }, 121, /Nested keys/],
    [{ name: 5, ACL: {} }, 139, /can contain letters/],
    [{ name: { __op: 'Increment', amount: 1 }, ACL: {} }, 111, 'A role needs a name.'],
    [{ name: 'fine', ACL: {}, users: add('Game', 'x') }, 111, /schema mismatch for _Role.users/],
  ])('%j is refused', async (body, code, error) => {
    for (const path of ['/roles', '/classes/_Role']) {
      const answer = await server.call('POST', path, body, { token: ann.token })
      expect([answer.status, answer.body.code]).toEqual([400, code])
      expect(answer.body.error).toMatch(error)
    }
  })

  test('one name is one role', async () => {
    const answer = await create({ name: 'single', ACL: {} })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toMatch(`/server/roles/${answer.body.objectId}`)
    expect((await create({ name: 'single', ACL: {} })).body.code).toBe(137)
  })

  test('its list says who may change it; its name stays', async () => {
    const { body } = await create({
      name: 'club',
      ACL: { [ann.objectId]: { read: true, write: true }, '*': { read: true } },
    })
    const id = body.objectId as string
    const join = { users: add('_User', bob.objectId) }
    expect((await change(id, join, { token: bob.token })).body.code).toBe(101)
    expect((await change(id, join, {})).body.code).toBe(101)
    expect(await holds(bob, 'club')).toBe(false)
    expect((await change(id, join, { token: ann.token })).status).toBe(200)
    expect(await holds(bob, 'club')).toBe(true)
    expect((await change(id, { name: 'other' }, { token: ann.token })).body.code).toBe(136)
    expect((await server.call('DELETE', `/classes/_Role/${id}`, undefined, { token: bob.token })).body.code).toBe(101)
    expect((await server.call('DELETE', `/classes/_Role/${id}`, undefined, { token: ann.token })).status).toBe(200)
    expect(await holds(bob, 'club')).toBe(false)
  })

  test('P11: the tables of relations are no classes', async () => {
    for (const name of ['_Join:users:_Role', '_Join%3Ausers%3A_Role']) {
      const body = { owningId: 'x', relatedId: ann.objectId }
      expect((await server.call('POST', `/classes/${name}`, body)).body.code).toBe(119)
      expect((await server.call('PUT', `/classes/${name}/x`, body)).body.code).toBe(119)
      expect((await server.call('DELETE', `/classes/${name}/x`)).body.code).toBe(119)
      expect((await server.call('POST', `/classes/${name}`, body, { master: true })).body.code).toBe(107)
    }
  })

  test('P11: a spelling that the router does not know leads to no other rules', async () => {
    for (const name of ['%5FUser', '%5FSession', '%5FInstallation']) {
      const answer = await server.call(
        'POST',
        `/classes/${name}`,
        { username: 'sneak', sessionToken: 'r:1' },
        { master: true },
      )
      expect([400, 404]).toContain(answer.status)
      const put = await server.call('PUT', `/classes/${name}/${ann.objectId}`, { a: 1 }, { token: bob.token })
      expect(put.status).toBeGreaterThanOrEqual(400)
      const gone = await server.call('DELETE', `/classes/${name}/${ann.objectId}`, undefined, { token: bob.token })
      expect(gone.status).toBeGreaterThanOrEqual(400)
    }
    expect((await server.call('GET', '/users/me', undefined, { token: ann.token })).status).toBe(200)
    const caller: Caller = { isMaster: true, isLocalApp: false, ipAddress: '' }
    for (const name of ['_User', '_Session', '_Installation']) {
      await expect(createObject(server.context, caller, name, {})).rejects.toMatchObject({ code: 119 })
      await expect(updateObject(server.context, caller, name, ann.objectId, {})).rejects.toMatchObject({ code: 119 })
    }
    for (const name of ['_User', '_Session']) {
      await expect(deleteObject(server.context, caller, name, ann.objectId)).rejects.toMatchObject({ code: 119 })
    }
  })
})

describe('P11: ids of one’s own choice', () => {
  test('are an option, and never pass for a role or for everyone', async () => {
    const custom = await createTestServer({ allowCustomObjectId: true })
    try {
      const create = (objectId: unknown) => custom.call('POST', '/classes/Thing', { objectId })
      expect((await create('mine-1')).body).toMatchObject({ objectId: 'mine-1' })
      expect((await create('mine-1')).body.code).toBe(137)
      expect((await create('')).body.code).toBe(104)
      for (const id of ['role:admin', '*', 'a/b', 'a b', 'a\u0001', 5, { $ne: 1 }])
        expect((await create(id)).body.code, String(id)).toBe(105)
      expect((await custom.call('POST', '/classes/Thing', {})).body.objectId).toMatch(/^\w{10}$/)
      // A deleted role leaves nothing in others for a new role with its id.
      const make = (objectId: string, name: string, body: object, options: object = { master: true }) =>
        custom.call('POST', '/roles', { objectId, name, ACL: {}, ...body }, options)
      await make('low', 'low', {})
      await make('high', 'high', { roles: add('_Role', 'low') })
      expect((await custom.call('DELETE', '/roles/low', undefined, { master: true })).status).toBe(200)
      const eve = await custom.signUp('eve')
      expect((await make('low', 'mine', { users: add('_User', eve.objectId) }, { token: eve.token })).status).toBe(201)
      const { body } = await custom.call(
        'POST',
        '/classes/Door',
        { ACL: { 'role:high': { write: true } } },
        { master: true },
      )
      expect((await custom.call('PUT', `/classes/Door/${body.objectId}`, { n: 1 }, { token: eve.token })).status).toBe(
        404,
      )
      expect(
        (await custom.call('POST', '/users', { objectId: 'role:admin', username: 'x', password: 'y' })).body.code,
      ).toBe(105)
    } finally {
      await custom.stop()
    }
  })
})

import Parse from 'parse/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { serveTests } from '../../testing/serveTests.ts'

let ann: Parse.User
let bob: Parse.User
const asAnn = () => ({ sessionToken: ann.getSessionToken() as string })
const asBob = () => ({ sessionToken: bob.getSessionToken() as string })
const master = { useMasterKey: true }

const server = serveTests()
beforeAll(async () => {
  // The package's types for Node leave its first function out.
  const { initialize } = Parse as unknown as { initialize(appId: string, key: undefined, masterKey: string): void }
  initialize(server.appId, undefined, server.masterKey)
  Parse.serverURL = server.serverUrl
  // The package is one for all tests of a worker, and another may have switched the current user on.
  Parse.User.disableUnsafeCurrentUser()
  ann = await new Parse.User({ username: 'ann', password: 'a' }).signUp()
  bob = await new Parse.User({ username: 'bob', password: 'b' }).signUp()
})

describe('objects by the public parse client', () => {
  test('save, fetch, change by every operation, destroy', async () => {
    const game = new Parse.Object('Game')
    game.set('title', 'Go')
    game.set('place', new Parse.GeoPoint(40, -30))
    game.set('at', new Date('2021-01-01T00:00:00.001Z'))
    game.set('nothing', null)
    game.set('tree', { leaf: { n: 1 } })
    game.set('tags', ['a'])
    game.set('owner', ann)
    game.set(
      'area',
      new Parse.Polygon([
        [0, 0],
        [0, 1],
        [1, 1],
      ]),
    )
    await game.save()
    expect(game.id).toMatch(/^\w{10}$/)
    const read = await new Parse.Query('Game').get(game.id as string)
    expect(read.get('title')).toBe('Go')
    expect(read.get('place').latitude).toBe(40)
    expect(read.get('at')).toEqual(new Date('2021-01-01T00:00:00.001Z'))
    expect(read.get('nothing')).toBeNull()
    expect(read.get('owner').id).toBe(ann.id)
    expect(read.createdAt).toEqual(game.createdAt)

    game.increment('n')
    await game.save()
    game.increment('n', 4)
    game.decrement('n', 2)
    game.increment('tree.leaf.n', 5)
    game.add('tags', 'b')
    await game.save()
    game.set('tree.twig', 'q')
    await game.save()
    expect([game.get('n'), game.get('tags'), game.get('tree')]).toEqual([3, ['a', 'b'], { leaf: { n: 6 }, twig: 'q' }])
    game.addAllUnique('tags', ['b', 'c'])
    await game.save()
    game.removeAll('tags', ['a'])
    game.unset('title')
    await game.save()
    await game.fetch()
    expect([game.get('tags'), game.has('title')]).toEqual([['b', 'c'], false])
    await game.destroy()
    await expect(game.fetch()).rejects.toMatchObject({ code: 101 })
    await expect(new Parse.Object('Game').save({ 'bad-name': 1 })).rejects.toMatchObject({ code: 105 })
  })

  test('saveAll and destroyAll, in batches', async () => {
    const objects = Array.from({ length: 45 }, (_, n) => new Parse.Object('Many', { n }))
    await Parse.Object.saveAll(objects)
    expect(await new Parse.Query('Many').count()).toBe(45)
    await Parse.Object.destroyAll(objects)
    expect(await new Parse.Query('Many').count()).toBe(0)
    const [fine, wrong] = [new Parse.Object('Many', { n: 1 }), new Parse.Object('Many', { n: 'text' })]
    await expect(Parse.Object.saveAll([fine, wrong])).rejects.toMatchObject({ code: 111 })
    expect(await new Parse.Query('Many').count()).toBe(1)
    const whole = [new Parse.Object('Many', { n: 2 }), new Parse.Object('Many', { n: 'text' })]
    await expect(Parse.Object.saveAll(whole, { transaction: true })).rejects.toMatchObject([
      { code: 111 },
      { code: 111 },
    ])
    expect(await new Parse.Query('Many').count()).toBe(1)
    await Parse.Object.saveAll([new Parse.Object('Many', { n: 3 }), new Parse.Object('Many', { n: 4 })], {
      transaction: true,
    })
    expect(await new Parse.Query('Many').count()).toBe(3)
  })

  test('a tree of new objects is saved from its leaves', async () => {
    const post = new Parse.Object('Post', { title: 'p' })
    const comments = [1, 2, 3].map((n) => new Parse.Object('Comment', { n, post }))
    await Parse.Object.saveAll(comments)
    const found = await new Parse.Query('Comment').equalTo('post', post).include('post').ascending('n').find()
    expect(found.map((comment) => comment.get('post').get('title'))).toEqual(['p', 'p', 'p'])
  })

  test('access lists: private, shared, public', async () => {
    const note = new Parse.Object('Note', { text: 'private' })
    note.setACL(new Parse.ACL(ann))
    await note.save(null, asAnn())
    const id = note.id as string
    await expect(new Parse.Query('Note').get(id)).rejects.toMatchObject({ code: 101 })
    await expect(new Parse.Query('Note').get(id, asBob())).rejects.toMatchObject({ code: 101 })
    const mine = await new Parse.Query('Note').get(id, asAnn())
    expect(mine.getACL()?.getReadAccess(ann.id as string)).toBe(true)
    const acl = new Parse.ACL(ann)
    acl.setReadAccess(bob.id as string, true)
    await mine.save({ ACL: acl }, asAnn())
    const shared = await new Parse.Query('Note').get(id, asBob())
    await expect(shared.save({ text: 'x' }, asBob())).rejects.toMatchObject({ code: 101 })
    await expect(shared.destroy(asBob())).rejects.toMatchObject({ code: 101 })
    await shared.save({ text: 'by master' }, master)
    expect(await new Parse.Query('Note').find()).toEqual([])
    expect(await new Parse.Query('Note').find(asBob())).toHaveLength(1)
  })

  test('roles and their members', async () => {
    const acl = new Parse.ACL(ann)
    acl.setPublicReadAccess(true)
    const role = new Parse.Role('moderators', acl)
    await role.save(null, asAnn())
    const thread = new Parse.Object('Thread', { open: true })
    const forRole = new Parse.ACL()
    forRole.setRoleWriteAccess('moderators', true)
    forRole.setPublicReadAccess(true)
    thread.setACL(forRole)
    await thread.save(null, master)
    await expect(thread.save({ open: false }, asBob())).rejects.toMatchObject({ code: 101 })
    role.getUsers().add(bob)
    await role.save(null, asAnn())
    await thread.save({ open: false }, asBob())
    expect(await role.getUsers().query().find(master)).toHaveLength(1)
    role.getUsers().remove(bob)
    await role.save(null, asAnn())
    await expect(thread.save({ open: true }, asBob())).rejects.toMatchObject({ code: 101 })
    await expect(new Parse.Role('moderators', acl).save(null, master)).rejects.toMatchObject({ code: 137 })
  })

  test('relations', async () => {
    const books = await Parse.Object.saveAll([1, 2, 3].map((n) => new Parse.Object('Book', { n })))
    const shelf = new Parse.Object('Shelf')
    shelf.relation('books').add(books)
    await shelf.save()
    expect(await shelf.relation('books').query().count()).toBe(3)
    shelf.relation('books').remove(books[0] as Parse.Object)
    await shelf.save()
    const left = await shelf.relation('books').query().ascending('n').find()
    expect(left.map((book) => book.get('n'))).toEqual([2, 3])
  })

  test('permissions of a class, by user, role and pointer', async () => {
    const schema = new Parse.Schema('Task')
    schema.addPointer('assignee', '_User').addString('text').addString('hidden')
    schema.setCLP({
      find: {},
      get: {},
      count: {},
      create: { requiresAuthentication: true },
      update: {},
      delete: {},
      addField: {},
      readUserFields: ['assignee'],
      writeUserFields: ['assignee'],
      protectedFields: { '*': ['hidden'] },
    } as never)
    await schema.save()
    await expect(new Parse.Object('Task', { text: 'x' }).save()).rejects.toMatchObject({ code: 101 })
    const task = await new Parse.Object('Task', { text: 'x', hidden: 'h', assignee: bob }).save(null, asAnn())
    await expect(new Parse.Object('Task', { extra: 1 }).save(null, asAnn())).rejects.toMatchObject({ code: 119 })
    expect(await new Parse.Query('Task').find()).toEqual([])
    expect(await new Parse.Query('Task').find(asAnn())).toEqual([])
    const [seen] = await new Parse.Query('Task').find(asBob())
    expect([seen?.get('text'), seen?.has('hidden')]).toEqual(['x', false])
    await expect(task.save({ text: 'y' }, asAnn())).rejects.toMatchObject({ code: 101 })
    await task.save({ text: 'y' }, asBob())
    await expect(new Parse.Query('Task').equalTo('hidden', 'h').find(asBob())).rejects.toMatchObject({ code: 119 })
    await expect(task.destroy(asAnn())).rejects.toMatchObject({ code: 101 })
    await task.destroy(asBob())
  })

  test('config and installations', async () => {
    await Parse.Config.save({ welcome: 'hello', internal: 'secret' }, { internal: true })
    const open = await Parse.Config.get()
    expect([open.get('welcome'), open.get('internal')]).toEqual(['hello', undefined])
    expect((await Parse.Config.get(master)).get('internal')).toBe('secret')
    const device = new Parse.Installation({ deviceType: 'web', installationId: 'parse-device' })
    await device.save()
    expect(device.id).toMatch(/^\w{10}$/)
  })

  test('users: closed to new ones where the class says so; addresses stay private', async () => {
    const carol = await new Parse.User({ username: 'carol', password: 'c', email: 'carol@example.com' }).signUp()
    const acl = new Parse.ACL(carol)
    acl.setPublicReadAccess(true)
    await carol.save({ ACL: acl }, { sessionToken: carol.getSessionToken() as string })
    const seen = await new Parse.Query(Parse.User).get(carol.id as string, asBob())
    expect([seen.get('username'), seen.get('email')]).toEqual(['carol', undefined])
    await expect(new Parse.Query(Parse.User).equalTo('email', 'carol@example.com').find(asBob())).rejects.toMatchObject(
      { code: 119 },
    )
    const schema = await new Parse.Schema('_User').get()
    const all = { '*': true }
    const permissions = { find: all, get: all, count: all, update: all, delete: all, create: {}, addField: {} }
    const put = (classLevelPermissions: object) =>
      server.call('PUT', '/schemas/_User', { classLevelPermissions }, { master: true })
    expect((await put(permissions)).status).toBe(200)
    await expect(new Parse.User({ username: 'dave', password: 'd' }).signUp()).rejects.toMatchObject({ code: 119 })
    await expect(bob.save({ brandNew: 1 }, asBob())).rejects.toMatchObject({ code: 119 })
    await put((schema as { classLevelPermissions: object }).classLevelPermissions)
    await new Parse.User({ username: 'dave', password: 'd' }).signUp()
  })

  test('idempotency of the client', async () => {
    ;(Parse as unknown as { idempotency: boolean }).idempotency = true
    try {
      const object = await new Parse.Object('Sent', { n: 1 }).save()
      expect(object.id).toBeDefined()
      object.increment('n')
      expect((await object.save()).get('n')).toBe(2)
    } finally {
      ;(Parse as unknown as { idempotency: boolean }).idempotency = false
    }
  })
})

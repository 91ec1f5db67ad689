import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Parse from 'parse/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { writeOlderCloud } from '../../testing/writeOlderCloud.ts'

const master = { useMasterKey: true }
const refusal = (code: number, message: string | RegExp) =>
  expect.objectContaining({ code, message: typeof message === 'string' ? message : expect.stringMatching(message) })

describe.each(['Parse', 'Moralis'] as const)('cloud code of %s, unchanged', (client) => {
  let server: TestServer
  let folder: string
  let user: Parse.User
  let token: string
  let other: Server
  beforeAll(async () => {
    folder = await writeOlderCloud(client)
    server = await createTestServer({ cloud: folder })
    const { initialize } = Parse as unknown as { initialize(appId: string, key: undefined, masterKey: string): void }
    initialize(server.appId, undefined, server.masterKey)
    Parse.serverURL = server.serverUrl
    user = new Parse.User({ username: 'ann', password: 'a secret' })
    await user.signUp()
    token = user.getSessionToken() as string
    other = createServer((request, response) => {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => response.end(JSON.stringify({ url: request.url, body })))
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await server.stop()
    await new Promise((resolve) => other.close(resolve))
    await rm(folder, { recursive: true })
  })

  const run = (name: string, params: object = {}, options: object = {}) =>
    Parse.Cloud.run(name, params as never, options) as Promise<unknown>
  const game = (fields: object) => new Parse.Object('Game', fields as never) as Parse.Object
  const listSeen = async (what: string) =>
    (await new Parse.Query('Seen').equalTo('what', what).ascending('createdAt').find(master)).map((seen) =>
      seen.toJSON(),
    )

  test('R21: functions return values of every kind, and errors as thrown', async () => {
    expect(await run('hello', { name: 'Ann' })).toBe('Hello Ann')
    expect(await run('dotted.name')).toEqual({ ok: true })
    expect(await run('nothing')).toBeUndefined()
    const when = new Date('2024-05-05T05:05:05.005Z')
    const who = Parse.Object.extend('Game').createWithoutData('abcdefghij')
    const kinds = await run('kinds', { when, who: who.toPointer(), list: [when] })
    expect(kinds).toEqual({ isDate: true, when, id: 'abcdefghij', className: 'Game', first: true })
    await expect(run('failText')).rejects.toEqual(refusal(141, 'as a text'))
    await expect(run('failError')).rejects.toEqual(refusal(141, 'as an error'))
    await expect(run('failCode')).rejects.toEqual(refusal(4242, 'with a code'))
  })

  test('P2: names that every object has by birth are no functions, jobs or hooks', async () => {
    for (const name of ['constructor', 'toString', '__proto__', '__proto__.x', 'hasOwnProperty', 'unknown']) {
      expect(await server.call('POST', `/functions/${name}`, {}), name).toMatchObject({
        status: 400,
        body: { code: 141, error: `Invalid function: "${name}"` },
      })
      expect((await server.call('POST', `/jobs/${name}`, {}, { master: true })).body.code, name).toBe(141)
    }
  })

  test('R21: a function knows its caller', async () => {
    const guest = { master: false, functionName: 'whoAmI', ip: '127.0.0.1', hasHeaders: true, logs: 'function' }
    expect(await run('whoAmI')).toMatchObject({ ...guest, context: {} })
    const options = { sessionToken: token, context: { from: 'a test' }, installationId: 'device-1' }
    expect(await run('whoAmI', {}, options)).toMatchObject({
      ...guest,
      user: 'ann',
      token,
      context: { from: 'a test' },
      installationId: 'device-1',
    })
    expect(await run('whoAmI', {}, master)).toMatchObject({ ...guest, master: true })
  })

  test('R21: validators refuse with 142 and say why', async () => {
    const as = { sessionToken: token }
    await expect(run('forUsers')).rejects.toEqual(refusal(142, 'Validation failed. Please login to continue.'))
    expect(await run('forUsers', {}, as)).toBe('welcome')
    await expect(run('forMaster', {}, as)).rejects.toEqual(refusal(142, /Master key is required/))
    expect(await run('forMaster', {}, master)).toBe('welcome')
    await expect(run('forAdmins', {}, as)).rejects.toEqual(refusal(142, /does not match the required roles/))
    const admins = new Parse.Role('admins', new Parse.ACL())
    admins.getUsers().add(user)
    await admins.save(null, master)
    expect(await run('forAdmins', {}, as)).toBe('welcome')
    await expect(run('forAll', {}, as)).rejects.toEqual(refusal(142, /does not match all the required roles/))
    expect(await run('forNamed', {}, as)).toBe('welcome')
    await expect(run('withList')).rejects.toEqual(refusal(142, 'Validation failed. Please specify data for title.'))
    await expect(run('withFunction')).rejects.toEqual(refusal(142, 'no pass'))
    expect(await run('withFunction', { pass: 1 })).toBe('ok')
    expect(await run('withFields', { title: 'a' })).toEqual({ title: 'a', size: 3 })
    const bad: [object, string][] = [
      [{}, 'Validation failed. Please specify data for title.'],
      [{ title: 1 }, 'Validation failed. Invalid type for title. Expected: string'],
      [{ title: 'a', size: 11 }, 'size must be below 10'],
      [{ title: 'a', color: 'green' }, 'Validation failed. Invalid option for color. Expected: red, blue'],
    ]
    for (const [params, message] of bad) await expect(run('withFields', params)).rejects.toEqual(refusal(142, message))
    await run('seldom')
    await run('seldom')
    await expect(run('seldom')).rejects.toMatchObject({ code: 155 })
  })

  test('R21: beforeSave sees and changes the object; the response contains its changes', async () => {
    const made = game({ name: 'The First', level: 1, draft: true })
    await made.save(null, { context: { steps: ['client'] } })
    expect([made.get('slug'), made.has('draft')]).toEqual(['the-first', false])
    made.increment('level', 2)
    await made.save()
    expect([made.get('level'), made.get('before')]).toEqual([3, 1])
    const stored = await new Parse.Query('Game').get(made.id as string)
    expect(stored.toJSON()).toMatchObject({ slug: 'the-first', level: 3, before: 1, title: 'The The First' })
    expect(stored.has('draft')).toBe(false)
    expect((await listSeen('afterSave')).filter(({ gameId }) => gameId === made.id)).toMatchObject([
      { existed: false, level: 1, steps: ['client', 'beforeSave'] },
      { existed: true, level: 3, before: 1 },
    ])
    await expect(game({ name: 'refused' }).save()).rejects.toEqual(refusal(141, 'no such name'))
    await expect(game({ name: 'coded' }).save()).rejects.toEqual(refusal(4711, 'a code of its own'))
  })

  test('saves of beforeSave commit or roll back with the object; a caught error leaves the rest intact', async () => {
    const countTags = () => new Parse.Query('Tag').count(master)
    const tagged = game({ name: 'Tagged', tag: 'red' })
    await tagged.save()
    expect(await countTags()).toBe(1)
    expect(await tagged.relation('tags').query().count(master)).toBe(1)
    expect(tagged.get('tagPointer').id).toMatch(/^\w{10}$/)
    await expect(game({ name: 'rolled back', tag: 'blue' }).save()).rejects.toEqual(refusal(141, /a save of its own/))
    expect(await countTags()).toBe(1)
    const careful = game({ name: 'careful', tag: 'green' })
    await careful.save()
    expect(careful.get('caught')).toBe('no such name')
    expect(await countTags()).toBe(2)
  })

  test('hooks run in batches and transactions, and after-hooks only for what was committed', async () => {
    expect(await run('saveMany')).toEqual(['many-1', 'many-2', 'many-3'])
    const before = (await listSeen('afterSave')).length
    const together = [game({ name: 'one of two' }), game({ name: 'refused' })]
    await expect(Parse.Object.saveAll(together, { transaction: true } as never)).rejects.toMatchObject([
      { message: 'no such name' },
      { message: 'no such name' },
    ])
    expect(await listSeen('afterSave')).toHaveLength(before)
    const whole = [game({ name: 'two a' }), game({ name: 'two b' })]
    await Parse.Object.saveAll(whole, { transaction: true } as never)
    expect(await listSeen('afterSave')).toHaveLength(before + 2)
    expect(whole.map((one) => one.get('slug'))).toEqual(['two-a', 'two-b'])
  })

  test('a throwing after-hook changes nothing; a returned object becomes the response', async () => {
    const loud = game({ name: 'loud' })
    await loud.save()
    expect(loud.id).toMatch(/^\w{10}$/)
    expect(server.logs.some((line) => line.includes('nobody hears this'))).toBe(true)
    const { body } = await server.call('POST', '/classes/Game', { name: 'answered' })
    expect(body).toMatchObject({ answered: true })
  })

  test('beforeDelete rejects, afterDelete runs; neither runs without permission to delete', async () => {
    const kept = game({ name: 'kept' })
    await kept.save()
    await expect(kept.destroy()).rejects.toEqual(refusal(141, 'this one stays'))
    await kept.destroy(master)
    expect(await listSeen('afterDelete')).toMatchObject([{ name: 'kept' }])
    const closed = game({ name: 'kept' })
    closed.setACL(new Parse.ACL(user))
    await closed.save(null, { sessionToken: token })
    await expect(closed.destroy()).rejects.toMatchObject({ code: 101 })
    closed.set('name', 'refused')
    await expect(closed.save()).rejects.toMatchObject({ code: 101 })
  })

  test('beforeFind and afterFind stand before every way to read: find, get, count, include, subquery', async () => {
    const secrets = ['ann', 'bob'].map((owner) => new Parse.Object('Secret', { owner } as never))
    await Parse.Object.saveAll(secrets, master)
    const holders = secrets.map((secret, index) => new Parse.Object('Holder', { secret, index } as never))
    await Parse.Object.saveAll(holders, master)
    const as = { sessionToken: token }
    const find = () => new Parse.Query('Secret')
    await expect(find().find()).rejects.toEqual(refusal(209, 'sign in first'))
    expect((await find().find(as)).map((secret) => secret.get('owner'))).toEqual(['ann'])
    expect(await find().count(as)).toBe(1)
    expect(await find().count(master)).toBe(2)
    const path = (index: number) => `/classes/Secret/${secrets[index]?.id}`
    expect((await server.call('GET', path(0), undefined, { token })).status).toBe(200)
    expect((await server.call('GET', path(1), undefined, { token })).status).toBe(404)
    expect((await server.call('GET', path(1))).body.code).toBe(209)
    const included = await new Parse.Query('Holder')
      .include('secret' as never)
      .ascending('index')
      .find(as)
    expect(included.map((holder) => holder.get('secret')?.get('owner'))).toEqual(['ann', undefined])
    await expect(new Parse.Query('Holder').include('secret' as never).find()).rejects.toMatchObject({ code: 209 })
    const within = () => new Parse.Query('Holder').matchesQuery('secret', find())
    expect((await within().find(as)).map((holder) => holder.get('index'))).toEqual([0])
    await expect(within().find()).rejects.toMatchObject({ code: 209 })
    const either = Parse.Query.or(within(), new Parse.Query('Holder').equalTo('index', 7))
    await expect(either.find()).rejects.toMatchObject({ code: 209 })
    expect(await run('countSecrets', {}, as)).toEqual({ count: 1, found: 1 })
    expect(await run('countSecrets', { master: true })).toEqual({ count: 2, found: 2 })
    await expect(run('countSecrets')).rejects.toEqual(refusal(209, 'sign in first'))
    await game({ name: 'invisible' }).save()
    expect(await new Parse.Query('Game').equalTo('name', 'invisible').find()).toEqual([])
  })

  test('an object that a function returns arrives as one', async () => {
    const made = game({ name: 'returned', at: new Date('2020-01-01T00:00:00.000Z') })
    await made.save()
    const found = (await run('getGame', { id: made.id })) as Parse.Object
    expect(found).toBeInstanceOf(Parse.Object)
    expect([found.id, found.get('at')]).toEqual([made.id, made.get('at')])
    await expect(run('getGame', { id: 'unknown' })).rejects.toMatchObject({ code: 101 })
  })

  test('functions call functions, read the settings, send requests', async () => {
    expect(await run('nested', { name: 'Ann' })).toBe('Hello inner Ann')
    await server.call('PUT', '/config', { params: { greeting: 'Good day' } }, { master: true })
    expect(await run('config')).toBe('Good day')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/path`
    const data = { url: '/path?q=a+b', body: '{"asked":true}' }
    expect(await run('fetchText', { url })).toEqual({ status: 200, data, text: JSON.stringify(data) })
  })

  test('functions keep files and delete them', async () => {
    expect(await run('keepFile', { text: 'kept' })).toEqual({
      name: expect.stringMatching(/_note\.txt$/),
      kept: 'kept',
      after: 404,
    })
  })

  test('jobs are started by code and by the API', async () => {
    const id = (await run('begin')) as string
    const status = await waitFor(async () => {
      const found = await new Parse.Query('_JobStatus').get(id, master)
      return found.get('status') === 'succeeded' ? found : undefined
    })
    expect(status.toJSON()).toMatchObject({ jobName: 'tidy', message: 'tidied up', params: { depth: 2 } })
    expect(await new Parse.Query('Tidied').count(master)).toBe(1)
  })

  test('users: sign-up, log-in, change, log-out and delete pass their hooks', async () => {
    const ban: Parse.User = new Parse.User({ username: 'ban', password: 'secret' })
    await ban.signUp()
    expect(ban.get('nick')).toBe('nick of ban')
    const refused = new Parse.User({ username: 'forbidden', password: 'secret' })
    await expect(refused.signUp()).rejects.toEqual(refusal(141, 'not this name'))
    const again = await Parse.User.logIn('ban', 'secret')
    await server.call('POST', '/logout', {}, { token: again.getSessionToken() as string })
    expect(await listSeen('login')).toMatchObject([{ name: 'ban' }])
    expect(await listSeen('logout')).toMatchObject([{ user: ban.id }])
    await ban.save({ banned: true } as never, master)
    await expect(Parse.User.logIn('ban', 'secret')).rejects.toEqual(refusal(4030, 'you are banned'))
    await ban.save({ nick: 'stays' } as never, master)
    await expect(ban.destroy(master)).rejects.toEqual(refusal(141, 'this user stays'))
    await ban.save({ nick: 'goes' } as never, master)
    await ban.destroy(master)
    expect((await listSeen('user')).map(({ name }) => name)).toEqual(['ann', 'ban', 'ban', 'ban', 'ban'])
  })

  test('validators of hooks: who may save, what may change', async () => {
    const rules = (fields: object) => new Parse.Object('Rules', fields as never)
    await expect(rules({ kind: 'a' }).save()).rejects.toEqual(refusal(142, /login/))
    await expect(rules({}).save(null, { sessionToken: token })).rejects.toEqual(refusal(142, /specify data for kind/))
    const kept = rules({ kind: 'a' })
    await kept.save(null, { sessionToken: token })
    await kept.save({ kind: 'b', more: 1 } as never, { sessionToken: token })
    expect((await kept.fetch()).toJSON()).toMatchObject({ kind: 'a', more: 1 })
    const skipped = new Parse.Object('Skipped')
    await expect(skipped.save()).rejects.toMatchObject({ code: 141 })
    await skipped.save(null, master)
  })

  test('P13: hooks that call each other without an end come to one', async () => {
    await new Parse.Object('Loop').save(null, master)
    expect(await new Parse.Query('Loop').count(master)).toBeLessThan(30)
    expect(await run('hello', { name: 'still' })).toBe('Hello still')
  })

  test('hooks of live queries wait in the registry', () => {
    for (const key of ['beforeConnect @Connect', 'beforeSubscribe Game', 'afterLiveQueryEvent Game']) {
      expect(server.context.registry.hooks.has(key), key).toBe(true)
    }
  })
})

async function waitFor<Result>(read: () => Promise<Result | undefined>): Promise<Result> {
  for (let tries = 0; tries < 100; tries++) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('it did not come to be in 10 s')
}

import { deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

/** Request forms of older clients, and the older server's responses. */

const server = serveTests({ allowCustomObjectId: true, mountPath: ['/parse', '/v/2'] })

const find = async (className: string, where: object, more: Record<string, string> = {}) => {
  const query = new URLSearchParams({ where: JSON.stringify(where), ...more })
  return server.call('GET', `/classes/${className}?${query}`)
}
const idsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.results as { objectId: string }[] | undefined)?.map(({ objectId }) => objectId).sort()

describe('queries', () => {
  beforeAll(async () => {
    await server.call('POST', '/classes/Owner', { objectId: 'o1', name: 'Ann', age: 3 })
    await server.call('POST', '/classes/Owner', { objectId: 'o2', name: 'Bob', age: 4 })
    const owner = (objectId: string) => ({ __type: 'Pointer', className: 'Owner', objectId })
    await server.call('POST', '/classes/Pet', { objectId: 'p1', owner: owner('o1'), tags: [1, null] })
    await server.call('POST', '/classes/Pet', { objectId: 'p2', owner: owner('o2'), tags: [2] })
    await server.call('POST', '/classes/Pet', { objectId: 'p3' })
  })

  test('conditions, keys and order as text inside a body', async () => {
    const body = { _method: 'GET', where: '{"owner":{"$exists":true}}', keys: 'owner', order: '-objectId', limit: '1' }
    const answer = await server.call('POST', '/classes/Pet', body)
    expect(answer.status, answer.text).toBe(200)
    expect(idsOf(answer)).toEqual(['p2'])
    const broken = await server.call('POST', '/classes/Pet', { _method: 'GET', where: '{"owner"' })
    expect([broken.status, broken.body.code]).toEqual([400, 107])
  })

  test.each([
    ['equality', { owner: 'o1' }, ['p1']],
    ['$eq', { owner: { $eq: 'o1' } }, ['p1']],
    ['$ne', { owner: { $ne: 'o1' } }, ['p2', 'p3']],
    ['$in', { owner: { $in: ['o1', 'o2'] } }, ['p1', 'p2']],
    ['$nin', { owner: { $nin: ['o1'] } }, ['p2', 'p3']],
    ['of nobody', { owner: 'nobody' }, []],
    ['$exists: 1', { owner: { $exists: 1 } }, ['p1', 'p2']],
    ['$exists: 0', { owner: { $exists: 0 } }, ['p3']],
    ['$in: [null] finds null inside arrays', { tags: { $in: [null] } }, ['p1', 'p3']],
    ['$ne: null', { tags: { $ne: null } }, ['p2']],
  ])('bare ids and flags: %s', async (_, where, expected) => {
    const answer = await find('Pet', where)
    expect(answer.status, answer.text).toBe(200)
    expect(idsOf(answer)).toEqual(expected)
  })

  test('keys=p,p.name trims the pointer', async () => {
    const answer = await find('Pet', { objectId: 'p1' }, { keys: 'owner,owner.name', include: 'owner' })
    const [pet] = answer.body.results as [{ owner: object }]
    expect(pet.owner).toMatchObject({ objectId: 'o1', name: 'Ann' })
    expect(pet.owner).not.toHaveProperty('age')
  })

  test('hint and comment do no harm', async () => {
    const answer = await find('Pet', { objectId: 'p1' }, { hint: '_id_', comment: 'mine' })
    expect([answer.status, idsOf(answer)]).toEqual([200, ['p1']])
  })

  test('text search by language and case, best first', async () => {
    for (const [objectId, text] of [
      ['t1', 'Coffee'],
      ['t2', 'coffee coffee coffee'],
      ['t3', 'café'],
    ])
      await server.call('POST', '/classes/Text', { objectId, text })
    const search = (more: object) => ({ text: { $text: { $search: { $term: 'coffee', ...more } } } })
    const all = await find('Text', search({ $language: 'en' }), { order: '$score', keys: '$score,text' })
    expect(all.status, all.text).toBe(200)
    expect((all.body.results as { objectId: string }[]).map(({ objectId }) => objectId)).toEqual(['t2', 't1'])
    expect(idsOf(await find('Text', search({ $caseSensitive: true })))).toEqual(['t2'])
    const accents = (more: object) => ({ text: { $text: { $search: { $term: 'cafe', ...more } } } })
    expect(idsOf(await find('Text', accents({ $diacriticSensitive: false })))).toEqual(['t3'])
    expect(idsOf(await find('Text', accents({ $diacriticSensitive: true })))).toEqual([])
  })
})

describe('writes', () => {
  test('a create with operations returns the values', async () => {
    const made = await server.call('POST', '/classes/Counter', {
      count: { __op: 'Increment', amount: 3 },
      list: { __op: 'AddUnique', objects: ['a', 'a', 'b'] },
      more: { __op: 'Add', objects: [1] },
      plain: 'x',
    })
    expect(made.body).toMatchObject({ count: 3, list: ['a', 'b'], more: [1] })
    expect(made.body.plain).toBeUndefined()
  })

  test('bytes that are not base64 are refused', async () => {
    for (const base64 of ['!!!!', 'a', 5]) {
      const answer = await server.call('POST', '/classes/Blob', { data: { __type: 'Bytes', base64 } })
      expect([answer.status, answer.body.code], JSON.stringify(base64)).toEqual([400, 111])
    }
    for (const base64 of ['', 'aGk=', 'aGk', '-_8='])
      expect((await server.call('POST', '/classes/Blob', { data: { __type: 'Bytes', base64 } })).status).toBe(201)
  })

  test('a user with an id of the client’s choice, where that is allowed', async () => {
    const made = await server.call('POST', '/users', { objectId: 'chosenId01', username: 'chosen', password: 'x' })
    expect([made.status, made.body.objectId]).toEqual([201, 'chosenId01'])
    const again = await server.call('POST', '/users', { objectId: 'chosenId01', username: 'other', password: 'x' })
    expect([again.status, again.body.code]).toEqual([400, 137])
    for (const objectId of ['role:admin', '', 'a b', '*']) {
      const refused = await server.call('POST', '/users', { objectId, username: `u${objectId}`, password: 'x' })
      expect([refused.status < 500, refused.status >= 400], objectId).toEqual([true, true])
    }
  })
})

test('an operation on an element of an array that is not there is refused', async () => {
  const { body } = await server.call('POST', '/classes/Sparse', { a: 1, list: [1] })
  for (const changes of [
    { 'missing.0': { __op: 'Increment', amount: 1 } },
    { 'a.0': { __op: 'Increment', amount: 1 } },
  ]) {
    const answer = await server.call('PUT', `/classes/Sparse/${body.objectId}`, changes)
    expect([answer.status >= 400, answer.status < 500], answer.text).toEqual([true, true])
  }
})

describe('schemas', () => {
  test('an update returns indexes, also when the last one was removed', async () => {
    await server.call(
      'POST',
      '/schemas/Indexed',
      { className: 'Indexed', fields: { a: { type: 'String' } } },
      { master: true },
    )
    const put = (indexes: object) =>
      server.call('PUT', '/schemas/Indexed', { className: 'Indexed', indexes }, { master: true })
    expect((await put({ byA: { a: 1 } })).body.indexes).toMatchObject({ byA: { a: 1 } })
    const removed = await put({ byA: { __op: 'Delete' } })
    expect(removed.body).toHaveProperty('indexes')
    expect(removed.body.indexes).not.toHaveProperty('byA')
  })
})

describe('forms of requests', () => {
  const raw = (path: string, init: RequestInit & { headers?: Record<string, string> }) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { 'X-Parse-Application-Id': server.appId, 'Content-Type': 'application/json', ...init.headers },
    })

  test('X-HTTP-Method-Override stands for the method', async () => {
    const { body } = await server.call('POST', '/classes/Form', { a: 1 })
    const path = `/classes/Form/${body.objectId}`
    const headers = { 'X-HTTP-Method-Override': 'PUT' }
    const changed = await server.call('POST', path, { a: 2 }, { headers })
    expect([changed.status, (await server.call('GET', path)).body.a]).toEqual([200, 2])
    const wrong = await server.call('POST', path, { a: 2 }, { headers: { 'X-HTTP-Method-Override': 'TRACE' } })
    expect([wrong.status >= 400, wrong.status < 500]).toEqual([true, true])
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('bodies in %s', async (encoding, pack) => {
    const body = pack(JSON.stringify({ packed: encoding }))
    const answer = await raw('/server/classes/Packed', {
      method: 'POST',
      body,
      headers: { 'Content-Encoding': encoding },
    })
    expect(answer.status, await answer.text()).toBe(201)
    const found = await find('Packed', { packed: encoding })
    expect(idsOf(found)).toHaveLength(1)
  })

  test('a small body that inflates beyond the limit is refused, and so is a broken one', async () => {
    const send = (body: Buffer, encoding = 'gzip') =>
      raw('/server/classes/Packed', { method: 'POST', body, headers: { 'Content-Encoding': encoding } })
    const bomb = gzipSync(JSON.stringify({ a: 'x'.repeat(200 * 1024 * 1024) }))
    expect(bomb.length).toBeLessThan(1024 * 1024)
    const before = process.memoryUsage().rss
    expect((await send(bomb)).status).toBe(413)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    expect((await send(Buffer.from('no gzip at all'))).status).toBe(400)
    expect((await send(gzipSync('{}').subarray(0, 12))).status).toBe(400)
    expect((await send(gzipSync('{}'), 'br, gzip')).status).toBe(415)
  })

  test.each(['/parse', '/v/2', '/1'])('the API is under %s too', async (mount) => {
    const answer = await raw(`${mount}/classes/Mounted`, { method: 'POST', body: JSON.stringify({ a: 1 }) })
    expect(answer.status).toBe(201)
    const requests = [{ method: 'POST', path: `${mount}/classes/Mounted`, body: { a: 2 } }]
    const batch = await raw(`${mount}/batch`, { method: 'POST', body: JSON.stringify({ requests }) })
    expect([batch.status, ((await batch.json()) as { success?: object }[])[0]]).toMatchObject([200, { success: {} }])
  })

  test('events are accepted and forgotten', async () => {
    for (const name of ['AppOpened', 'read']) {
      const answer = await server.call('POST', `/events/${name}`, {
        dimensions: { a: 'b' },
        at: { __type: 'Date', iso: '2026-01-01T00:00:00.000Z' },
      })
      expect([answer.status, answer.body]).toEqual([200, {}])
    }
  })

  test('push says that it is not set up', async () => {
    const answer = await server.call('POST', '/push', { where: {}, data: { alert: 'x' } }, { master: true })
    expect([answer.status, answer.body.code]).toEqual([400, 115])
    expect((await server.call('POST', '/push', { where: {}, data: {} })).body.error).toBe(
      'unauthorized: master key is required',
    )
  })
})

describe('writes', () => {
  const make = async (className: string, fields: object) =>
    (await server.call('POST', `/classes/${className}`, fields)).body.objectId as string
  const read = async (className: string, id: string) =>
    (await server.call('GET', `/classes/${className}/${id}`, undefined, { master: true })).body

  test.each([
    ['Increment', { __op: 'Increment', amount: 1 }, [2]],
    ['Add', { __op: 'Add', objects: [1] }, undefined],
    ['AddUnique', { __op: 'AddUnique', objects: [1] }, undefined],
    ['Remove', { __op: 'Remove', objects: [1] }, undefined],
  ])('%s inside a list that the object does not have is refused', async (name, operation, after) => {
    await server.call('POST', '/schemas/Listed', { fields: { list: { type: 'Array' } } }, { master: true })
    const id = await make('Listed', { n: 1 })
    const refused = await server.call('PUT', `/classes/Listed/${id}`, { n: 2, 'list.0': operation })
    expect([refused.status, refused.body.code, refused.body.error]).toEqual([
      400,
      119,
      'The list does not exist yet. Set the whole field first.',
    ])
    const { n, list } = await read('Listed', id)
    expect([n, list]).toEqual([1, undefined])
    const first = await make('Listed', { list: name === 'Increment' ? [1] : [[1, 2]] })
    expect((await server.call('PUT', `/classes/Listed/${first}`, { 'list.0': operation })).status).toBe(200)
    if (after) expect((await read('Listed', first)).list).toEqual(after)
  })

  test('deleting an entry of a list that the object does not have changes nothing', async () => {
    await server.call('POST', '/schemas/Unlisted', { fields: { list: { type: 'Array' } } }, { master: true })
    const id = await make('Unlisted', { n: 1 })
    for (const key of ['list.0', 'list.0.name'])
      expect((await server.call('PUT', `/classes/Unlisted/${id}`, { [key]: { __op: 'Delete' } })).status).toBe(200)
    expect(await read('Unlisted', id)).not.toHaveProperty('list')
  })

  test('an objectId has at most 128 characters, and every accepted one is reachable', async () => {
    const longest = 'x'.repeat(128)
    expect((await server.call('POST', '/classes/Long', { objectId: longest })).status).toBe(201)
    expect((await read('Long', longest)).objectId).toBe(longest)
    const refused = await server.call('POST', '/classes/Long', { objectId: `${longest}x` })
    expect([refused.status, refused.body.code]).toEqual([400, 105])
  })

  test.each([[''], [null]])(
    'an empty objectId (%j) is refused where clients choose ids, and means none elsewhere',
    async (objectId) => {
      const refused = await server.call('POST', '/classes/Unnamed', { objectId, n: 1 })
      expect([refused.status, refused.body.code]).toEqual([400, 104])
      const plain = await createTestServer({}, server.database)
      try {
        const { status, body } = await plain.call('POST', '/classes/Unnamed', { objectId, n: 1 })
        expect([status, body.objectId]).toEqual([201, expect.stringMatching(/^\w{10,}$/)])
      } finally {
        await plain.stop()
      }
    },
  )

  test('the response of a create shows the default access list, and no list that the client sent', async () => {
    const classLevelPermissions = { create: { '*': true }, ACL: { '*': { read: true }, currentUser: { write: true } } }
    const schema = { fields: { n: { type: 'Number' } }, classLevelPermissions }
    await server.call('POST', '/schemas/Defaulted', schema, { master: true })
    const { objectId, token } = await server.signUp('defaulted')
    const made = await server.call('POST', '/classes/Defaulted', { n: 1 }, { token })
    expect(made.body.ACL).toEqual({ '*': { read: true }, [objectId]: { write: true } })
    expect((await read('Defaulted', made.body.objectId as string)).ACL).toEqual(made.body.ACL)
    const given = await server.call('POST', '/classes/Defaulted', { ACL: { '*': { read: true } } }, { token })
    expect(given.body).not.toHaveProperty('ACL')
  })

  test('a file without an address comes back with one', async () => {
    const id = await make('Filed', { file: { __type: 'File', name: 'cat picture.png' } })
    const url = `${server.context.publicUrl}${server.context.config.mount}/files/${server.appId}/cat%20picture.png`
    expect((await read('Filed', id)).file).toEqual({ __type: 'File', name: 'cat picture.png', url })
  })
})

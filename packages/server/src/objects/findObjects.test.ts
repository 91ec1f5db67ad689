import { beforeAll, describe, expect, test } from 'vitest'
import { createTestServer } from '../testing/createTestServer.ts'
import { serveTests } from '../testing/serveTests.ts'

type Fields = Record<string, unknown>
type Found = Fields & { objectId: string }

let ada: { objectId: string; token: string }
let bob: { objectId: string; token: string }
const ids = new Map<string, string>()

const pointer = (className: string, name: string) => ({ __type: 'Pointer', className, objectId: ids.get(name) ?? name })

async function create(className: string, name: string, fields: Fields = {}): Promise<string> {
  const { status, body } = await server.call('POST', `/classes/${className}`, { name, ...fields }, { master: true })
  if (status !== 201) throw new Error(JSON.stringify(body))
  ids.set(name, body.objectId as string)
  return body.objectId as string
}

type Who = { token?: string; master?: boolean }
const find = (className: string, input: Fields = {}, who: Who = { master: true }) =>
  server.call('POST', `/classes/${className}`, { _method: 'GET', ...input }, who)

async function results(className: string, input: Fields = {}, who?: Who): Promise<Found[]> {
  const { status, body } = await find(className, input, who)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.results as Found[]
}
const names = async (className: string, input: Fields = {}, who?: Who) =>
  (await results(className, input, who)).map(({ name }) => name)

const server = serveTests({
  maxLimit: 8,
  requestComplexity: { includeDepth: 3, includeCount: 6 },
  protectedFields: { Post: { '*': ['secret'] } },
})
beforeAll(async () => {
  ada = await server.signUp('ada', { email: 'ada@example.com', nick: 'Ada' })
  bob = await server.signUp('bob', { email: 'bob@example.com' })
  await create('Blog', 'blog', { owner: pointer('_User', ada.objectId), ACL: { '*': { read: true } } })
  await create('Post', 'first', {
    blog: pointer('Blog', 'blog'),
    likes: 3,
    meta: { a: 1, b: { c: 2, d: 3 }, post: undefined },
    tags: ['x'],
    secret: 'hidden',
    nothing: null,
  })
  await create('Post', 'second', { blog: pointer('Blog', 'blog'), likes: 1, previous: pointer('Post', 'first') })
  await create('Post', 'private', { likes: 5, ACL: { [ada.objectId]: { read: true, write: true } } })
  await create('Post', 'locked', { likes: 7, ACL: {} })
  await create('Post', 'third', {
    likes: 3,
    previous: pointer('Post', 'private'),
    others: [pointer('Post', 'first'), pointer('Post', 'private'), pointer('Post', 'gone'), 5],
    meta: { post: pointer('Post', 'first') },
  })
})

describe('order, limit, skip, count', () => {
  test('objects come in the order that is asked for, absent values first', async () => {
    expect(await names('Post', { order: 'likes,name' })).toEqual(['second', 'first', 'third', 'private', 'locked'])
    expect(await names('Post', { order: '-likes,-name' })).toEqual(['locked', 'private', 'third', 'first', 'second'])
    const byMeta = await names('Post', { order: 'meta.a,name' })
    expect(byMeta).toEqual(['locked', 'private', 'second', 'third', 'first'])
    expect((await names('Post', { order: '-meta.a,name' }))[0]).toBe('first')
    expect(await names('Post', { order: 'unknown,-createdAt', limit: 1 })).toEqual(['third'])
    expect(await names('Post', { order: '_created_at', limit: 1 })).toEqual(['first'])
    for (const order of ['_x', 'a b', '$x', '-']) expect((await find('Post', { order })).body.code).toBe(105)
  })

  test.each(['estimat', 'exact', 'yes', '2', 'TRUE', '[1]'])('count=%s is refused', async (value) => {
    const { status, body } = await server.call('GET', `/classes/Post?count=${encodeURIComponent(value)}`)
    expect([status, body.code]).toEqual([400, 102])
  })

  test.each(['1', 'true'])('count=%s counts', async (value) => {
    expect((await server.call('GET', `/classes/Post?limit=0&count=${value}`)).body.count).toBeGreaterThan(0)
  })

  test.each(['0', 'false', ''])('count=%s does not', async (value) => {
    expect((await server.call('GET', `/classes/Post?limit=0&count=${value}`)).body).toEqual({ results: [] })
  })

  test('limit, skip and count', async () => {
    expect(await names('Post', { order: 'name', limit: 2, skip: 1 })).toEqual(['locked', 'private'])
    const counted = await find('Post', { limit: 1, count: 1, where: { likes: 3 } })
    expect(counted.body).toMatchObject({ count: 2 })
    expect(counted.body.results).toHaveLength(1)
    expect((await find('Post', { limit: 0, count: 1 })).body).toEqual({ results: [], count: 5 })
    expect((await find('Post', { limit: 0 })).body).toEqual({ results: [] })
    expect((await find('Post', { count: 1, limit: 0 }, {})).body.count).toBe(3)
    expect((await find('Post', { count: 1, limit: 0 }, { token: ada.token })).body.count).toBe(4)
    expect((await find('Nowhere', { count: 1 })).body).toEqual({ results: [], count: 0 })
    for (const input of [{ limit: -1 }, { limit: 'x' }, { skip: -1 }, { skip: 1.5 }, { limit: {} }, { foo: 1 }]) {
      expect((await find('Post', input)).body.code).toBe(102)
    }
  })

  test('a client gets no more at once than maxLimit says', async () => {
    for (let index = 0; index < 10; index++) await create('Many', `m${index}`)
    expect(await names('Many', { limit: 100 }, {})).toHaveLength(8)
    expect(await names('Many', { limit: 100 })).toHaveLength(10)
  })

  test('parameters of the query string', async () => {
    const where = encodeURIComponent(JSON.stringify({ likes: 3 }))
    const { body } = await server.call('GET', `/classes/Post?where=${where}&order=-name&limit=1&keys=name`)
    expect(body.results).toMatchObject([{ name: 'third' }])
    expect((await server.call('GET', '/classes/Post?where=nonsense')).body.code).toBe(107)
  })
})

test('a class that is not there has no objects, and a mistake in the query is refused all the same', async () => {
  const ask = (where: object, more = '') =>
    server.call('GET', `/classes/NotThere?where=${encodeURIComponent(JSON.stringify(where))}${more}`)
  expect((await ask({ a: 1 }, '&count=1')).body).toEqual({ results: [], count: 0 })
  expect((await ask({ $foo: 'bar' })).body.code).toBe(105)
  expect((await ask({ a: { $regex: 'b', $options: 'nothing known' } })).body.code).toBe(102)
  expect((await ask({ a: { $in: 1 } })).body.code).toBe(107)
  expect((await ask({ a: 1 }, '&order=_a')).body.code).toBe(105)
})

describe('cursor', () => {
  const read = async (input: Fields, who?: Who) => {
    const pages: unknown[][] = []
    let cursor: unknown = true
    while (cursor !== undefined && pages.length < 20) {
      const { status, body } = await find('Paged', { ...input, cursor }, who)
      if (status !== 200) throw new Error(JSON.stringify(body))
      pages.push((body.results as Found[]).map(({ name }) => name))
      cursor = body.cursor
    }
    return pages
  }

  beforeAll(async () => {
    const rows: Fields[] = [
      { n: 1, t: 'b' },
      { n: 1, t: 'a' },
      { n: 2 },
      { t: 'c' },
      {},
      { n: 2, t: 'a', o: { k: 1 } },
      { n: 3, when: { __type: 'Date', iso: '2020-01-01T00:00:00.001Z' }, o: { k: 'x' } },
    ]
    for (const [index, row] of rows.entries()) await create('Paged', `p${index}`, row)
  })

  test.each(['', 'n', '-n', 'n,-t', '-n,t', 't,n', 'createdAt', '-createdAt', 'objectId', '-when', 'o.k', '-o.k,n'])(
    'pages of every size follow the order "%s" without a gap',
    async (order) => {
      const whole = (await read({ order, limit: 100 })).flat()
      expect([...whole].sort()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'])
      if (order !== '') expect(whole).toEqual(await names('Paged', { order }))
      for (const limit of [1, 2, 3]) expect((await read({ order, limit })).flat()).toEqual(whole)
    },
  )

  test('pages stay whole while objects come and go', async () => {
    const first = await find('Paged', { order: 'name', limit: 3, cursor: true })
    await create('Paged', 'p00')
    await server.call('DELETE', `/classes/Paged/${ids.get('p1')}`, undefined, { master: true })
    const second = await find('Paged', { order: 'name', limit: 3, cursor: first.body.cursor })
    expect((second.body.results as Found[]).map(({ name }) => name)).toEqual(['p3', 'p4', 'p5'])
    const last = await find('Paged', { order: 'name', limit: 3, cursor: second.body.cursor })
    expect(last.body).not.toHaveProperty('cursor')
  })

  test('a cursor serves its own query alone', async () => {
    const { body } = await find('Paged', { order: 'n', limit: 1, cursor: true })
    const others = [{ order: '-n' }, { order: 'n', where: { n: 1 } }, { order: 'n', skip: 1 }]
    for (const input of others) expect((await find('Paged', { ...input, cursor: body.cursor })).body.code).toBe(102)
    expect((await find('Post', { order: 'n', cursor: body.cursor })).body.code).toBe(102)
    const forged = (values: unknown[]) => {
      const [query] = JSON.parse(Buffer.from(body.cursor as string, 'base64url').toString())
      return Buffer.from(JSON.stringify([query, ...values])).toString('base64url')
    }
    for (const values of [[], ['x', 'y'], [{}, 'y'], [true, 1], [1], [1, 2, 3]]) {
      expect((await find('Paged', { order: 'n', cursor: forged(values) })).status).toBeLessThan(500)
    }
  })
})

describe('keys and include', () => {
  test('keys and excludeKeys choose the fields; what makes an object one stays', async () => {
    const where = { name: 'first' }
    const [chosen] = await results('Post', { where, keys: 'likes,meta.b.c,nothing' })
    expect(Object.keys(chosen as Found).sort()).toEqual([
      'createdAt',
      'likes',
      'meta',
      'nothing',
      'objectId',
      'updatedAt',
    ])
    expect(chosen).toMatchObject({ likes: 3, meta: { b: { c: 2 } }, nothing: null })
    const [rest] = await results('Post', { where, excludeKeys: 'likes,meta.b,objectId,tags' })
    expect(rest).toMatchObject({ name: 'first', meta: { a: 1 }, objectId: ids.get('first') })
    expect(rest).not.toHaveProperty('likes')
    expect(rest).not.toHaveProperty('meta.b')
    const [whole] = await results('Post', { where, keys: 'meta.b.c,meta' })
    expect(whole).toMatchObject({ meta: { a: 1, b: { c: 2, d: 3 } } })
    const one = await server.call('GET', `/classes/Post/${ids.get('first')}?keys=likes&excludeKeys=likes`)
    expect(Object.keys(one.body).sort()).toEqual(['createdAt', 'objectId', 'updatedAt'])
    expect((await server.call('GET', `/classes/Post/${ids.get('first')}?where={}`)).body.code).toBe(102)
  })

  test('include leads through pointers, arrays and objects as deep as asked', async () => {
    const [third] = await results('Post', {
      where: { name: 'third' },
      include: 'previous,others.blog.owner,meta.post',
    })
    expect(third).toMatchObject({
      previous: { __type: 'Object', className: 'Post', name: 'private' },
      meta: { post: { __type: 'Object', name: 'first', blog: { __type: 'Pointer' } } },
    })
    const others = (third as unknown as { others: Found[] }).others
    expect(others.map((other) => other.name ?? other)).toEqual(['first', 'private', 5])
    expect(others[0]).toMatchObject({ blog: { name: 'blog', owner: { __type: 'Object', username: 'ada' } } })
    const [all] = await results('Post', { where: { name: 'second' }, includeAll: true })
    expect(all).toMatchObject({ blog: { name: 'blog', owner: { __type: 'Pointer' } }, previous: { name: 'first' } })
    const [star] = await results('Post', { where: { name: 'second' }, include: '*' })
    expect(star).toEqual(all)
    const one = await server.call('GET', `/classes/Post/${ids.get('second')}?include=previous.blog`)
    expect(one.body).toMatchObject({ previous: { name: 'first', blog: { name: 'blog' } } })
  })

  test('a dotted key includes what it leads through, with that key alone', async () => {
    const [second] = await results('Post', { where: { name: 'second' }, keys: 'previous.likes' })
    expect(Object.keys(second as Found).sort()).toEqual(['createdAt', 'objectId', 'previous', 'updatedAt'])
    expect(Object.keys((second as unknown as { previous: Found }).previous).sort()).toEqual([
      '__type',
      'className',
      'createdAt',
      'likes',
      'objectId',
      'updatedAt',
    ])
  })

  test('unreadable documents are removed from includes', async () => {
    const ask = { where: { name: 'third' }, include: 'previous,others' }
    const [guest] = await results('Post', ask, {})
    expect(guest).not.toHaveProperty('previous')
    expect((guest as unknown as { others: Found[] }).others).toHaveLength(2)
    const [owner] = await results('Post', ask, { token: ada.token })
    expect(owner).toMatchObject({ previous: { name: 'private' } })
    const [second] = await results('Post', { where: { name: 'second' }, include: 'previous,blog.owner' }, {})
    expect(second).not.toHaveProperty('previous.secret')
    // The user is private: nobody else reads it.
    expect(second).not.toHaveProperty('blog.owner')
    const [own] = await results('Post', { where: { name: 'second' }, include: 'blog.owner' }, { token: ada.token })
    expect(own).toMatchObject({ blog: { owner: { username: 'ada', email: 'ada@example.com' } } })
    expect(JSON.stringify(own)).not.toMatch(/sessionToken|authData|_password/)
  })

  test('P13: include has its limits', async () => {
    for (const include of ['a.b.c.d', 'a,b,c,d,e,f,g', '_x', 'a..b']) {
      expect([102, 105]).toContain((await find('Post', { include }, {})).body.code)
    }
  })

  test('a circle of pointers ends with the names', async () => {
    const one = await create('Circle', 'one')
    const two = await create('Circle', 'two', { next: pointer('Circle', 'one') })
    await server.call('PUT', `/classes/Circle/${one}`, { next: pointer('Circle', 'two') }, { master: true })
    const answer = await server.call('GET', `/classes/Circle/${two}?include=next.next.next`)
    expect(answer.body).toMatchObject({ next: { name: 'one', next: { name: 'two', next: { name: 'one', next: {} } } } })
  })
})

describe('access', () => {
  test('visible results', async () => {
    const visible = (who: Who) => names('Post', { order: 'name' }, who)
    expect(await visible({})).toEqual(['first', 'second', 'third'])
    expect(await visible({ token: bob.token })).toEqual(['first', 'second', 'third'])
    expect(await visible({ token: ada.token })).toEqual(['first', 'private', 'second', 'third'])
    expect(await visible({ master: true })).toEqual(['first', 'locked', 'private', 'second', 'third'])
    const read = async (name: string, who: Who) =>
      (await server.call('GET', `/classes/Post/${ids.get(name)}`, undefined, who)).status
    expect(await read('private', { token: ada.token })).toBe(200)
    expect(await read('private', { token: bob.token })).toBe(404)
    expect(await read('locked', {})).toBe(404)
    expect(await read('locked', { master: true })).toBe(200)
  })

  test('P5: subqueries and relations reveal nothing that the caller may not read', async () => {
    const where = { previous: { $inQuery: { className: 'Post', where: { likes: 5 } } } }
    expect(await names('Post', { where }, {})).toEqual([])
    expect(await names('Post', { where }, { token: ada.token })).toEqual(['third'])
    const select = { likes: { $select: { key: 'likes', query: { className: 'Post', where: { name: 'locked' } } } } }
    await create('Guess', 'guess', { likes: 7 })
    expect(await names('Guess', { where: select }, {})).toEqual([])
    expect(await names('Guess', { where: select })).toEqual(['guess'])
    const relation = { friends: { __op: 'AddRelation', objects: [pointer('Guess', 'guess')] } }
    for (const name of ['private', 'first']) {
      await server.call('PUT', `/classes/Post/${ids.get(name)}`, relation, { master: true })
    }
    const related = (name: string) => ({ $relatedTo: { object: pointer('Post', name), key: 'friends' } })
    expect(await names('Guess', { where: related('private') }, {})).toEqual([])
    expect(await names('Guess', { where: related('private') }, { token: ada.token })).toEqual(['guess'])
    expect(await names('Guess', { where: related('first') }, {})).toEqual(['guess'])
  })

  test('P5: a hidden field can be neither read nor asked about', async () => {
    const [first] = await results('Post', { where: { name: 'first' } }, {})
    expect(first).not.toHaveProperty('secret')
    const questions: Fields[] = [
      { where: { secret: 'hidden' } },
      { where: { secret: { $regex: '^h' } } },
      { where: { 'secret.x': 1 } },
      { where: { $or: [{ likes: 1 }, { secret: { $ne: 'x' } }] } },
      { where: { $nor: [{ $and: [{ secret: { $exists: true } }] }] } },
      { order: 'secret' },
      { order: '-secret' },
      { where: { previous: { $inQuery: { className: 'Post', where: { secret: 'hidden' } } } } },
      { where: { name: { $select: { key: 'secret', query: { className: 'Post', where: {} } } } } },
      { where: { secret: 'hidden' }, count: 1, limit: 0 },
    ]
    for (const question of questions) expect((await find('Post', question, {})).body.code).toBe(119)
    expect(await names('Post', { where: { secret: 'hidden' } })).toEqual(['first'])
    expect((await find('Post', { keys: 'secret', where: { name: 'first' } }, {})).text).not.toContain('hidden')
    for (const field of ['email', 'emailVerified']) {
      expect((await find('_User', { where: { [field]: 'ada@example.com' } }, { token: bob.token })).body.code).toBe(119)
    }
    for (const field of ['_password_hash', '_email_key', '_wperm']) {
      expect((await find('_User', { where: { [field]: { $regex: '^a' } } })).body.code).toBe(105)
    }
    for (const field of ['password', 'authData', 'sessionToken', 'authData.moralisEth.id']) {
      expect((await find('_User', { where: { [field]: { $regex: '^' } } })).body.results).toEqual([])
    }
  })

  test('permissions of the class decide who may find, get and count', async () => {
    await create('Guarded', 'guarded', { owner: pointer('_User', ada.objectId) })
    const permit = (classLevelPermissions: Fields) =>
      server.call('PUT', '/schemas/Guarded', { classLevelPermissions }, { master: true })
    const id = ids.get('guarded')
    await permit({ get: { '*': true } })
    expect((await find('Guarded', {}, {})).body.code).toBe(119)
    expect((await find('Guarded', { where: { objectId: id } }, {})).status).toBe(200)
    expect((await find('Guarded', { count: 1, limit: 0 }, {})).body.code).toBe(119)
    expect((await server.call('GET', `/classes/Guarded/${id}`)).status).toBe(200)
    await permit({ find: { requiresAuthentication: true } })
    expect((await find('Guarded', {}, {})).status).toBe(404)
    expect(await names('Guarded', {}, { token: bob.token })).toEqual(['guarded'])
    expect((await server.call('GET', `/classes/Guarded/${id}`)).body.code).toBe(119)
    await permit({ find: {}, readUserFields: ['owner'] })
    expect(await names('Guarded', {}, {})).toEqual([])
    expect(await names('Guarded', {}, { token: bob.token })).toEqual([])
    expect(await names('Guarded', {}, { token: ada.token })).toEqual(['guarded'])
    expect(await names('Post', { where: { blog: { $inQuery: { className: 'Guarded', where: {} } } } }, {})).toEqual([])
  })

  test('P11: internal classes are hidden from clients', async () => {
    for (const className of [
      '_Idempotency',
      '_Join:users:_Role',
      '_Hooks',
      '_JobStatus',
      '_Installation',
      '_Audience',
    ]) {
      const path = `/classes/${encodeURIComponent(className)}`
      expect((await server.call('GET', path)).body.code).toBe(119)
      const where = { owner: { $inQuery: { className, where: {} } } }
      expect((await find('Blog', { where }, {})).body.code).toBe(119)
    }
    await create('Sneak', 'sneak', { device: { __type: 'Pointer', className: '_JobStatus', objectId: 'x' } })
    const [sneak] = await results('Sneak', { include: 'device' }, {})
    expect(sneak).not.toHaveProperty('device')
  })

  test('users, sessions and roles are read like objects, by their own rules', async () => {
    const users = await server.call('GET', '/users', undefined, { token: ada.token })
    expect(users.body.results).toMatchObject([{ username: 'ada', email: 'ada@example.com', nick: 'Ada' }])
    expect(users.text).not.toMatch(/sessionToken|_password/)
    expect((await server.call('GET', '/users')).body.results).toEqual([])
    const self = await server.call('GET', `/users/${ada.objectId}?keys=nick`, undefined, { token: ada.token })
    expect(self.body).toMatchObject({ nick: 'Ada', sessionToken: ada.token })
    expect(self.body).not.toHaveProperty('username')

    expect((await find('_Session', {}, {})).body.code).toBe(209)
    expect((await server.call('GET', '/sessions')).body.code).toBe(209)
    const own = await find('_Session', {}, { token: ada.token })
    expect(own.body.results).toHaveLength(1)
    expect(own.text).not.toContain('_token_hash')
    expect(await results('_Session', { where: { sessionToken: ada.token } }, { token: ada.token })).toHaveLength(1)
    expect(await results('_Session', { where: { sessionToken: bob.token } }, { token: ada.token })).toEqual([])
    expect(await results('_Session', { where: { sessionToken: bob.token } })).toHaveLength(1)
    const odd = await find('_Session', { where: { sessionToken: { $regex: '^r' } } }, { token: ada.token })
    expect(odd.body.code).toBe(102)
    const other = { user: { __type: 'Pointer', className: '_User', objectId: bob.objectId } }
    expect(await results('_Session', { where: other }, { token: ada.token })).toEqual([])

    await server.call('POST', '/roles', { name: 'Crew', ACL: { '*': { read: true } } }, { master: true })
    const roles = await server.call('GET', '/roles')
    expect(roles.body.results).toMatchObject([{ name: 'Crew', users: { __type: 'Relation', className: '_User' } }])
    expect((await server.call('GET', '/installations')).body.code).toBe(119)
  })

  test('redirectClassNameForKey asks the class that a pointer or relation leads to', async () => {
    const { body } = await find('Post', { redirectClassNameForKey: 'blog' })
    expect(body).toMatchObject({ className: 'Blog', results: [{ className: 'Blog', name: 'blog' }] })
    const related = { $relatedTo: { object: pointer('Post', 'first'), key: 'friends' } }
    const friends = await find('Post', { redirectClassNameForKey: 'friends', where: related })
    expect(friends.body.results).toMatchObject([{ className: 'Guess', name: 'guess' }])
  })
})

test('text search returns its score, and orders by it', async () => {
  await create('Page', 'some', { body: 'coffee and cake and more cake and tea' })
  await create('Page', 'much', { body: 'coffee coffee coffee' })
  await create('Page', 'none', { body: 'tea' })
  const where = { body: { $text: { $search: { $term: 'coffee' } } } }
  const found = await results('Page', { where, order: '$score', keys: '$score,name' })
  expect(found.map(({ name }) => name)).toEqual(['much', 'some'])
  expect(found[0]?.score).toBeGreaterThan(found[1]?.score as number)
  expect(found[0]).not.toHaveProperty('body')
  const pages = await find('Page', { where, order: '$score', limit: 1, cursor: true })
  const next = await find('Page', { where, order: '$score', limit: 1, cursor: pages.body.cursor })
  expect(next.body.results).toMatchObject([{ name: 'some' }])
})

test('R26: orders by distance, on an Earth of 6371 km (3958.8 miles)', async () => {
  const point = (latitude: number, longitude: number) => ({ __type: 'GeoPoint', latitude, longitude })
  await create('Spot', 'quarter', { at: point(0, 90) })
  await create('Spot', 'fiji', { at: point(-17.7, 178.5) })
  await create('Spot', 'samoa', { at: point(-13.8, -172.1) })
  await create('Spot', 'pole', { at: point(89.9, 10) })
  const near = (latitude: number, longitude: number, more: Fields) =>
    names('Spot', { where: { at: { $nearSphere: point(latitude, longitude), ...more } } }, {})
  expect(await near(0, 180, {})).toEqual(['samoa', 'fiji', 'quarter', 'pole'])
  const quarter = (Math.PI / 2) * 6371
  expect(await near(0, 0, { $maxDistanceInKilometers: quarter - 0.01 })).not.toContain('quarter')
  expect(await near(0, 0, { $maxDistanceInKilometers: quarter + 0.01 })).toContain('quarter')
  const inMiles = (Math.PI / 2) * 3958.8
  expect(await near(0, 0, { $maxDistanceInMiles: inMiles - 0.01 })).not.toContain('quarter')
  expect(await near(0, 0, { $maxDistanceInMiles: inMiles + 0.01 })).toContain('quarter')
  // Across the date line, and over the pole.
  expect(await near(-17, -179, { $maxDistanceInKilometers: 900 })).toEqual(['fiji', 'samoa'])
  expect(await near(89.9, -170, { $maxDistanceInKilometers: 30 })).toEqual(['pole'])
  const farthestFirst = await names('Spot', { where: { at: { $nearSphere: point(0, 180) } }, order: '-name' }, {})
  expect(farthestFirst).toEqual(['samoa', 'quarter', 'pole', 'fiji'])
  const box = { at: { $within: { $box: [point(-20, 170), point(-10, -170)] } } }
  expect(await names('Spot', { where: box, order: 'name' }, {})).toEqual(['fiji', 'samoa'])
})

test('a class changed by another server is read again', async () => {
  await create('Shared', 'before', { number: 1 })
  const other = await createTestServer({}, server.database)
  try {
    await other.call('PUT', '/schemas/Shared', { fields: { number: { __op: 'Delete' } } }, { master: true })
    expect(await names('Shared', { where: { number: null } })).toEqual(['before'])
  } finally {
    await other.stop()
  }
})

/** @typedef {import('./createSide.mjs').Operation} Operation */

const pointer = (/** @type {string} */ className, /** @type {string} */ name) => ({
  __type: 'Pointer',
  className,
  objectId: `@${name}@`,
})
const date = (/** @type {number} */ day) => ({
  __type: 'Date',
  iso: `2001-01-${String(day).padStart(2, '0')}T00:00:00.000Z`,
})

/**
 * Random operations of the Parse dialect; the same ones for the same seed.
 *
 * @param {number} seed
 */
export function createOperations(seed) {
  const random = createRandom(seed)
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit)
  /** @template Item @param {Item[]} items @returns {Item} */
  const one = (items) => /** @type {Item} */ (items[below(items.length)])
  const chance = (/** @type {number} */ share) => random() < share

  /** @type {{ name: string, className: string }[]} */
  const objects = []
  let count = 0
  const people = ['ada', 'bob']
  const asker = () => one(['', 'master', 'master', 'master', ...people, ...people])
  const objectOf = (/** @type {string} */ className) =>
    one([...objects.filter((each) => each.className === className), { name: 'nobody', className }]).name
  const className = () => one(['Game', 'Game', 'Player', 'Missing'])

  const scalar = () => one([0, 1, 2, 2.5, -1, 'a', 'b', 'B', 'ab', '', true, false, null])
  const text = () => one(['a', 'b', 'B', 'ab', '', 'ä', 'a%', '10'])
  const number = () => one([0, 1, 2, 2.5, -1, 10, 1e9])
  const list = () => Array.from({ length: below(4) }, () => one([1, 2, 'a', 'b']))
  const place = () => ({ __type: 'GeoPoint', latitude: below(5) * 10, longitude: below(5) * 10 })

  /** A value for a field of that name, and now and then one of another type. */
  const pickValue = (/** @type {string} */ field) => {
    if (chance(0.05)) return one([scalar(), list(), { a: 1 }, place(), date(3)])
    switch (field) {
      case 'title':
      case 'name':
        return text()
      case 'score':
      case 'level':
        return number()
      case 'open':
        return chance(0.5)
      case 'tags':
        return list()
      case 'settings':
        return { a: scalar(), b: { c: number() } }
      case 'playedAt':
        return date(1 + below(20))
      case 'place':
        return place()
      case 'owner':
        return pointer('Player', objectOf('Player'))
      case 'pal':
        return pointer('Player', objectOf('Player'))
      default:
        return scalar()
    }
  }
  const fieldsOf = (/** @type {string} */ name) =>
    name === 'Player'
      ? ['name', 'level', 'tags', 'pal', 'open']
      : ['title', 'score', 'open', 'tags', 'settings', 'playedAt', 'place', 'owner']
  const field = (/** @type {string} */ name) =>
    one([...fieldsOf(name), ...fieldsOf(name), 'other', 'objectId', 'createdAt'])

  const accessList = () =>
    one([
      { '*': { read: true } },
      { '*': { read: true, write: true } },
      { '@ada@': { read: true, write: true } },
      { '@bob@': { read: true }, 'role:staff': { write: true, read: true } },
      {},
    ])

  const change = (/** @type {string} */ name) => {
    const key = one(fieldsOf(name))
    const value = one([
      () => pickValue(key),
      () => pickValue(key),
      () => ({ __op: 'Delete' }),
      () => ({ __op: 'Increment', amount: number() }),
      () => ({ __op: one(['Add', 'AddUnique', 'Remove']), objects: list() }),
    ])()
    // Its PostgreSQL adapter stores list operations on a part of an object as the value of that part.
    const isListOperation = typeof value === 'object' && value !== null && 'objects' in value
    if (key === 'settings' && !isListOperation && chance(0.3)) return { [`settings.${one(['a', 'b.c', 'd'])}`]: value }
    return { [key]: value }
  }

  /** @type {(name: string, depth?: number) => Record<string, unknown>} */
  const condition = (name, depth = 0) => {
    const key = field(name)
    // Ids are random: their order differs.
    if (key === 'objectId')
      return { objectId: one([`@${objectOf(name)}@`, { $in: [`@${objectOf(name)}@`, 'nobody'] }]) }
    const value = () => (key === 'createdAt' ? date(1) : pickValue(key))
    const test = one([
      () => value(),
      () => ({ $ne: value() }),
      () => ({ [one(['$lt', '$lte', '$gt', '$gte'])]: value() }),
      () => ({ $gte: value(), $lt: value() }),
      () => ({ [one(['$in', '$nin'])]: [value(), value()] }),
      () => ({ $exists: chance(0.5) }),
      () => (key === 'tags' ? { $all: list() } : { $exists: true }),
      () => (key === 'title' || key === 'name' ? { $regex: one(['^a', 'b', '.']), $options: one(['', 'i']) } : value()),
      () => (key === 'tags' ? { $containedBy: list() } : value()),
      () => (key === 'place' ? { $nearSphere: place(), $maxDistance: one([0.1, 1, 3]) } : value()),
      () =>
        key === 'place'
          ? { $within: { $box: [{ __type: 'GeoPoint', latitude: 0, longitude: 0 }, place()] } }
          : { $exists: false },
      () =>
        key === 'owner' || key === 'pal'
          ? { [one(['$inQuery', '$notInQuery'])]: { className: 'Player', where: { level: { $gt: number() } } } }
          : value(),
      () =>
        key === 'title' || key === 'name'
          ? { [one(['$select', '$dontSelect'])]: { query: { className: 'Player', where: {} }, key: 'name' } }
          : value(),
    ])()
    if (depth === 0 && chance(0.15)) return { [one(['$or', '$and', '$nor'])]: [condition(name, 1), condition(name, 1)] }
    if (key === 'settings' && chance(0.5))
      return { [`settings.${one(['a', 'b.c'])}`]: one([scalar(), { $gt: number() }]) }
    return { [key]: test }
  }

  const findOptions = (/** @type {string} */ name) => ({
    where: JSON.stringify(chance(0.2) ? {} : { ...condition(name), ...(chance(0.3) && condition(name)) }),
    // By creation, so that equal values keep one order on both.
    order: `${chance(0.5) ? `${one(['', '-'])}${one(fieldsOf(name).filter((each) => each !== 'place'))},` : ''}createdAt`,
    ...(chance(0.3) && { limit: one(['0', '1', '3', '100']) }),
    ...(chance(0.2) && { skip: one(['0', '1', '5']) }),
    ...(chance(0.2) && { count: '1' }),
    ...(chance(0.2) && { keys: [field(name), field(name)].join() }),
    ...(chance(0.1) && { excludeKeys: field(name) }),
    ...(chance(0.3) && { include: one(['owner', 'pal', 'owner.pal', 'owner,owner.pal', 'title', 'nope']) }),
  })

  /** @returns {Operation} */
  const create = () => {
    const name = className()
    const own = name === 'Missing' ? 'Game' : name
    const made = `o${count++}`
    const fields = Object.fromEntries(fieldsOf(own).flatMap((key) => (chance(0.5) ? [[key, pickValue(key)]] : [])))
    objects.push({ name: made, className: own })
    return {
      kind: 'create',
      method: 'POST',
      path: `/classes/${name === 'Missing' && chance(0.7) ? 'Game' : name}`,
      body: { ...fields, ...(chance(0.4) && { ACL: accessList() }) },
      as: asker(),
      name: made,
    }
  }
  /** @returns {Operation} */
  const update = () => {
    const name = className()
    return {
      kind: 'update',
      method: 'PUT',
      path: `/classes/${name}/@${objectOf(name)}@`,
      body: { ...change(name), ...(chance(0.3) && change(name)), ...(chance(0.1) && { ACL: accessList() }) },
      as: asker(),
    }
  }
  /** @returns {Operation} */
  const get = () => {
    const name = className()
    const { include, keys, excludeKeys } = /** @type {Record<string, string>} */ (findOptions(name))
    const query = new URLSearchParams(Object.entries({ include, keys, excludeKeys }).filter(([, each]) => each))
    return { kind: 'get', method: 'GET', path: `/classes/${name}/@${objectOf(name)}@?${query}`, as: asker() }
  }
  /** @returns {Operation} */
  const find = () => {
    const name = className()
    const query = new URLSearchParams(/** @type {Record<string, string>} */ (findOptions(name)))
    // Names of ids stay as they are.
    return {
      kind: 'find',
      method: 'GET',
      path: `/classes/${name}?${query}`.replaceAll('%40', '@'),
      as: asker(),
    }
  }
  /** @returns {Operation} */
  const remove = () => {
    const name = className()
    return { kind: 'delete', method: 'DELETE', path: `/classes/${name}/@${objectOf(name)}@`, as: asker() }
  }
  /** @returns {Operation} */
  const batch = () => ({
    kind: 'batch',
    method: 'POST',
    path: '/batch',
    body: {
      requests: Array.from({ length: 1 + below(3) }, () => one([update, remove])()).map(({ method, path, body }) => ({
        method,
        path: `/mount${path}`,
        ...(body !== undefined && { body }),
      })),
    },
    as: asker(),
  })
  /** @returns {Operation} */
  const account = () =>
    one([
      () => ({
        method: 'POST',
        path: '/users',
        body: one([
          {},
          { username: 'ada', password: 'x' },
          { username: 'zoe' },
          { password: 'a long password' },
          { username: 1, password: 'a long password' },
        ]),
      }),
      () => ({ method: 'GET', path: `/users/@${one([...people, 'nobody'])}@`, as: asker() }),
      () => ({
        method: 'PUT',
        path: `/users/@${one(people)}@`,
        body: one([{ username: 'bob' }, { email: 'no address' }]),
        as: asker(),
      }),
      () => ({ method: 'GET', path: '/users/me', as: one(['', ...people]) }),
      () => ({
        method: 'POST',
        path: '/login',
        body: one([
          {},
          { username: 'ada' },
          { username: 'ada', password: 'wrong password' },
          { username: 'nobody', password: 'x' },
          { username: { $ne: '' }, password: 'x' },
          { password: 'x' },
        ]),
      }),
      () => ({
        method: 'GET',
        path: `/login?${new URLSearchParams(one([{ username: 'ada', password: 'wrong password' }, { username: '' }]))}`,
      }),
      () => ({ method: 'POST', path: '/requestPasswordReset', body: one([{}, { email: 1 }, { email: '' }]) }),
      () => ({ method: 'POST', path: '/verificationEmailRequest', body: one([{}, { email: 1 }]) }),
      () => ({
        method: 'GET',
        path: `/roles?where=${encodeURIComponent(JSON.stringify({ name: one(['staff', 'none']) }))}`,
        as: asker(),
      }),
      () => ({
        method: 'POST',
        path: '/roles',
        body: one([{}, { name: 'staff', ACL: {} }, { name: 'lone' }]),
        as: asker(),
      }),
      () => ({ method: 'GET', path: '/sessions/me', as: one(['', 'nobody']) }),
      () => ({ method: 'POST', path: `/functions/${one(['add', 'none'])}`, body: { a: 1, b: 2 }, as: asker() }),
      () => ({ method: 'GET', path: '/schemas/Missing2', as: asker() }),
      () => ({ method: 'GET', path: '/config', as: asker() }),
      () => ({
        method: one(['GET', 'POST', 'PUT', 'DELETE']),
        path: one(['/nothing', '/classes', '/classes/', '/classes/1bad', '/classes/_Nope', '/users/', '/batch']),
        body: undefined,
        as: asker(),
      }),
    ]).call(undefined)

  return {
    prepare: listPreparations(),
    /** @returns {Operation} */
    next() {
      const made = one([
        create,
        create,
        create,
        update,
        update,
        update,
        get,
        get,
        find,
        find,
        find,
        find,
        remove,
        batch,
        account,
      ])()
      return { ...made, kind: made.kind ?? 'account' }
    },
  }
}

/** @returns {Operation[]} */
function listPreparations() {
  const type = (/** @type {string} */ name, /** @type {string} */ target) => ({
    type: name,
    ...(target && { targetClass: target }),
  })
  const fields = {
    Player: { name: 'String', level: 'Number', tags: 'Array', open: 'Boolean', pal: 'Pointer Player' },
    Game: {
      title: 'String',
      score: 'Number',
      open: 'Boolean',
      tags: 'Array',
      settings: 'Object',
      playedAt: 'Date',
      place: 'GeoPoint',
      owner: 'Pointer Player',
      players: 'Relation Player',
    },
  }
  return [
    ...Object.entries(fields).map(([className, named]) => ({
      kind: 'schema',
      method: 'POST',
      path: `/schemas/${className}`,
      body: {
        className,
        fields: Object.fromEntries(
          Object.entries(named).map(([key, given]) => {
            const [name = '', target = ''] = given.split(' ')
            return [key, type(name, target)]
          }),
        ),
      },
      as: 'master',
    })),
    ...['ada', 'bob'].map((name) => ({
      kind: 'sign up',
      method: 'POST',
      path: '/users',
      body: { username: name, password: 'a long password' },
      name,
    })),
    {
      kind: 'role',
      method: 'POST',
      path: '/roles',
      body: { name: 'staff', ACL: { '*': { read: true } } },
      as: 'master',
      name: 'staff',
    },
  ]
}

/** @param {number} seed */
function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

import { beforeAll, expect, test } from 'vitest'
import { createRandom } from '../testing/createRandom.ts'
import type { Answer } from '../testing/createTestServer.ts'
import { type LiveFrame, openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

/**
 * Random scopes, rights and requests: a token sees and does no more than its owner, and nothing outside its scope. The
 * oracle knows the texts of the scope alone. `SCOPE_CASES=10000 SCOPE_SEED=7` runs more.
 */
const cases = Number(process.env.SCOPE_CASES ?? 150)
const seed = Number(process.env.SCOPE_SEED ?? 1)

/** Cases of one world: classes, rights, objects and tokens. */
const casesOfWorld = 75

const server = serveTests({ rateLimit: [], functions: { timeoutMs: 60_000 } })
const random = createRandom(seed)
const { pick } = random
const some = <Item>(items: readonly Item[]): Item[] => items.filter(() => random.below(2) === 0)

const master = { master: true }
const classNames = ['Alpha', 'Beta', 'Gamma'] as const
const rights = ['read', 'create', 'update', 'delete'] as const
const functionNames = ['listAlpha', 'echo'] as const

type World = {
  owner: { objectId: string; token: string }
  ids: { className: string; objectId: string; secret: string }[]
}

beforeAll(() => {
  const { functions } = server.context.registry
  functions.set('echo', { run: async () => 'echo' })
  // Code that works with the token of its caller, by the client that it has in this process.
  functions.set('listAlpha', {
    run: async ({ caller }) => {
      const { callerOf } = await import('../context/codeCaller.ts')
      const token = callerOf(caller).session?.token
      const body = {
        _method: 'GET',
        _ApplicationId: server.appId,
        ...(token !== undefined && { _SessionToken: token }),
      }
      const answer = await server.context.ask({ method: 'POST', path: '/classes/Alpha', body: JSON.stringify(body) })
      return 'error' in answer ? 'refused' : (answer.output as { results: never }).results
    },
  })
})

let worlds = 0
let liveEvents = 0

async function createWorld(): Promise<World> {
  const owner = await server.signUp(`owner${++worlds}`)
  const stranger = await server.signUp(`stranger${worlds}`)
  const role = `crew${worlds}`
  const users = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: owner.objectId }] }
  await server.call('POST', '/roles', { name: role, ACL: {}, users }, master)
  const entities = ['*', owner.objectId, stranger.objectId, `role:${role}`]
  const ids: World['ids'] = []
  for (const className of classNames) {
    const rule = () =>
      random.below(3) === 0 ? Object.fromEntries(some(entities).map((name) => [name, true])) : { '*': true }
    const operations = ['find', 'get', 'count', 'create', 'update', 'delete', 'addField']
    const classLevelPermissions = Object.fromEntries(operations.map((name) => [name, rule()]))
    const fields = {
      n: { type: 'Number' },
      secret: { type: 'String' },
      other: { type: 'Pointer', targetClass: pick(classNames) },
    }
    await server.call('DELETE', `/purge/${className}`, undefined, master)
    await server.call('DELETE', `/schemas/${className}`, undefined, master)
    const made = await server.call('POST', `/schemas/${className}`, { fields, classLevelPermissions }, master)
    expect(made.status, made.text).toBe(200)
    const target = fields.other.targetClass
    for (let n = 0; n < 4; n++) {
      const known = ids.filter((each) => each.className === target)
      const other =
        known.length > 0 ? { __type: 'Pointer', className: target, objectId: pick(known).objectId } : undefined
      const ACL = Object.fromEntries(some(entities).map((name) => [name, { read: true, write: random.below(2) === 0 }]))
      const secret = `${className}-secret-${worlds}-${n}`
      const { body } = await server.call('POST', `/classes/${className}`, { n, secret, other, ACL }, master)
      ids.push({ className, objectId: String(body.objectId), secret })
    }
  }
  return { owner, ids }
}

async function createScoped({ owner }: World): Promise<{ scopes: string[]; token: string; objectId: string }> {
  const all = [...classNames, '*'].flatMap((name) => rights.map((right) => `${name}:${right}`))
  const parts = ['account:read', 'files:write', '_User:read', ...functionNames.map((name) => `function:${name}`)]
  const scopes = [...all.filter(() => random.below(4) === 0), ...parts.filter(() => random.below(3) === 0)]
  scopes.push('Marker:read')
  const answer = await server.call('POST', '/auth/tokens', { name: 'x', scopes }, { token: owner.token })
  expect(answer.status, answer.text).toBe(201)
  return { scopes, token: String(answer.body.token), objectId: String(answer.body.objectId) }
}

const allows = (scopes: string[], className: string, right: string) =>
  scopes.includes(`${className}:${right}`) || (!className.startsWith('_') && scopes.includes(`*:${right}`))

type Step = {
  request: [method: string, path: string, body?: object]
  /** Scopes that are all needed, as pairs of class and right, or as one text. */
  needs: ([className: string, right: string] | string)[]
  isWrite?: boolean
}

const query = (path: string, parts: Record<string, unknown>) =>
  `${path}?${Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')}`

function createStep({ ids, owner }: World): Step {
  const className = pick(classNames)
  const other = pick(classNames)
  const known = pick(ids.filter((each) => each.className === className))
  const path = `/classes/${className}`
  const inner = { className: other, where: { n: { $gte: 0 } } }
  const related = { object: { __type: 'Pointer', className: other, objectId: known.objectId }, key: 'members' }
  const steps: (() => Step)[] = [
    () => ({ request: ['GET', path], needs: [[className, 'read']] }),
    () => ({ request: ['GET', query(path, { include: 'other', order: '-n' })], needs: [[className, 'read']] }),
    () => ({ request: ['GET', query(path, { count: 1, limit: 0 })], needs: [[className, 'read']] }),
    () => ({ request: ['GET', `${path}/${known.objectId}?include=other`], needs: [[className, 'read']] }),
    () => ({
      request: ['GET', query(path, { where: { other: { $inQuery: inner } } })],
      needs: [
        [className, 'read'],
        [other, 'read'],
      ],
    }),
    () => ({
      request: ['GET', query(path, { where: { n: { $select: { query: inner, key: 'n' } } } })],
      needs: [
        [className, 'read'],
        [other, 'read'],
      ],
    }),
    () => ({
      request: ['GET', query(path, { where: { $relatedTo: related } })],
      needs: [
        [className, 'read'],
        [other, 'read'],
      ],
    }),
    () => ({ request: ['POST', path, { n: 9, secret: 'mine' }], needs: [[className, 'create']], isWrite: true }),
    () => ({ request: ['PUT', `${path}/${known.objectId}`, { n: 5 }], needs: [[className, 'update']], isWrite: true }),
    () => ({ request: ['DELETE', `${path}/${known.objectId}`], needs: [[className, 'delete']], isWrite: true }),
    () => ({ request: ['GET', '/users/me'], needs: ['account:read'] }),
    () => ({ request: ['GET', `/users/${owner.objectId}`], needs: [['_User', 'read']] }),
    () => ({ request: ['GET', pick(['/sessions', '/classes/_Session', '/auth/tokens'])], needs: ['none'] }),
    () => ({ request: ['PUT', `/users/${owner.objectId}`, { nick: 'x' }], needs: ['none'], isWrite: true }),
    () => ({ request: ['POST', '/files/x.txt', { base64: 'eA==' }], needs: ['files:write'], isWrite: true }),
    () => ({ request: ['POST', '/functions/echo', {}], needs: ['function:echo'] }),
    () => ({ request: ['POST', '/functions/listAlpha', {}], needs: ['function:listAlpha'] }),
  ]
  return pick(steps)()
}

/** Sends a request alone or as a part of a batch. */
async function send([method, path, body]: Step['request'], token: string, isBatch: boolean): Promise<Answer> {
  if (!isBatch || path.startsWith('/files')) return server.call(method, path, body, { token })
  const answer = await server.call(
    'POST',
    '/batch',
    { requests: [{ method, path: `/server${path}`, body }] },
    { token },
  )
  const [first] = answer.body as unknown as { success?: object; error?: object }[]
  return {
    ...answer,
    status: first?.success ? 200 : 400,
    text: JSON.stringify(first),
    body: (first?.success ?? {}) as never,
  }
}

const idsIn = (text: string): string[] => [...text.matchAll(/(\w+)-secret-[\d-]+/g)].map(([all]) => all)

async function tryCase(world: World, scoped: { scopes: string[]; token: string }): Promise<void> {
  const step = createStep(world)
  const isBatch = random.below(4) === 0
  const note = `${JSON.stringify(step.request)} with ${scoped.scopes.join(' ')}${isBatch ? ' in a batch' : ''}`
  const isAllowed = step.needs.every((need) =>
    typeof need === 'string' ? scoped.scopes.includes(need) : allows(scoped.scopes, ...need),
  )
  // The token first: a write of the owner must not take the object away.
  const byToken = await send(step.request, scoped.token, isBatch)
  expect(byToken.status, `${note}: ${byToken.text}`).toBeLessThan(500)
  if (!isAllowed) expect(byToken.status, `${note} is beyond the scope: ${byToken.text}`).toBeGreaterThanOrEqual(400)
  // Whatever is shown is in the scope.
  for (const shown of idsIn(byToken.text)) {
    expect(allows(scoped.scopes, shown.split('-')[0] ?? '', 'read'), `${note} shows ${shown}`).toBe(true)
  }
  if (byToken.status >= 300 || step.isWrite) return
  const byOwner = await send(step.request, world.owner.token, isBatch)
  expect(byOwner.status, `${note}: the owner is refused`).toBeLessThan(300)
  const ofOwner = new Set(idsIn(byOwner.text))
  for (const shown of idsIn(byToken.text)) expect(ofOwner, note).toContain(shown)
  const [count, most] = [byToken.body.count, byOwner.body.count] as (number | undefined)[]
  if (count !== undefined) expect(count, note).toBeLessThanOrEqual(most ?? 0)
}

/**
 * Events of both, judged in memory: those of the token are of its scope, and the owner gets them too. Every token may
 * read `Marker`, whose event comes after all others, so nothing here depends on time.
 */
async function tryLive(world: World, scoped: { scopes: string[]; token: string }): Promise<void> {
  const open = (token: string) =>
    openLiveSocket(server, { connect: { sessionToken: token }, patience: Number.POSITIVE_INFINITY })
  const [own, narrow] = await Promise.all([open(world.owner.token), open(scoped.token)])
  const note = `live with ${scoped.scopes.join(' ')}`
  try {
    for (const [at, className] of classNames.entries()) {
      await own.subscribe(at + 1, { className })
      const frame = await narrow.subscribe(at + 1, { className })
      if (!allows(scoped.scopes, className, 'read')) expect(frame.op, `${note}: ${className}`).toBe('error')
      const other = pick(classNames)
      const where = { other: { $inQuery: { className: other, where: {} } } }
      const inner = await narrow.subscribe(at + 11, { className, where })
      if (![className, other].every((name) => allows(scoped.scopes, name, 'read')))
        expect(inner.op, `${note}: ${other} in ${className}`).toBe('error')
    }
    for (const each of [own, narrow]) expect((await each.subscribe(9, { className: 'Marker' })).op).toBe('subscribed')
    for (const { className, objectId } of world.ids)
      await server.call('PUT', `/classes/${className}/${objectId}`, { n: random.below(100) }, master)
    const isLast = ({ requestId, op }: LiveFrame) => requestId === 9 && op === 'create'
    const ended = [own, narrow].map((each) => each.next(isLast))
    await server.call('POST', '/classes/Marker', { text: 'last' }, master)
    await Promise.all(ended)
    const keysOf = (frames: LiveFrame[]) =>
      frames
        .filter(({ object }) => object && object.className !== 'Marker')
        .map(({ op, object }) => `${op} ${object?.className} ${object?.objectId} ${object?.n}`)
    const all = new Set(keysOf(own.frames))
    for (const key of keysOf(narrow.frames)) {
      expect(all, note).toContain(key)
      expect(allows(scoped.scopes, key.split(' ')[1] ?? '', 'read'), `${note} shows ${key}`).toBe(true)
    }
    liveEvents += keysOf(narrow.frames).length
  } finally {
    own.close()
    narrow.close()
  }
}

test(`a token sees and does a subset of its owner's: ${cases} cases, seed ${seed}`, {
  timeout: 3_600_000,
}, async () => {
  await server.call('POST', '/classes/Marker', { text: 'first' }, master)
  for (let done = 0; done < cases; ) {
    const world = await createWorld()
    for (let within = 0; within < casesOfWorld && done < cases; ) {
      const scoped = await createScoped(world)
      for (let each = 0; each < 15 && done < cases; each++, within++, done++) await tryCase(world, scoped)
      if (within >= casesOfWorld || done >= cases) await tryLive(world, scoped)
      const { status } = await server.call('DELETE', `/auth/tokens/${scoped.objectId}`, undefined, {
        token: world.owner.token,
      })
      expect(status).toBe(200)
    }
  }
  expect(liveEvents, 'some tokens saw live events').toBeGreaterThan(0)
})

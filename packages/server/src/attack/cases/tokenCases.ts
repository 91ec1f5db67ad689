import { type AttackCase, casesOf } from '../AttackCase.ts'
import { listEndpoints } from '../AttackClass.ts'
import type { Account } from '../createLedger.ts'
import { guest, type Scene } from '../createScene.ts'
import type { Actor, Answer } from '../createTarget.ts'
import { fill, installationWide, send } from '../walkEndpoint.ts'
import { where } from './accessCases.ts'
import { openSocket } from './openSocket.ts'

type Token = Actor & { token: string; id: string }

/** A personal access token of the account, which its owner alone may see. */
async function createToken(scene: Scene, owner: Account, scopes: string[]): Promise<Token> {
  const made = await scene.call(owner, 'POST', '/auth/tokens', { name: 'attack', scopes, expiresIn: 3_600 })
  if (made.status >= 300) throw scene.skip(`an access token cannot be created: ${made.body.reason}`)
  const token = scene.addSecret('ACCESS TOKEN', String(made.body.token), owner)
  return { name: owner.name, token, id: String(made.body.objectId) }
}

/** Carries one request out in every form that takes a token. */
async function sendAll(scene: Scene, { name, token }: Token, method: string, path: string, body?: object) {
  const { appId, mount } = scene.target
  const legacy = { ...body, _method: method, _ApplicationId: appId, _SessionToken: token }
  const [plain = '', query = ''] = path.split('?')
  const given = Object.fromEntries(new URLSearchParams(query))
  return [
    await scene.call({ name, token }, method, path, body),
    await scene.call({ name }, method, path, body, { headers: { Authorization: `Bearer ${token}` } }),
    await scene.call({ name }, 'POST', plain, JSON.stringify({ ...given, ...legacy }), {
      appId: '',
      headers: { 'Content-Type': 'text/plain' },
    }),
    await scene.call({ name, token }, 'POST', '/batch', { requests: [{ method, path: `${mount}${path}`, body }] }),
  ]
}

const isCarriedOut = ({ status, body }: Answer) =>
  status < 300 && !(Array.isArray(body) && body.every((part: { success?: unknown }) => part.success === undefined))

const make = casesOf('delegation')

export const tokenCases: AttackCase[] = [
  make('a token opens no endpoint outside its scope', 'S27, SEC-2, P10', async (scene, cast) => {
    const owner = await scene.signUp('scoped')
    const token = await createToken(scene, owner, ['chain:read'])
    for (const { name, endpoint } of listEndpoints()) {
      const { scope, access } = endpoint
      // Without a scope an endpoint takes no token; those of sign-ins drop it.
      const isOpen = scope === 'any' || scope === 'chain:read' || name.startsWith('functions/')
      if (isOpen || endpoint.session !== undefined || name === 'batch' || installationWide.has(name)) continue
      if (scope === undefined && access === undefined) continue
      const answer = await send(scene, token, fill(endpoint, cast))
      scene.refused(answer, `${name} responds to a token without its scope.`)
    }
  }),
  make('a scope holds in every form of a request', 'P5, P13, SEC-2', async (scene, cast) => {
    const { className } = cast
    const owner = await scene.signUp('narrow')
    const token = await createToken(scene, owner, [`${className}:read`])
    const made = await scene.call(owner, 'POST', `/classes/${className}`, { note: 'mine', ACL: ownerOf(owner) })
    if (made.status >= 300) scene.skip('documents cannot be created')
    const calls: [string, string, object?][] = [
      ['POST', `/classes/${className}`, { note: 'new' }],
      ['PUT', `/classes/${className}/${made.body.objectId}`, { note: 'changed' }],
      ['DELETE', `/classes/${className}/${made.body.objectId}`],
      ['GET', '/users/me'],
      ['PUT', `/users/${owner.id}`, { attackNote: 'x' }],
      ['GET', '/sessions/me'],
      ['POST', '/classes/_Session', {}],
      ['POST', '/auth/tokens', { name: 'more', scopes: ['*:read', '*:write'] }],
      ['POST', '/auth/reauthenticate', { password: owner.password }],
      ['POST', '/changePassword', { oldPassword: owner.password, newPassword: 'of a thief' }],
      ['POST', '/auth/recoveryCodes', {}],
      ['DELETE', `/auth/tokens/${token.id}`],
      ['GET', '/auth/connectedApps'],
      ['POST', '/logout', {}],
      ['DELETE', `/users/${owner.id}`],
      ['GET', '/console'],
      ['GET', '/schemas'],
      ['GET', `/aggregate/${className}?pipeline=${encodeURIComponent('[{"$group":{"_id":"$note"}}]')}`],
    ]
    for (const [method, path, body] of calls)
      for (const answer of await sendAll(scene, token, method, path, body))
        scene.check(
          !isCarriedOut(answer),
          answer,
          `${method} ${path.split(/[/?]/).slice(0, 3).join('/')} works beyond the scope.`,
        )
    for (const spelling of spellings(className)) {
      const answer = await scene.call(token, 'GET', `/classes/${encodeURIComponent(spelling)}`)
      scene.refused(answer, `The scope of ${className} opens another spelling of it.`)
    }
    const still = await scene.call(owner, 'GET', `/classes/${className}/${made.body.objectId}`)
    scene.check(still.body.note === 'mine', still, 'A token changes a document beyond its scope.', 'integrity')
  }),
  make('no query or include leads out of a scope', 'P5, P6', async (scene, cast) => {
    const { className } = cast
    const owner = await scene.signUp('curious')
    const secret = scene.addSecret('UNSCOPED', `unscoped${scene.run}${owner.id}`, owner)
    const hidden = await scene.addClass({ value: { type: 'String' } })
    const target = await scene.call(owner, 'POST', `/classes/${hidden}`, { value: secret, ACL: ownerOf(owner) })
    const pointer = { __type: 'Pointer', className: hidden, objectId: target.body.objectId }
    const link = await scene.call(owner, 'POST', `/classes/${className}`, { link: pointer, ACL: ownerOf(owner) })
    if (link.status >= 300) scene.skip('documents cannot be created')
    const token = await createToken(scene, owner, [`${className}:read`])
    const path = `/classes/${className}`
    // Invariants find the secret in any of the responses.
    for (const query of ['?include=link', '?include=*', '?includeAll=true', '?keys=link.value&include=link'])
      for (const as of ['', `/${link.body.objectId}`]) await scene.call(token, 'GET', `${path}${as}${query}`)
    const matched: object[] = [
      { 'link.value': secret },
      { link: { $inQuery: { className: hidden, where: { value: secret } } } },
      { objectId: { $select: { query: { className: hidden, where: {} }, key: 'value' } } },
      { objectId: { $notInQuery: { className: hidden, where: { value: secret } } } },
      { $relatedTo: { object: pointer, key: 'value' } },
      { $or: [{ link: { $inQuery: { className: hidden, where: { value: { $regex: '^unscoped' } } } } }] },
    ]
    for (const each of matched) {
      const answer = await scene.call(token, 'GET', `${path}${where(each)}`)
      scene.check(
        answer.status >= 400 || (answer.body.results ?? []).length === 0,
        answer,
        'A query matches by a class outside the scope.',
        'foreignData',
      )
    }
    const socket = await openSocket(scene, { sessionToken: token.token }).catch(() => undefined)
    if (!socket) return
    await socket.subscribe(1, { className: hidden })
    await socket.subscribe(2, { className: '*' })
    await socket.subscribe(3, { className, where: { link: { $inQuery: { className: hidden, where: {} } } } })
    await scene.call(owner, 'PUT', `/classes/${hidden}/${target.body.objectId}`, { value: `${secret}2` })
    await socket.wait(({ object }) => object !== undefined, 1_000)
    const text = JSON.stringify(socket.frames)
    socket.close()
    scene.check(!text.includes(secret), undefined, 'A live query shows a class outside the scope.', 'foreignData')
  }),
  make('a token has no more than its owner, and is no session', 'P5, SEC-2, S18', async (scene, cast) => {
    const { stranger, className, doc, victim } = cast
    const token = await createToken(scene, stranger, ['*:read', '*:write', '_User:read', 'account:read'])
    // Invariants find secrets of the victim.
    for (const path of [`/classes/${className}`, '/users', `/users/${victim.id}`, '/classes/_User', '/users/me'])
      await scene.call(token, 'GET', path)
    for (const path of ['/classes/_Session', '/sessions', '/roles', '/classes/_Installation', '/classes/_Role'])
      scene.refused(await scene.call(token, 'GET', path), `${path} is open to a token for all classes.`)
    if (doc !== undefined)
      scene.refused(
        await scene.call(token, 'PUT', `/classes/${className}/${doc}`, { note: 'changed' }),
        'A token changes a private document of another user.',
      )
    const { token: text } = token
    const odd: [Actor, Record<string, string>][] = [
      [guest, { Cookie: `countersign=${text}`, 'X-Countersign-Session': 'cookie' }],
      [{ name: 'guest', masterKey: text }, {}],
      [token, { 'X-Countersign-Console': '1' }],
      [{ name: 'guest', token: `${text}\t` }, {}],
      [{ name: 'guest', token: text.toUpperCase() }, {}],
      [{ name: 'guest', token: text.slice(0, -1) }, {}],
      [{ name: 'guest', token: `${text}x` }, {}],
    ]
    for (const [as, headers] of odd)
      for (const path of ['/schemas', '/console', '/auth/tokens', '/sessions'])
        scene.refused(
          await scene.call({ ...as, name: stranger.name }, 'GET', path, undefined, { headers }),
          `${path} takes an access token for more than it is.`,
        )
  }),
  make('tokens of others are neither seen nor ended', 'P5, SEC-54, SEC-19', async (scene, cast) => {
    const owner = await scene.signUp('holder')
    const token = await createToken(scene, owner, [`${cast.className}:read`])
    for (const as of [guest, cast.stranger, token]) {
      const answer = await scene.call(as, 'DELETE', `/auth/tokens/${token.id}`)
      scene.refused(answer, `${as.name} ends a token of another user.`)
    }
    const listed = await scene.call(owner, 'GET', '/auth/tokens')
    scene.check(!listed.text.includes(token.token), listed, 'A token is shown again after its creation.', 'leak')
    const read = () => scene.call(token, 'GET', `/classes/${cast.className}`)
    const before = await read()
    if (before.status >= 300) scene.skip('the class cannot be read')
    const ended = await Promise.all([
      scene.call(owner, 'DELETE', `/auth/tokens/${token.id}`),
      scene.call(owner, 'DELETE', `/auth/tokens/${token.id}`),
    ])
    scene.check(ended.filter(({ status }) => status < 300).length === 1, ended[0], 'A token is revoked twice at once.')
    for (const answer of await sendAll(scene, token, 'GET', `/classes/${cast.className}`))
      scene.check(!isCarriedOut(answer), answer, 'A revoked token still works.')
  }),
  make('the end of an account ends its tokens', 'S27, S33', async (scene, cast) => {
    const owner = await scene.signUp('ending')
    const token = await createToken(scene, owner, [`${cast.className}:read`])
    await scene.need(owner, 'DELETE', `/users/${owner.id}`)
    const answer = await scene.call(token, 'GET', `/classes/${cast.className}`)
    scene.refused(answer, 'A token of a deleted account still works.')
  }),
  make('odd scopes, names, addresses and times are refused', 'SEC-4, SEC-5, P1', async (scene) => {
    const owner = await scene.signUp('odd')
    const good = { name: 'attack', scopes: ['Score:read'] }
    const scopes: unknown[] = [
      [],
      ['*'],
      ['*:*'],
      ['_User:write'],
      ['_Session:read'],
      ['_Role:create'],
      ['__proto__:read'],
      ['constructor:read'],
      ['class:_Join:users:_Role:read'],
      ['users:read'],
      ['backup'],
      ['schema:write'],
      ['Score:read '],
      ['Ｓcore:read'],
      ['Score:read\u0000'],
      ['Score\u202e:read'],
      ['function:../x'],
      ['Score:read', { $ne: null }],
      'Score:read',
      Array.from({ length: 5_000 }, (_, index) => `C${index}:read`),
      [`${'x'.repeat(100_000)}:read`],
    ]
    const inputs: object[] = [
      ...scopes.map((each) => ({ ...good, scopes: each })),
      ...['', 'x'.repeat(20_000), null, { $ne: null }].map((name) => ({ ...good, name })),
      ...[['x'], ['10.0.0.0/99'], ['::/0/1'], [null], Array(5_000).fill('10.0.0.1')].map((addresses) => ({
        ...good,
        addresses,
      })),
      ...[-1, 0, 1e300, '60', null, 400 * 86_400].map((expiresIn) => ({ ...good, expiresIn })),
    ]
    for (const input of inputs) {
      const answer = await scene.call(owner, 'POST', '/auth/tokens', input)
      scene.refused(answer, `A token is created with ${JSON.stringify(input).slice(0, 80)}.`)
    }
  }),
  make('keys of operators and services stay within their scopes', 'P10, SEC-40, SEC-27', async (scene, cast) => {
    const { master = scene.skip('needs the master key') } = scene
    const { className, victim } = cast
    const createKey = async (more: object): Promise<Token> => {
      const { body } = await scene.need(master, 'POST', '/console/accessKeys', { name: 'attack', ...more })
      scene.undoes.push(() =>
        scene.target.send({ as: master, method: 'DELETE', path: `/console/accessKeys/${body.objectId}` }),
      )
      return { name: 'key', token: scene.addSecret('ACCESS KEY', String(body.token)), id: String(body.objectId) }
    }
    const service = await scene.need(master, 'POST', '/console/services', { name: `attack${scene.run}` })
    scene.undoes.push(() =>
      scene.target.send({ as: master, method: 'DELETE', path: `/console/services/${service.body.objectId}` }),
    )
    const ofService = await createKey({ service: service.body.objectId, scopes: [`${className}:read`, '*:write'] })
    const found = await scene.call(ofService, 'GET', `/classes/${className}`)
    scene.check(!found.text.includes(cast.canary), found, 'A service reads a private document.', 'foreignData')
    const ofOperator = await createKey({ scopes: ['schema:read'] })
    const away = await createKey({ scopes: ['schema:read'], addresses: ['203.0.113.7'] })
    const forged = { headers: { 'X-Forwarded-For': '203.0.113.7', 'X-Real-IP': '203.0.113.7' } }
    scene.refused(await scene.call(away, 'GET', '/schemas', undefined, forged), 'A forged address opens a key.')
    for (const key of [ofService, ofOperator, away])
      for (const [method, path, body] of [
        ['POST', '/loginAs', { userId: victim.id }],
        ['PUT', `/users/${victim.id}`, { password: 'of a thief' }],
        ['DELETE', `/users/${victim.id}`],
        ['POST', '/console/accessKeys', { name: 'more', scopes: ['users:write'] }],
        ['POST', `/console/accessKeys/${key.id}/rotate`, {}],
        ['DELETE', `/console/accessKeys/${key.id}`],
        ['PUT', `/console/operators/${victim.id}`, { role: 'admin' }],
        ['POST', `/console/users/${victim.id}/impersonate`, {}],
        ['POST', '/console/sql', { query: 'select 1' }],
        ['GET', '/console/settings'],
        ['POST', `/schemas/${className}X`, { className: `${className}X` }],
        ['DELETE', `/purge/${className}`],
        [
          'GET',
          `/aggregate/${className}?pipeline=${encodeURIComponent(`[{"$lookup":{"from":"_User","localField":"note","foreignField":"objectId","as":"x"}}]`)}`,
        ],
        ['GET', '/sessions'],
        ['GET', '/outbox'],
      ] as const) {
        for (const answer of await sendAll(scene, key, method, path, body))
          scene.check(
            !isCarriedOut(answer),
            answer,
            `${method} ${path.split(/[/?]/).slice(0, 3).join('/')} works for a key without the scope.`,
          )
        const asMaster = await scene.call({ name: key.name, masterKey: key.token }, method, path, body)
        scene.check(asMaster.status >= 400, asMaster, 'A key in the place of the master key has its rights.')
      }
  }),
]

const ownerOf = ({ id }: Account) => ({ [id]: { read: true, write: true } })

/** Names that some database or parser could take for the same class. */
function spellings(className: string): string[] {
  const [first = ''] = className
  return [
    className.toLowerCase(),
    className.toUpperCase(),
    `${className} `,
    `${className}\u0000`,
    `${String.fromCodePoint(first.charCodeAt(0) + 0xfee0)}${className.slice(1)}`,
    `${className}/../_User`,
    `"${className}"`,
  ]
}

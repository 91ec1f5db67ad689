import { type AttackCase, casesOf } from '../AttackCase.ts'
import type { Cast } from '../createCast.ts'
import { guest, type Scene } from '../createScene.ts'
import type { Actor } from '../createTarget.ts'

const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })

/** Classes of the server, which clients may not use. */
const internalClasses = [
  '_Hooks',
  '_GlobalConfig',
  '_Idempotency',
  '_SCHEMA',
  '_PushStatus',
  '_JobStatus',
  '_JobSchedule',
  '_Audience',
  '_GraphQLConfig',
  '_Join:users:_Role',
  '_Join:roles:_Role',
]

/** Query with conditions. */
export const where = (value: unknown) => `?where=${encodeURIComponent(JSON.stringify(value))}`

/** Skips cases that need documents where no class can be created. */
export function requireDoc(scene: Scene, { doc }: Cast): string {
  return doc ?? scene.skip('clients may not create classes here: give the master key')
}

/** Callers who have no right to things of the victim. */
const othersOf = ({ stranger }: Cast): Actor[] => [guest, stranger]

const make = casesOf('access-lists')

export const accessCases: AttackCase[] = [
  make('a private document is found by nobody else', 'P5, P10', async (scene, cast) => {
    const { className, canary } = cast
    const doc = requireDoc(scene, cast)
    const path = `/classes/${className}`
    for (const as of othersOf(cast)) {
      scene.refused(await scene.call(as, 'GET', `${path}/${doc}`), `${as.name} reads a private document.`)
      for (const query of [
        '',
        where({ secret: canary }),
        where({ secret: { $regex: '^canary' } }),
        where({ objectId: doc }),
        `${where({})}&count=1&limit=0`,
        where({ $or: [{ objectId: doc }, { secret: canary }] }),
        `${where({ objectId: doc })}&keys=secret`,
        where({ ACL: { $exists: true } }),
      ]) {
        const answer = await scene.call(as, 'GET', `${path}${query}`)
        const isEmpty = answer.status >= 400 || (answer.body.results?.length === 0 && !(answer.body.count > 0))
        scene.check(isEmpty, answer, `${as.name} finds a private document.`, 'foreignData')
      }
    }
  }),
  make('a private document is changed by nobody else', 'P5, SEC-27', async (scene, cast) => {
    const { className } = cast
    const doc = requireDoc(scene, cast)
    const path = `/classes/${className}/${doc}`
    for (const as of othersOf(cast)) {
      for (const body of [
        { note: 'changed' },
        { ACL: { '*': { read: true, write: true } } },
        { ACL: null },
        { ACL: { __op: 'Delete' } },
        { secret: { __op: 'Delete' } },
        { _rperm: ['*'] },
        {},
      ]) {
        const answer = await scene.call(as, 'PUT', path, body)
        scene.refused(answer, `${as.name} changes a private document.`)
      }
      scene.refused(await scene.call(as, 'DELETE', path), `${as.name} deletes a private document.`)
    }
  }),
  make('a document that everyone may read is changed by its writers alone', 'P5', async (scene, cast) => {
    const { victim, className } = cast
    const ACL = { '*': { read: true }, [victim.id]: { read: true, write: true } }
    const made = await scene.call(victim, 'POST', `/classes/${className}`, { note: 'readable', ACL })
    if (made.status >= 300) scene.skip('documents cannot be created')
    const path = `/classes/${className}/${made.body.objectId}`
    const batchPath = `${scene.target.mount}${path}`
    for (const as of othersOf(cast)) {
      for (const [method, body] of [
        ['PUT', { note: 'changed' }],
        ['PUT', { ACL: { '*': { read: true, write: true } } }],
        ['DELETE', undefined],
      ] as const) {
        scene.refused(await scene.call(as, method, path, body), `${as.name} changes a readable document.`)
        for (const transaction of [false, true])
          await scene.call(as, 'POST', '/batch', { requests: [{ method, path: batchPath, body }], transaction })
      }
    }
    const still = await scene.call(victim, 'GET', path)
    scene.check(still.body.note === 'readable', still, 'Another user changes a readable document.', 'integrity')
  }),
  make(
    'a private document is reached by no reference',
    'P5, GHSA-wmwx-jr2p-4j4r, GHSA-fcv6-fg5r-jm9q',
    async (scene, cast) => {
      const { victim, stranger, className, canary } = cast
      const doc = requireDoc(scene, cast)
      const ACL = { [stranger.id]: { read: true, write: true } }
      const made = await scene.call(stranger, 'POST', `/classes/${className}`, {
        target: pointer(className, doc),
        owner: pointer('_User', victim.id),
        ACL,
      })
      if (made.status >= 300) scene.skip('fields cannot be added')
      const id = made.body.objectId
      const path = `/classes/${className}`
      await scene.call(stranger, 'GET', `${path}/${id}?include=target,owner,target.secret&includeAll=true`)
      await scene.call(stranger, 'GET', `${path}?include=*,target,owner`)
      const matched = [
        { target: { $inQuery: { className, where: { secret: canary } } } },
        { target: { $inQuery: { className, where: { secret: { $regex: '^canary' } } } } },
        { objectId: { $select: { query: { className, where: { secret: canary } }, key: 'objectId' } } },
        { 'target.secret': canary },
        { $relatedTo: { object: pointer(className, doc), key: 'target' } },
        { 'owner.email': victim.email },
        { owner: { $inQuery: { className: '_User', where: { email: victim.email } } } },
      ]
      for (const each of matched) {
        const answer = await scene.call(stranger, 'GET', `${path}${where(each)}`)
        const isEmpty =
          answer.status >= 400 || (answer.body.results ?? []).every((row: { objectId: string }) => row.objectId !== id)
        scene.check(
          isEmpty,
          answer,
          'A query matches by a document or field that the caller may not read.',
          'foreignData',
        )
      }
    },
  ),
  make('addresses of users are hidden and cannot be guessed', 'P5, P16, GHSA-72hp-qff8-4pvv', async (scene, cast) => {
    const { victim } = cast
    const email = victim.email ?? ''
    for (const as of othersOf(cast)) {
      const nothing = await scene.call(as, 'GET', `/users${where({ objectId: victim.id })}`)
      const visible = nothing.body.results?.length ?? 0
      const guesses = [
        { email },
        { email: { $regex: `^${email.slice(0, 4)}` } },
        { email: { $exists: true }, objectId: victim.id },
        { $or: [{ email }] },
        { $nor: [{ email: { $ne: email } }], objectId: victim.id },
        { email: { $in: [email] } },
      ]
      for (const guess of guesses) {
        const answer = await scene.call(as, 'GET', `/users${where(guess)}`)
        scene.check(
          answer.status >= 400 ||
            answer.body.results?.length === 0 ||
            (visible === 0 && answer.body.results?.length === 0),
          answer,
          'A hidden address can be guessed by a query.',
          'foreignData',
        )
      }
      await scene.call(as, 'GET', `/users/${victim.id}?keys=email,username`)
      await scene.call(as, 'GET', '/users?order=email&limit=5')
      await scene.call(as, 'GET', `/classes/_User/${victim.id}`)
    }
  }),
  make(
    'internal fields cannot be asked for',
    'P5, GHSA-2m6g-crv8-p3c6, GHSA-g4v2-qx3q-4p64, parse-server#3432',
    async (scene, { victim, stranger }) => {
      for (const field of [
        '_hashed_password',
        '_session_token',
        '_email_verify_token',
        '_perishable_token',
        '_rperm',
        '_wperm',
        '_auth_data_x',
        'sessionToken',
        'password',
      ])
        for (const query of [
          where({ [field]: { $exists: true } }),
          where({ [field]: { $regex: '^\\$' } }),
          `?order=${field}`,
          `?distinct=${field}`,
        ]) {
          const answer = await scene.call(stranger, 'GET', `/users${query}`)
          const found = (answer.body.results ?? []) as { objectId: string }[]
          scene.check(
            answer.status >= 400 ||
              !query.startsWith('?where') ||
              found.every(({ objectId }) => objectId !== victim.id),
            answer,
            `Queries may use the internal field ${field}.`,
            'foreignData',
          )
        }
    },
  ),
  make('responses about the caller have no internal field', 'P5, GHSA-g4v2-qx3q-4p64', async (scene, { stranger }) => {
    const { username, password } = stranger
    const answers = [
      await scene.call({ name: stranger.name, installationId: `${scene.run}-inner` }, 'POST', '/login', {
        username,
        password,
      }),
      await scene.call(stranger, 'POST', '/verifyPassword', { username, password }),
      await scene.call(stranger, 'GET', '/users/me?keys=_hashed_password,_rperm,_wperm,authData'),
      await scene.call(stranger, 'GET', '/sessions/me?include=user&keys=user._hashed_password,_session_token'),
      await scene.call(stranger, 'GET', `/users/${stranger.id}?include=_hashed_password`),
      await scene.call(stranger, 'PUT', `/users/${stranger.id}`, { attackNote: { __op: 'Delete' } }),
    ]
    for (const answer of answers) {
      const found = /"(_(?!_type|_op)\w+|password|passwordHash)"\s*:/.exec(answer.text)?.[0]
      scene.check(found === undefined, answer, `The response has the internal field ${found}.`, 'leak')
    }
  }),
  make('classes of the server are closed', 'P11, GHSA-5f92-jrq3-28rc, CVE-2026-31800', async (scene, cast) => {
    const { stranger } = cast
    for (const as of othersOf(cast))
      for (const name of internalClasses) {
        const path = `/classes/${encodeURIComponent(name)}`
        scene.refused(
          await scene.call(as, 'POST', path, { name: 'x', owningId: 'a', relatedId: stranger.id }),
          `${as.name} writes to ${name}.`,
        )
        const read = await scene.call(as, 'GET', path)
        scene.check(read.status >= 400 || read.body.results?.length === 0, read, `${as.name} reads ${name}.`)
      }
  }),
  make('nobody joins a role by themselves', 'SEC-12, P11', async (scene, { victim, stranger }) => {
    const { master } = scene
    if (!master) throw scene.skip('needs the master key to create a role')
    const name = `attack-${scene.run}`
    const users = { __op: 'AddRelation', objects: [pointer('_User', victim.id)] }
    const role = await scene.need(master, 'POST', '/roles', { name, ACL: { '*': { read: true } }, users })
    const id = String(role.body.objectId)
    scene.undoes.push(() => scene.target.send({ as: master, method: 'DELETE', path: `/roles/${id}` }))
    const joining = { users: { __op: 'AddRelation', objects: [pointer('_User', stranger.id)] } }
    for (const path of [`/roles/${id}`, `/classes/_Role/${id}`])
      for (const [method, body] of [
        ['PUT', joining],
        ['PUT', { ACL: { '*': { write: true } } }],
        ['DELETE', undefined],
      ] as const)
        scene.refused(await scene.call(stranger, method, path, body), 'A stranger changes a role.')
    for (const body of [
      { name, ACL: { '*': { read: true } } },
      { name: `${name} `, users: joining.users, ACL: {} },
      { name: 'x', objectId: id },
    ]) {
      const made = await scene.call(stranger, 'POST', '/roles', body)
      const same = made.status < 300 && (body.name === name || made.body.objectId === id)
      scene.check(!same, made, 'A stranger creates a role with the name or id of another.')
      if (made.status < 300)
        scene.undoes.push(() =>
          scene.target.send({ as: master, method: 'DELETE', path: `/roles/${made.body.objectId}` }),
        )
    }
  }),
  make('the record of another user is not changed', 'P5, SEC-2', async (scene, cast) => {
    const { victim } = cast
    const bodies = [
      { username: 'taken' },
      { password: 'taken over' },
      { email: 'taken@attack.invalid' },
      { emailVerified: true },
      { ACL: { '*': { write: true } } },
      { authData: { anonymous: null } },
    ]
    for (const as of othersOf(cast))
      for (const path of [`/users/${victim.id}`, `/classes/_User/${victim.id}`]) {
        for (const body of bodies)
          scene.refused(await scene.call(as, 'PUT', path, body), `${as.name} changes another user.`)
        scene.refused(await scene.call(as, 'DELETE', path), `${as.name} deletes another user.`)
      }
  }),
  make('a device of another user is neither seen nor changed', 'SEC-54', async (scene, cast) => {
    const { victim, canary } = cast
    const made = await scene.call(victim, 'POST', '/installations', {
      deviceType: 'web',
      installationId: `attack-${scene.run}-own`,
      channels: [canary],
    })
    if (made.status >= 300) scene.skip('no device can be registered')
    const id = made.body.objectId
    for (const as of othersOf(cast)) {
      for (const path of [`/installations/${id}`, `/classes/_Installation/${id}`]) {
        await scene.call(as, 'GET', path)
        scene.refused(
          await scene.call(as, 'PUT', path, { channels: ['x'] }),
          `${as.name} changes a device of another user.`,
        )
        scene.refused(await scene.call(as, 'DELETE', path), `${as.name} deletes a device of another user.`)
      }
      await scene.call(as, 'GET', '/installations')
    }
  }),
]

import { randomBytes } from 'node:crypto'
import { createKey } from '../../attack/createKey.ts'
import { cookieName } from '../../endpoint/cookies.ts'
import type { TestServer } from '../createTestServer.ts'
import type { Pool } from './createPool.ts'
import { classNames, describeClass } from './plantSecrets.ts'
import type { FuzzActor } from './World.ts'

/** Callers of random requests, and `tend`, which replaces those whose session a request has ended. */
export async function createActors(server: TestServer, pool: Pool, rights: 'user' | 'master') {
  const key = await createKey()
  const actors: FuzzActor[] = [{ name: 'guest', kind: 'guest', headers: {} }]
  const asMaster = () => ({ headers: { 'x-parse-master-key': server.context.keys.masterKey } })
  let made = 0

  async function addUser(name: string): Promise<FuzzActor> {
    // No kept or altered case of another account must have taken the name.
    const username = `${name}${++made}-${randomBytes(4).toString('hex')}`
    const email = `${username}@example.com`
    const { objectId, token } = await server.signUp(username, { email })
    pool.add('username', username)
    pool.add('email', email)
    pool.add('userId', objectId)
    pool.add('objectId', objectId)
    pool.add('password', `${username} password`)
    const cookie = `${cookieName(server.context)}=${token}`
    return { name, kind: 'user', id: objectId, headers: { 'x-parse-session-token': token }, cookie }
  }

  /** A caller with a token of a user, or with a key of operators in a world of theirs. It may see no more than they. */
  async function addToken(): Promise<FuzzActor> {
    const { headers } = await addUser('owner')
    const [path, scopes, options] =
      rights === 'master'
        ? (['/console/accessKeys', ['*:read', 'users:read', 'schema:write', 'chain:read'], asMaster()] as const)
        : (['/auth/tokens', ['*:read', '*:write', 'account:read', 'chain:read'], { headers }] as const)
    const { body } = await server.call('POST', path, { name: 'fuzz', scopes }, options)
    return {
      name: 'scoped',
      kind: rights === 'master' ? 'operator' : 'user',
      headers: { authorization: `Bearer ${body.token}` },
    }
  }

  /** Keeps the actor of that name, or takes a new one if `path` no longer responds to it. */
  async function renew(name: string, path: string, create: () => Promise<FuzzActor>): Promise<void> {
    const at = actors.findIndex((actor) => actor.name === name)
    const known = actors[at]
    if (known && (await server.call('GET', path, undefined, { headers: known.headers })).status === 200) return
    const fresh = await create()
    if (known) actors[at] = fresh
    else actors.push(fresh)
  }

  async function addOperator(role: string): Promise<FuzzActor> {
    const user = await addUser(role)
    await server.call('PUT', `/console/operators/${user.id}`, { role }, asMaster())
    return { ...user, kind: 'operator', headers: { ...user.headers, 'x-countersign-console': '1' } }
  }

  /** Takes back settings of random requests, which may have closed sign-up or signing in. */
  async function resetSettings(): Promise<void> {
    const { body } = await server.call('GET', '/console/settings', undefined, asMaster())
    for (const { name, source } of (body.results ?? []) as { name: string; source: string }[])
      if (source === 'database') await server.call('DELETE', `/console/settings/${name}`, undefined, asMaster())
  }

  async function tendOperators(): Promise<void> {
    for (const className of classNames) {
      const { status } = await server.call('GET', `/schemas/${className}`, undefined, asMaster())
      if (status >= 400) await server.call('POST', `/schemas/${className}`, describeClass(className), asMaster())
    }
    // Rotation of the keys may have replaced it.
    for (const actor of actors) if (actor.kind === 'master') actor.headers = asMaster().headers
    for (const role of ['admin', 'support', 'viewer']) await renew(role, '/console', () => addOperator(role))
  }

  /** Real messages with their signatures, so that sign-in cases get behind the parser. */
  async function addProofs(): Promise<void> {
    const proofs: { message: string; signature: string }[] = []
    const headers = { ...actors.find(({ kind }) => kind === 'user')?.headers, 'x-parse-installation-id': installation }
    for (const purpose of ['signIn', 'link', 'reauthenticate', 'merge']) {
      const input = { purpose, address: key.address, chainId: 1 }
      const { message } = (await server.call('POST', '/auth/challenge', input, { headers })).body
      if (typeof message === 'string') proofs.push({ message, signature: key.sign(message) })
    }
    pool.set('proof', proofs)
    for (const name of ['message', 'signature'] as const)
      pool.set(
        name,
        proofs.map((proof) => proof[name]),
      )
  }

  async function tend(): Promise<void> {
    if (rights === 'master') await resetSettings()
    for (const name of ['alice', 'bob']) await renew(name, '/users/me', () => addUser(name))
    if (rights === 'master') await tendOperators()
    await renew('scoped', '/auth/token', addToken)
    await addProofs()
  }

  pool.set('address', [key.address, key.address.toLowerCase()])
  const ended = await addUser('ended')
  await server.call('POST', '/logout', {}, { headers: ended.headers })
  actors.push({ name: 'ended', kind: 'guest', headers: ended.headers })
  if (rights === 'master')
    actors.push(...Array.from({ length: 5 }, (): FuzzActor => ({ name: 'master', kind: 'master', ...asMaster() })))
  await tend()
  return { actors, tend }
}

const installation = 'fuzz-installation'

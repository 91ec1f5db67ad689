import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { accountRows } from '../../testing/permissionRows/accountRows.ts'
import { chainRows } from '../../testing/permissionRows/chainRows.ts'
import { rowsOfContract } from '../../testing/permissionRows/contractRows.ts'
import { objectRows } from '../../testing/permissionRows/objectRows.ts'
import { operatorRows } from '../../testing/permissionRows/operatorRows.ts'
import { pointer, secret, type Things } from '../../testing/permissionRows/PermissionRow.ts'
import { serveTests } from '../../testing/serveTests.ts'

const exceptions = [...objectRows, ...accountRows, ...operatorRows, ...chainRows]

const rows = [...exceptions, ...rowsOfContract(exceptions)]

const names = ['guest', 'other', 'member', 'owner', 'master'] as const

let shared: { things: Things; user: string }

let member: string

let other: string

const password = 'walk password'

let count = 0

const server = serveTests()
beforeAll(async () => {
  other = (await server.signUp('other')).objectId
  member = (await server.signUp('member')).objectId
  const users = { __op: 'AddRelation', objects: [pointer('_User', member)] }
  await server.call('POST', '/roles', { name: 'crew', ACL: { '*': { read: true } }, users }, { master: true })
  server.context.registry.jobs.set('walk', { run: async () => secret })
  shared = await make()
})

const tokens = new Map<string, string>()

async function tokenOf(userId: string, isNew = false): Promise<string> {
  const known = isNew ? undefined : tokens.get(userId)
  if (known) return known
  const { body } = await server.call('POST', '/loginAs', { userId }, { master: true })
  // A session that the operator opens counts as unconfirmed; what that refuses is in staleSessionWalk.test.ts.
  await server.context.db.query(sql`update "_Session" set "_confirmed" = "createdAt" where "user" = ${userId}`)
  if (isNew) tokens.delete(userId)
  else tokens.set(userId, body.sessionToken as string)
  return body.sessionToken as string
}

/** A new owner with a document, a session, a role and a device, which members of the crew may read. */
async function make(): Promise<typeof shared> {
  const username = `owner${++count}`
  const ofCrew = { 'role:crew': { read: true } }
  const email = `${username}@${secret}.example`
  const signedUp = await server.call('POST', '/users', { username, password, email, note: secret, ACL: ofCrew })
  const user = signedUp.body.objectId as string
  const token = signedUp.body.sessionToken as string
  const ACL = { [user]: { read: true, write: true }, ...ofCrew }
  const made = async (path: string, body: object) =>
    (await server.call('POST', path, body, { master: true })).body.objectId as string
  const doc = await made('/classes/Doc', { secret, owner: pointer('_User', user), ACL })
  const role = await made('/roles', { name: `role ${count}`, note: secret, ACL })
  const device = await made('/installations', { installationId: `device-${count}`, deviceType: 'web', secret, ACL })
  const session = await server.call('GET', '/sessions/me', undefined, { token })
  const sessionId = session.body.objectId as string
  await server.call('PUT', `/sessions/${sessionId}`, { note: secret }, { token })
  const className = `Walk${count}`
  await made(`/classes/${className}`, { secret, ACL })
  return { user, things: { doc, role, device, user, sessionId, className } }
}

describe('every endpoint as guest, other user, member of a role, owner and master', () => {
  test.each(rows)('P5, P10, P11: $name', async ({ call, expected, fresh, ends }) => {
    const seen: string[] = []
    for (const name of names) {
      const { things, user } = fresh ? await make() : shared
      const who = { guest: undefined, other, member, owner: user, master: undefined }[name]
      const [method, path, body] = call(things)
      const answer = await server.call(method, path, body, {
        ...(who && { token: await tokenOf(who, ends) }),
        master: name === 'master',
      })
      seen.push(answer.body.code === undefined ? String(answer.status) : `${answer.status}/${answer.body.code}`)
      if (name === 'guest' || name === 'other') expect(answer.text, name).not.toContain(secret)
      // Members read what the lists show them: neither addresses nor sessions.
      if (name === 'member') expect(answer.text, name).not.toContain(`@${secret}`)
    }
    expect(seen).toEqual(expected)
  })

  test('the table names every endpoint that the server has', async () => {
    const api = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const all = Object.values(api.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
    expect(rows.map(({ name }) => name).sort()).toEqual(all.sort())
  })
})

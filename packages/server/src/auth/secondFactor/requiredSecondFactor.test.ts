import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { refused, step, ticketOf } from '../../testing/accounts/secondFactorAnswers.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { createWalletUser } from '../../testing/createWalletUser.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'

describe('required by the operator', () => {
  test('of everyone: no session before it is set up, and no way to turn it off', async () => {
    const own = await createTestServer({ rateLimit: [], secondFactor: { required: 'everyone' } })
    own.clock.stop()
    try {
      const made = await own.call('POST', '/users', { username: 'ada', password: 'a secret' })
      expect([made.status, made.body.sessionToken]).toEqual([201, undefined])
      const first = await own.call('POST', '/login', { username: 'ada', password: 'a secret' })
      expect(refused(first)).toEqual([403, 'secondFactorSetUpRequired'])
      const ticket = ticketOf(first)
      const { body } = await own.call('POST', '/auth/totp', { ticket })
      const code = () =>
        new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: own.clock.ms() })
      const end = (input: object) => own.call('POST', '/auth/signInWithSecondFactor', input)
      expect(refused(await end({ ticket }))).toEqual([400, 'proofMissing'])
      const done = await end({ ticket, code: code() })
      expect(done.status, done.text).toBe(200)
      const token = String(done.body.sessionToken)
      // The ticket is used up with it: it set up, and there is nothing to set up any more.
      own.clock.forward(step)
      expect((await end({ ticket, code: code() })).status).toBe(401)
      expect(refused(await own.call('DELETE', '/auth/secondFactor', undefined, { token }))).toEqual([
        403,
        'secondFactorDemanded',
      ])
      expect(
        refused(await own.call('PUT', '/users/x', { authData: { mfa: null } }, { token }))[0],
      ).toBeGreaterThanOrEqual(400)
      const wallet = await createWalletUser(own).catch(String)
      expect(wallet).toContain('secondFactorSetUpRequired')
    } finally {
      await own.stop()
    }
  })

  test('a password that changes while the app is set up ends the sign-in', async () => {
    const own = await createTestServer({ rateLimit: [], secondFactor: { required: 'everyone' } })
    own.clock.stop()
    try {
      await own.call('POST', '/users', { username: 'ada', password: 'a secret' })
      const ticket = ticketOf(await own.call('POST', '/login', { username: 'ada', password: 'a secret' }))
      const { body } = await own.call('POST', '/auth/totp', { ticket })
      const code = new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: own.clock.ms() })
      const { hooks } = own.context.registry
      hooks.set('beforeSignIn _User', [
        async () => {
          hooks.clear()
          const { body: found } = await own.call('GET', '/users', undefined, { master: true })
          const [ada] = found.results as { objectId: string }[]
          await own.call('PUT', `/users/${ada?.objectId}`, { password: 'another' }, { master: true })
          return undefined
        },
      ])
      const end = await own.call('POST', '/auth/signInWithSecondFactor', { ticket, code })
      expect([end.status, end.body.sessionToken]).toEqual([404, undefined])
      expect(await own.context.db.query(sql`select from "_Session"`)).toHaveLength(0)
    } finally {
      await own.stop()
    }
  })

  test('of members of a role, also through another role', async () => {
    const own = await createTestServer({ rateLimit: [], secondFactor: { required: { roles: ['admins'] } } })
    try {
      const boss = await own.signUp('boss')
      await own.signUp('clerk')
      const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })
      const users = { __op: 'AddRelation', objects: [pointer('_User', boss.objectId)] }
      const inner = await own.call('POST', '/roles', { name: 'chiefs', ACL: {}, users }, { master: true })
      const roles = { __op: 'AddRelation', objects: [pointer('_Role', String(inner.body.objectId))] }
      await own.call('POST', '/roles', { name: 'admins', ACL: {}, roles }, { master: true })
      const enter = (username: string) => own.call('POST', '/login', { username, password: `${username} password` })
      expect((await enter('clerk')).status).toBe(200)
      expect(refused(await enter('boss'))).toEqual([403, 'secondFactorSetUpRequired'])
    } finally {
      await own.stop()
    }
  })

  test('SEC-79: a role that demands one opens nothing to a session of a user without one', async () => {
    const own = await createTestServer({ rateLimit: [], secondFactor: { required: { roles: ['admins'] } } })
    const socket = await openLiveSocket(own)
    try {
      const { objectId, token } = await own.signUp('promoted')
      const pointer = (className: string, id: string) => ({ __type: 'Pointer', className, objectId: id })
      const save = async (title: string, name: string) => {
        const ACL = { [`role:${name}`]: { read: true } }
        const made = await own.call('POST', '/classes/Secret', { title, ACL }, { master: true })
        return String(made.body.objectId)
      }
      const secret = await save('of admins', 'admins')
      const outer = await save('of staff', 'staff')
      const subscribed = await socket.subscribe(1, { className: 'Secret' }, { sessionToken: token })
      expect(subscribed).toMatchObject({ op: 'subscribed' })
      const users = { __op: 'AddRelation', objects: [pointer('_User', objectId)] }
      const admins = await own.call('POST', '/roles', { name: 'admins', ACL: {}, users }, { master: true })
      const roles = { __op: 'AddRelation', objects: [pointer('_Role', String(admins.body.objectId))] }
      await own.call('POST', '/roles', { name: 'staff', ACL: {}, roles }, { master: true })
      await own.call('POST', '/roles', { name: 'readers', ACL: {}, users }, { master: true })
      const read = async (id: string) => (await own.call('GET', `/classes/Secret/${id}`, undefined, { token })).status
      expect([await read(secret), await read(outer)]).toEqual([404, 404])
      await save('for admins', 'admins')
      await save('for readers', 'readers')
      await socket.next(({ op, object }) => op === 'create' && object?.title === 'for readers')
      expect(JSON.stringify(socket.frames)).not.toContain('for admins')
      const { body } = await own.call('POST', '/auth/totp', {}, { token })
      const code = new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: own.clock.ms() })
      expect((await own.call('POST', '/auth/totp/confirm', { code }, { token })).status).toBe(200)
      expect([await read(secret), await read(outer)]).toEqual([200, 200])
    } finally {
      socket.close()
      await own.stop()
    }
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator, present, type RegistrationOptions } from '../../testing/accounts/createAuthenticator.ts'
import {
  createPasskeyCalls,
  here,
  minutes,
  notAllowed,
  notProven,
  refusal,
} from '../../testing/accounts/createPasskeyCalls.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

let origin: string
const server = serveTests()
beforeAll(async () => {
  origin = server.context.publicUrl
})

const { signUp, askRegistration, register, createHolder, list, signInWith, takePassword, askChallenge } =
  createPasskeyCalls(() => server)

describe('adding', () => {
  test('needs a session that was confirmed recently', async () => {
    expect((await server.call('POST', '/auth/passkeys/registration', {}, { headers: here })).body.code).toBe(209)
    const { token } = await signUp('late')
    server.clock.forward(14 * minutes)
    const options = await askRegistration(token)
    const credential = createAuthenticator(origin).register(options)
    expect((await server.call('POST', '/auth/passkeys', { credential }, { headers: here })).body.code).toBe(209)
    server.clock.forward(2 * minutes)
    expect(refusal(await register(token, createAuthenticator(origin).register(options)))).toEqual(notAllowed)
    expect(refusal(await server.call('POST', '/auth/passkeys/registration', {}, { token, headers: here }))).toEqual(
      notAllowed,
    )
  })

  test('a passkey belongs to one person: the second try gets 208', async () => {
    const { authenticator, token } = await createHolder()
    const other = await signUp('other')
    for (const taker of [token, other.token]) {
      const answer = await register(taker, authenticator.register(await askRegistration(taker)))
      expect([answer.status, answer.body.code]).toEqual([409, 208])
    }
    expect(await list(other.token)).toEqual([])
  })

  test("another user's registration is not taken", async () => {
    const ada = await signUp('ada')
    const bob = await signUp('bob')
    expect(
      refusal(await register(bob.token, createAuthenticator(origin).register(await askRegistration(ada.token)))),
    ).toEqual(notProven)
  })

  test('the name is the owner’s, within bounds', async () => {
    const { token } = await signUp('namer')
    for (const [given, kept] of [
      ['  Phone ', 'Phone'],
      [undefined, 'Passkey'],
      ['', 'Passkey'],
      ['🔑'.repeat(80), '🔑'.repeat(80)],
    ]) {
      const answer = await register(token, createAuthenticator(origin).register(await askRegistration(token)), given)
      expect([answer.status, answer.body.name]).toEqual([201, kept])
    }
    for (const name of ['x'.repeat(81), 7, {}, ['x'], '\ud800']) {
      const answer = await register(token, createAuthenticator(origin).register(await askRegistration(token)), name)
      expect(answer.status, JSON.stringify(name)).toBe(400)
    }
    expect(await list(token)).toHaveLength(4)
  })

  test('SEC-11: the name holds no line breaks, direction marks or invisible characters', async () => {
    const { token } = await signUp('namer')
    for (const name of ['a\nb', 'a\u202eb', 'a\u200bb']) {
      const answer = await register(token, createAuthenticator(origin).register(await askRegistration(token)), name)
      expect(answer.body).toMatchObject({ code: 162, error: expect.stringMatching(/^name must not contain control/) })
    }
    expect(await list(token)).toHaveLength(0)
  })
})

describe('removing', () => {
  const remove = (token: string | undefined, objectId: string) =>
    server.call('DELETE', `/auth/passkeys/${objectId}`, undefined, token ? { token } : {})

  test('by its owner alone, and only when confirmed recently', async () => {
    const { token, passkey, authenticator } = await createHolder()
    const other = await signUp('other')
    expect((await remove(undefined, passkey.objectId)).body.code).toBe(209)
    expect([(await remove(other.token, passkey.objectId)).status, await list(token)]).toMatchObject([404, [{}]])
    expect((await remove(token, passkey.objectId)).status).toBe(200)
    expect(await list(token)).toEqual([])
    expect(refusal(await signInWith(authenticator))).toEqual(notProven)

    const later = await createHolder()
    server.clock.forward(16 * minutes)
    expect(refusal(await remove(later.token, later.passkey.objectId))).toEqual(notAllowed)
  })

  const restore = (token: string, objectId: string) =>
    server.call('POST', `/auth/passkeys/${objectId}/restore`, {}, { token })

  test('is undone within ten minutes: the passkey is as it was, its count of uses too', async () => {
    const { token, objectId, passkey, authenticator } = await createHolder()
    expect((await signInWith(authenticator, { counter: 7 })).status).toBe(200)
    const before = await list(token)
    const removed = await remove(token, passkey.objectId)
    expect(Date.parse(String(removed.body.undoUntil)) - server.clock.now().getTime()).toBeGreaterThan(9 * minutes)
    expect(refusal(await signInWith(authenticator, { counter: 8 }))).toEqual(notProven)
    expect((await restore(token, passkey.objectId)).body).toEqual(before[0])
    expect(await list(token)).toEqual(before)
    // A copy of the device that has fallen behind is still found out.
    expect((await signInWith(authenticator, { counter: 7 })).body.reason).toBe('passkeyCopied')
    expect((await signInWith(authenticator, { counter: 9 })).body.objectId).toBe(objectId)

    await remove(token, passkey.objectId)
    server.clock.forward(10 * minutes + 1)
    const late = await restore(token, passkey.objectId)
    expect([late.status, late.body.reason]).toEqual([404, 'passkeyRestoreExpired'])
    expect(refusal(await signInWith(authenticator, { counter: 10 }))).toEqual(notProven)
  })

  test('is undone by the new registration where its owner was quicker', async () => {
    const { token, passkey, authenticator } = await createHolder()
    await remove(token, passkey.objectId)
    const again = await register(token, authenticator.register(await askRegistration(token)), 'Again')
    const restored = await restore(token, passkey.objectId)
    expect([restored.status, restored.body.objectId]).toEqual([200, again.body.objectId])
    expect((await list(token)).map(({ name }) => name)).toEqual(['Again'])
  })

  test('of the only second factor is refused where the operator demands one', async () => {
    const own = await createTestServer({ secondFactor: { required: { roles: ['careful'] } } })
    try {
      const { objectId, token } = await own.signUp('careful-one')
      const authenticator = createAuthenticator(own.context.publicUrl)
      const asked = await own.call('POST', '/auth/passkeys/registration', {}, { token, headers: here })
      const credential = authenticator.register(asked.body.options as RegistrationOptions)
      const { body } = await own.call('POST', '/auth/passkeys', { credential }, { token, headers: here })
      const removal = () => own.call('DELETE', `/auth/passkeys/${body.objectId}`, undefined, { token })
      await own.call('PUT', '/auth/secondFactor', { passkey: true }, { token })
      const users = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId }] }
      await own.call('POST', '/roles', { name: 'careful', ACL: {}, users }, { master: true })
      const refused = await removal()
      expect([refused.status, refused.body.reason]).toEqual([403, 'secondFactorDemanded'])
      const { body: factor } = await own.call('GET', '/auth/secondFactor', undefined, { token })
      expect(factor).toMatchObject({ passkey: true, required: true })
    } finally {
      await own.stop()
    }
  })

  test('never the last sign-in method, not even by many requests at once', async () => {
    const { token, objectId } = await createHolder()
    for (let made = 1; made < 12; made++) {
      await register(token, createAuthenticator(origin).register(await askRegistration(token)))
    }
    await takePassword(objectId)
    const answers = await Promise.all((await list(token)).map((passkey) => remove(token, passkey.objectId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 403])
    const [left] = await list(token)
    expect(refusal(await remove(token, left?.objectId ?? ''))).toEqual(notAllowed)
    expect(await list(token)).toHaveLength(1)
  })
})

describe('confirmation', () => {
  const reauthenticate = (token: string, credential: unknown) =>
    server.call('POST', '/auth/reauthenticate', { credential }, { token, headers: here })

  test('by a passkey of the account, which then may change its sign-in methods again', async () => {
    const { authenticator, token } = await createHolder()
    server.clock.forward(16 * minutes)
    const late = await server.call('POST', '/auth/passkeys/registration', {}, { token, headers: here })
    expect(refusal(late)).toEqual(notAllowed)
    const confirmed = await reauthenticate(
      token,
      authenticator.assert(await askChallenge('reauthenticate', token), { userHandle: null }),
    )
    expect([confirmed.status, confirmed.body.confirmedUntil]).toEqual([200, expect.any(String)])
    expect(await askRegistration(confirmed.body.sessionToken as string)).toMatchObject({ rp: { id: 'localhost' } })
  })

  test('only if the device checked who uses it, and only for this purpose', async () => {
    const { authenticator, token } = await createHolder()
    expect(
      refusal(
        await reauthenticate(
          token,
          authenticator.assert(await askChallenge('reauthenticate', token), { flags: present }),
        ),
      ),
    ).toEqual(notProven)
    expect(refusal(await reauthenticate(token, authenticator.assert(await askChallenge())))).toEqual(notProven)
    for (const junk of [null, 7, 'x', [], {}])
      expect((await reauthenticate(token, junk)).body, JSON.stringify(junk)).toMatchObject({
        code: 162,
        reason: 'invalidInput',
      })
  })

  test('a session that was opened without that check must step up first', async () => {
    const { authenticator } = await createHolder()
    const { status, body } = await signInWith(authenticator, { flags: present })
    expect(status).toBe(200)
    expect(
      refusal(
        await server.call(
          'POST',
          '/auth/passkeys/registration',
          {},
          { token: body.sessionToken as string, headers: here },
        ),
      ),
    ).toEqual(notAllowed)
  })

  test("another user's passkey does not do", async () => {
    const ada = await createHolder()
    const bob = await createHolder()
    for (const userHandle of [null, undefined]) {
      const credential = bob.authenticator.assert(await askChallenge('reauthenticate', ada.token), { userHandle })
      expect(refusal(await reauthenticate(ada.token, credential))).toEqual(notProven)
    }
    const plain = await signUp('plain')
    expect(
      refusal(
        await server.call(
          'POST',
          '/auth/passkeys/challenge',
          { purpose: 'reauthenticate' },
          { token: plain.token, headers: here },
        ),
      ),
    ).toEqual(notAllowed)
    expect(
      (await server.call('POST', '/auth/passkeys/challenge', { purpose: 'reauthenticate' }, { headers: here })).body
        .code,
    ).toBe(209)
  })
})

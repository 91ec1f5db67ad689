import { randomUUID } from 'node:crypto'
import { exportSPKI, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import {
  createProviderCalls,
  headersOf,
  newBrowser,
  newPerson,
  refusal,
  resetIssuers,
  startProviders,
} from '../../testing/accounts/createProviderCalls.ts'
import type { TestServer } from '../../testing/createTestServer.ts'
import type { Issuer } from '../../testing/startIssuer.ts'

let issuer: Issuer
let other: Issuer
let server: TestServer

beforeAll(async () => {
  ;({ issuer, other, server } = await startProviders())
})
afterAll(async () => {
  await server.stop()
  await Promise.all([issuer.stop(), other.stop()])
})
beforeEach(() => resetIssuers(issuer, other))

const { signIn, goThere, begin } = createProviderCalls(
  () => server,
  () => issuer,
)

describe('addresses', () => {
  const newAddress = () => `${randomUUID()}@example.com`

  test('a verified one of a trusted provider comes to the new account', async () => {
    const email = newAddress()
    const made = await signIn('acme', { sub: newPerson(), email, email_verified: true })
    expect([made.body.email, made.body.emailVerified]).toEqual([email, true])
  })

  test('an unverified address, or one of an untrusted provider, does not', async () => {
    const email = newAddress()
    const unverified = await signIn('acme', { sub: newPerson(), email, email_verified: false })
    expect([unverified.status, unverified.body.email]).toEqual([201, undefined])
    const doubtful = await signIn('doubtful', { sub: newPerson(), email, email_verified: true })
    expect([doubtful.status, doubtful.body.email]).toEqual([201, undefined])
    const odd = await signIn('acme', { sub: newPerson(), email: 'no address', email_verified: true })
    expect([odd.status, odd.body.email]).toEqual([201, undefined])
  })

  test('an account with the same verified address is never opened: its owner signs in and links', async () => {
    const username = `owner-${randomUUID()}`
    const email = newAddress()
    const { objectId, token } = await server.signUp(username, { email })
    await server.call('PUT', `/users/${objectId}`, { emailVerified: true }, { master: true })
    const sub = newPerson()
    const claims = { sub, email: email.toUpperCase(), email_verified: true }
    const answer = await signIn('acme', claims)
    expect(refusal(answer)).toEqual([409, 'signInToLink'])
    expect(answer.body.sessionToken).toBeUndefined()
    // An unverified address proves nothing: the account is not mentioned.
    const stranger = await signIn('acme', { sub: newPerson(), email, email_verified: false })
    expect(stranger.status).toBe(201)
    expect(stranger.body.objectId).not.toBe(objectId)
    const browser = newBrowser()
    const response = await goThere('acme', browser, claims, { input: { purpose: 'link' }, token })
    const linked = await server.call('POST', '/auth/identities', response, headersOf(browser, token))
    expect([linked.status, linked.body.provider]).toEqual([201, 'acme'])
    const opened = await signIn('acme', claims)
    expect([opened.status, opened.body.objectId]).toEqual([200, objectId])
  })

  test('pre-hijacking: signing up with another’s address gives no access to theirs', async () => {
    const email = newAddress()
    const attacker = await server.signUp(`early-${randomUUID()}`, { email })
    const victim = await signIn('acme', { sub: newPerson(), email, email_verified: true })
    expect(victim.status).toBe(201)
    expect(victim.body.objectId).not.toBe(attacker.objectId)
    expect(victim.body.email).toBeUndefined()
    const methods = await server.call('GET', '/auth/signInMethods', undefined, { token: attacker.token })
    expect(methods.body.identities).toBeUndefined()
  })
})

describe('an account that is signed in', () => {
  const newUser = () => server.signUp(`user-${randomUUID()}`)
  const link = async (token: string, sub: string, provider = 'acme') => {
    const browser = newBrowser()
    const response = await goThere(provider, browser, { sub }, { input: { purpose: 'link' }, token })
    return server.call('POST', '/auth/identities', response, headersOf(browser, token))
  }

  test('links, which is noted; an identity of somebody else stays theirs', async () => {
    const { objectId, token } = await newUser()
    const sub = newPerson()
    expect((await link(token, sub)).status).toBe(201)
    const activity = await server.call('GET', '/auth/activity', undefined, { token })
    expect((activity.body.results as { action: string }[]).map(({ action }) => action)).toContain('linkIdentity')
    const second = await newUser()
    expect(refusal(await link(second.token, sub))).toEqual([409, 'accountAlreadyLinked'])
    expect((await signIn('acme', { sub })).body.objectId).toBe(objectId)
  })

  test('not without a recent proof, neither at the start nor at the end', async () => {
    const { token } = await newUser()
    const browser = newBrowser()
    const response = await goThere('acme', browser, { sub: newPerson() }, { input: { purpose: 'link' }, token })
    const stale = sql`update "_Session" set "_confirmed" = ${new Date(0)} where "createdWith" is not null`
    await server.context.db.query(stale)
    server.context.sessionCache.forgetUser(
      (await server.call('GET', '/users/me', undefined, { token })).body.objectId as string,
    )
    const late = await server.call('POST', '/auth/identities', response, headersOf(browser, token))
    expect(refusal(late)).toEqual([403, 'reauthenticationRequired'])
    expect(refusal(await begin('acme', browser, { purpose: 'link' }, token))).toEqual([403, 'reauthenticationRequired'])
    expect(refusal(await begin('acme', browser, { purpose: 'link' }))).toEqual([400, 'invalidSessionToken'])
  })

  test('rejects the response for another account’s session', async () => {
    const [one, two] = [await newUser(), await newUser()]
    const browser = newBrowser()
    const response = await goThere(
      'acme',
      browser,
      { sub: newPerson() },
      { input: { purpose: 'link' }, token: one.token },
    )
    const answer = await server.call('POST', '/auth/identities', response, headersOf(browser, two.token))
    expect(refusal(answer)).toEqual([401, 'challengeOfOtherAccount'])
  })

  test('removes it and brings it back; never the last one', async () => {
    const { objectId, token } = await newUser()
    const sub = newPerson()
    await link(token, sub)
    const gone = await server.call('DELETE', '/auth/identities/acme', undefined, { token })
    expect([gone.status, typeof gone.body.undoUntil]).toEqual([200, 'string'])
    expect(refusal(await server.call('DELETE', '/auth/identities/acme', undefined, { token }))).toEqual([
      404,
      'identityNotFound',
    ])
    const back = await server.call('POST', '/auth/identities/acme/restore', {}, { token })
    expect([back.status, back.body.id]).toEqual([200, sub])
    expect((await signIn('acme', { sub })).body.objectId).toBe(objectId)
    // Another account has it by now.
    await server.call('DELETE', '/auth/identities/acme', undefined, { token })
    const taker = await signIn('acme', { sub })
    expect(taker.status).toBe(201)
    expect(refusal(await server.call('POST', '/auth/identities/acme/restore', {}, { token }))).toEqual([
      409,
      'accountAlreadyLinked',
    ])
    const last = await server.call('DELETE', '/auth/identities/acme', undefined, {
      token: String(taker.body.sessionToken),
    })
    expect(refusal(last)).toEqual([403, 'lastSignInMethod'])
  })

  test('not brought back after ten minutes', async () => {
    const { token } = await newUser()
    await link(token, newPerson())
    await server.call('DELETE', '/auth/identities/acme', undefined, { token })
    server.clock.forward(10 * 60_000)
    const late = await server.call('POST', '/auth/identities/acme/restore', {}, { token })
    expect(refusal(late)).toEqual([404, 'identityRestoreExpired'])
  })

  test('confirms the session by its own identity, by a sign-in that is new', async () => {
    const sub = newPerson()
    const made = await signIn('acme', { sub })
    const token = String(made.body.sessionToken)
    const confirm = async (claims: JWTPayload) => {
      const browser = newBrowser()
      const input = { purpose: 'reauthenticate' }
      const begun = await begin('acme', browser, input, token)
      expect(Object.fromEntries(new URL(String(begun.body.url)).searchParams)).toMatchObject({ prompt: 'login' })
      const provider = await goThere('acme', browser, claims, { input, token })
      return server.call('POST', '/auth/reauthenticate', { provider }, headersOf(browser, token))
    }
    const now = () => Math.floor(server.clock.ms() / 1000)
    expect(refusal(await confirm({ sub, auth_time: now() - 3600 }))).toEqual([403, 'providerProofTooOld'])
    expect(refusal(await confirm({ sub: newPerson(), auth_time: now() }))).toEqual([401, 'identityNotLinked'])
    const right = await confirm({ sub, auth_time: now() })
    expect([right.status, typeof right.body.sessionToken]).toEqual([200, 'string'])
  })
})

describe('ID tokens of native apps', () => {
  const post = (authData: object, token?: string) =>
    server.call('POST', '/users', { authData }, { ...(token && { token }) })

  test('sign in by POST /users; the token is not kept', async () => {
    const sub = newPerson()
    const id_token = await issuer.sign({ sub })
    const made = await post({ acme: { id: sub, id_token } })
    expect([made.status, made.body.authData]).toEqual([201, { acme: { id: sub } }])
    expect((await signIn('acme', { sub })).body.objectId).toBe(made.body.objectId)
    expect((await post({ acme: { id: sub, id_token } })).status).toBe(200)
  })

  test('the same rule about addresses', async () => {
    const email = `${randomUUID()}@example.com`
    const { objectId } = await server.signUp(`native-${randomUUID()}`, { email })
    await server.call('PUT', `/users/${objectId}`, { emailVerified: true }, { master: true })
    const sub = newPerson()
    const id_token = await issuer.sign({ sub, email, email_verified: true })
    expect(refusal(await post({ acme: { id: sub, id_token } }))).toEqual([409, 'signInToLink'])
  })

  test('accepts only a currently valid token of this issuer for this client', async () => {
    const sub = newPerson()
    const now = Math.floor(Date.now() / 1000)
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const pem = new TextEncoder().encode(await exportSPKI(issuer.publicKey))
    const claims = { iss: issuer.url, aud: issuer.clientId, sub, iat: now, exp: now + 300 }
    const wrong: [string, object][] = [
      ['none', { id: sub }],
      ['no text', { id: sub, id_token: { a: 1 } }],
      ['belongs to another user', { id: newPerson(), id_token: await issuer.sign({ sub }) }],
      ['expired', { id: sub, id_token: await issuer.sign({ sub, exp: now - 60 }) }],
      ['too old', { id: sub, id_token: await issuer.sign({ sub, iat: now - 4_000 }) }],
      ['another client', { id: sub, id_token: await issuer.sign({ sub, aud: 'client-2' }) }],
      ['two clients', { id: sub, id_token: await issuer.sign({ sub, aud: ['client-1', 'client-2'] }) }],
      ['issued for another', { id: sub, id_token: await issuer.sign({ sub, azp: 'client-2' }) }],
      ['another issuer', { id: sub, id_token: await issuer.sign({ sub, iss: other.url }) }],
      ['another key', { id: sub, id_token: await other.sign({ sub, iss: issuer.url }) }],
      ['alg none', { id: sub, id_token: `${encode({ alg: 'none' })}.${encode(claims)}.` }],
      ['alg HS256', { id: sub, id_token: await issuer.sign(claims, { header: { alg: 'HS256' }, key: pem }) }],
      ['another nonce', { id: sub, nonce: 'a', id_token: await issuer.sign({ sub, nonce: 'b' }) }],
    ]
    for (const [name, data] of wrong) {
      const answer = await post({ acme: data })
      expect([name, answer.status, answer.body.code]).toEqual([name, 400, 141])
    }
    expect((await post({ hub: { id: sub, access_token: 'of another app' } })).body.code).toBe(141)
  })

  test('an older token does not confirm a session', async () => {
    const sub = newPerson()
    const iat = Math.floor(Date.now() / 1000) - 1_200
    const id_token = await issuer.sign({ sub, iat })
    const made = await post({ acme: { id: sub, id_token } })
    expect(made.status).toBe(201)
    const answer = await server.call(
      'POST',
      '/auth/reauthenticate',
      { authData: { acme: { id: sub, id_token } } },
      { token: String(made.body.sessionToken) },
    )
    expect(answer.body.code).toBe(141)
  })
})

import { expect, test } from 'vitest'
import { serveTests } from '../../testing/serveTests.ts'

type Sent = { objectId: string; kind: string; at: string }

const server = serveTests({ verifyUserEmails: true, rateLimit: [] })

const list = async (token: string) => {
  await server.context.background.settle()
  const { status, body, text } = await server.call('GET', '/auth/mails', undefined, { token })
  expect(status, text).toBe(200)
  return { text, sent: body.results as Sent[] }
}
const kindsOf = async (token: string) => (await list(token)).sent.map(({ kind }) => kind)
/** Follows the link of the mail, with a session of the account or outside it. */
const verify = async (address: string, session?: string) => {
  await server.context.background.settle()
  const { body } = await server.call('GET', '/outbox', undefined, { master: true })
  const mail = (body.results as { to: string; link: string | null }[]).find(({ to, link }) => to === address && link)
  const token = new URL(String(mail?.link)).searchParams.get('token')
  const { status, text } = await server.call('POST', '/verifyEmail', { token }, session ? { token: session } : {})
  expect(status, text).toBe(200)
}
const reset = (email: string) => server.call('POST', '/requestPasswordReset', { email })

test('the owner of a verified address sees kinds and times of its mails, newest first, without their text', async () => {
  const { token } = await server.signUp('ada', { email: 'Ada@example.com' })
  expect(await kindsOf(token)).toEqual([])
  await verify('Ada@example.com', token)
  server.clock.forward(1000)
  await reset('ada@example.com')
  const { sent, text } = await list(token)
  expect(sent.map(({ kind }) => kind)).toEqual(['passwordReset', 'verification'])
  expect(Object.keys(sent[0] ?? {}).sort()).toEqual(['at', 'kind', 'objectId'])
  expect(text).not.toMatch(/example\.com|http|token/)
  server.clock.forward(31 * 86_400_000)
  expect(await kindsOf(token)).toEqual([])
})

test('hides mails of other people, and mails before the address was verified', async () => {
  const ann = await server.signUp('ann', { email: 'ann@example.com' })
  await verify('ann@example.com', ann.token)
  await reset('ann@example.com')
  expect(await kindsOf(ann.token)).toHaveLength(2)
  await server.call('PUT', `/users/${ann.objectId}`, { email: 'new@example.com' }, { master: true })
  expect(await kindsOf(ann.token)).toEqual([])

  server.clock.forward(1000)
  const bob = await server.signUp('bob')
  const change = (fields: object) => server.call('PUT', `/users/${bob.objectId}`, fields, { master: true })
  await change({ email: 'ann@example.com' })
  await change({ emailVerified: true })
  // Of the mails to the address, those since it was added.
  expect(await kindsOf(bob.token)).toEqual(['verification'])
  await reset('ann@example.com')
  expect(await kindsOf(bob.token)).toEqual(['passwordReset', 'verification'])

  expect((await server.call('GET', '/auth/mails')).body.code).toBe(209)
  expect((await server.call('GET', '/auth/mails', undefined, { master: true })).body.code).toBe(209)
})

test('an address that was verified outside the account, which may be mistyped, shows nothing', async () => {
  const { token } = await server.signUp('eve', { email: 'victim@example.com' })
  await verify('victim@example.com')
  await reset('victim@example.com')
  expect(await kindsOf(token)).toEqual([])
})

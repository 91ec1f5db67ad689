import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { type Answer, createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({ emailCode: { enabled: true }, rateLimit: [] })

type Headers = Record<string, string>
const browser = (): Headers => ({ 'X-Parse-Installation-Id': randomUUID() })
const newName = () => randomUUID().replaceAll('-', '')
const ask = (email: string, headers = browser()) => server.call('POST', '/auth/emailCode', { email }, { headers })
const enter = (proof: object, headers: Headers) => server.call('POST', '/auth/signInWithEmailCode', proof, { headers })
const reasonOf = ({ status, body }: Answer) => [status, body.reason]

type Mail = { to: string; text: string }
async function listMails(): Promise<Mail[]> {
  await server.context.background.settle()
  return (await server.call('GET', '/outbox', undefined, { master: true })).body.results as Mail[]
}
async function askAndRead(email: string, headers: Headers) {
  const { body } = await ask(email, headers)
  const mail = (await listMails()).find(({ to }) => to === email)
  return { handle: String(body.handle), code: /\n\n(\d{6})\n\n/.exec(mail?.text ?? '')?.[1] ?? '' }
}
const wrong = (code: string, by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

describe('the last permitted try', () => {
  test('of a right code and wrong ones at once is compared once', async () => {
    const email = `${newName()}@example.com`
    const asker = browser()
    const { handle, code } = await askAndRead(email, asker)
    for (let by = 1; by < 5; by++) {
      expect(reasonOf(await enter({ handle, code: wrong(code, by) }, asker))).toEqual([401, 'invalidEmailCode'])
    }
    const tries = Array.from({ length: 10 }, (_, index) => (index === 5 ? code : wrong(code, index + 10)))
    const answers = await Promise.all(tries.map((tried) => enter({ handle, code: tried }, asker)))
    const compared = answers.filter(({ body }) => body.reason !== 'emailCodeExpired')
    expect(compared).toHaveLength(1)
    expect(reasonOf(await enter({ handle, code }, asker))).toEqual([401, 'emailCodeExpired'])
  })

  test('of the right code many times at once opens one session', async () => {
    const email = `${newName()}@example.com`
    const asker = browser()
    const { handle, code } = await askAndRead(email, asker)
    for (let by = 1; by < 5; by++) await enter({ handle, code: wrong(code, by) }, asker)
    const answers = await Promise.all(Array.from({ length: 8 }, () => enter({ handle, code }, asker)))
    const opened = answers.filter(({ status }) => status === 200)
    expect(opened).toHaveLength(1)
    const rows = await server.context.db.query(
      sql`select from "_Session" where "user" = ${String(opened[0]?.body.objectId)}`,
    )
    expect(rows).toHaveLength(1)
  })

  test('wrong codes from many browsers at once count together: the address gets a long code then', async () => {
    const email = `${newName()}@example.com`
    const askers = Array.from({ length: 4 }, () => browser())
    const handles: string[] = []
    for (const asker of askers) handles.push(String((await ask(email, asker)).body.handle))
    await Promise.all(
      handles.flatMap((handle, index) =>
        Array.from({ length: 5 }, (_, by) => enter({ handle, code: wrong('123456', by) }, askers[index] ?? {})),
      ),
    )
    await server.context.background.settle()
    server.clock.forward(1_000)
    await ask(email)
    const newest = (await listMails()).find(({ to }) => to === email)
    expect(newest?.text).toMatch(/\n\n(?:[0-9a-z]{4}-){2}[0-9a-z]{4}\n\n/)
  })
})

describe('the binding to the browser', () => {
  test('a handle and code that another browser learned open nothing there, and its tries are counted', async () => {
    const email = `${newName()}@example.com`
    const asker = browser()
    const { handle, code } = await askAndRead(email, asker)
    const thieves: Headers[] = [browser(), {}, { Cookie: `countersign-asks=${'0'.repeat(32)}` }]
    for (const thief of thieves) {
      expect((await enter({ handle, code }, thief)).body.reason).toBe('challengeOfOtherBrowser')
    }
    expect((await enter({ handle, code }, asker)).status).toBe(200)
  })

  test('a code for one address does not open the account of another by a changed handle', async () => {
    const asker = browser()
    const own = await askAndRead(`${newName()}@example.com`, asker)
    const other = String((await ask(`${newName()}@example.com`, asker)).body.handle)
    expect((await enter({ handle: other, code: own.code }, asker)).body.reason).toBe('invalidEmailCode')
  })
})

describe('one mailbox, in any spelling', () => {
  test('gets no flood of mails by tags, case, a dot at the end or the other form of its host', async () => {
    const name = newName()
    const host = `${name}-b\u00fccher.example`
    const written = [
      ...Array.from({ length: 40 }, (_, index) => `${name}+${index}@${host}`),
      `${name.toUpperCase()}@${host}`,
      `${name}@${host}.`,
      `${name}+x@${new URL(`http://${host}`).hostname}`,
    ]
    const answers: Answer[] = []
    for (const email of written) answers.push(await ask(email))
    const mails = (await listMails()).filter(({ to }) => to.toLowerCase().startsWith(name))
    expect(mails.length).toBeLessThanOrEqual(15)
    expect(reasonOf(answers.at(-1) as Answer)).toEqual([429, 'tooManyEmailCodes'])
    // Another mailbox of the host is none of it.
    expect((await ask(`other-${name}@${host}`)).status).toBe(200)
  })

  test('nor a flood of mails that ask to confirm an address, by accounts made with its spellings', async () => {
    const own = await createTestServer({ rateLimit: [], verifyUserEmails: true })
    try {
      const name = newName()
      for (let index = 0; index < 20; index++) {
        const input = {
          username: `${name}${index}`,
          password: 'a long password',
          email: `${name}+${index}@example.com`,
        }
        expect((await own.call('POST', '/users', input)).status).toBe(201)
      }
      await own.context.background.settle()
      const { body } = await own.call('GET', '/outbox', undefined, { master: true })
      const mails = (body.results as Mail[]).filter(({ to }) => to.startsWith(`${name}+`))
      expect(mails).toHaveLength(15)
    } finally {
      await own.stop()
    }
  })

  test('the refusal is the same with and without an account, and comes at the same count', async () => {
    const counts: number[] = []
    for (const known of [true, false]) {
      const email = `${newName()}@example.com`
      if (known) await server.signUp(email, { email })
      let count = 0
      while ((await ask(email)).status === 200) count++
      counts.push(count)
    }
    expect(counts[0]).toBe(counts[1])
  })
})

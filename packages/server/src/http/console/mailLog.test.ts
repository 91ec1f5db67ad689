import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { sweepMailLog } from '../../mail/mailLog.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { openConsole } from '../../testing/openConsole.ts'

type Entry = { objectId: string; to: string; kind: string; sentAt: string; error?: string }

const password = 'password%20of%20the%20mailbox'
const received: string[] = []
const smtp = new SMTPServer({
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username }, _session, done) => done(null, { user: username }),
  onRcptTo({ address }, _session, done) {
    done(address.startsWith('refused') ? new Error(`no such mailbox: ${address}`) : null)
  },
  onData(stream, session, done) {
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    stream.on('end', () => {
      // As it was before it was wrapped for the way.
      const letter = text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
      received.push(letter)
      const quotes = session.envelope.rcptTo.some(({ address }) => address.startsWith('quoted'))
      const link = /http\S+/.exec(letter)?.[0] ?? ''
      const token = new URL(link).searchParams.get('token')
      done(quotes ? new Error(`blocked: ${link} and ${token}, ${password}, ${decodeURIComponent(password)}`) : null)
    })
  },
})
const office = openConsole()
const { root, helper, watcher, ann, ask } = office
beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  const url = `smtp://postman:${password}@127.0.0.1:${port}`
  await office.startWith({ smtp: { url, from: 'no-reply@example.com' }, rateLimit: [] })
})
beforeEach(office.renew)
afterAll(async () => {
  await office.stop()
  await new Promise<void>((resolve) => smtp.close(resolve))
})

const signUp = async (email: string) => {
  await office.newUser('mailed', { email })
  await office.server.context.background.settle()
}
const list = async (query = '') => {
  await office.server.context.background.settle()
  const { status, text, body } = await ask(root, 'GET', `/console/mail${query}`)
  expect(status, text).toBe(200)
  return { text, body, results: body.results as Entry[] }
}

test('sent mails are listed with their results, without their content', async () => {
  await signUp('sue@example.com')
  await office.server.call('POST', '/requestPasswordReset', { email: 'sue@example.com' })
  const { text, body, results } = await list('?search=SUE@')
  expect(body).toMatchObject({ isSending: true, days: 30 })
  expect(results).toEqual(
    ['passwordReset', 'verification'].map((kind) => ({
      objectId: expect.any(String),
      to: 'sue@example.com',
      kind,
      sentAt: expect.any(String),
      milliseconds: expect.any(Number),
    })),
  )
  const letters = received.filter((letter) => letter.includes('sue@example.com'))
  expect(letters).toHaveLength(2)
  const rows = await office.server.context.db.query(sql`select * from countersign.mail_log`)
  for (const letter of letters) {
    const token = /token=([\w-]+)/.exec(letter)?.[1] ?? 'none'
    expect(token.length).toBeGreaterThan(10)
    for (const kept of [text, JSON.stringify(rows)]) {
      expect(kept).not.toContain(token)
      expect(kept).not.toMatch(/http|Hello|password for/)
    }
  }
})

test('a mail that was refused says why, without what the mail server quotes', async () => {
  await signUp('refused@example.com')
  await signUp('quoted@example.com')
  const failed = await list('?outcome=failed')
  expect(failed.results).toMatchObject([
    { to: 'quoted@example.com', kind: 'verification', error: expect.stringContaining('blocked') },
    { to: 'refused@example.com', kind: 'verification', error: expect.stringContaining('no such mailbox') },
  ])
  const quoted = received.find((letter) => letter.includes('quoted@example.com')) ?? ''
  expect(failed.text).not.toContain(/token=([\w-]+)/.exec(quoted)?.[1])
  expect(failed.text).not.toMatch(/http|token=/)
  expect(failed.text).not.toContain(password)
  expect(failed.text).not.toContain('of the mailbox')
  expect((await list('?outcome=sent')).results.filter(({ error }) => error !== undefined)).toEqual([])
})

test('pages follow each other', async () => {
  const all = (await list('?limit=100')).results.map(({ objectId }) => objectId)
  expect(all.length).toBeGreaterThan(4)
  const found: string[] = []
  for (let next: unknown = ''; next !== undefined; ) {
    const page = await list(`?limit=2${next === '' ? '' : `&after=${next}`}`)
    found.push(...page.results.map(({ objectId }) => objectId))
    next = page.body.next
  }
  expect(found).toEqual(all)
  for (const query of ['?after=x', '?limit=0', '?outcome=lost', `?search=${'x'.repeat(401)}`])
    expect.soft((await ask(root, 'GET', `/console/mail${query}`)).status, query).toBe(400)
})

test('administrators read it; other operators do not, and others find nothing', async () => {
  expect((await ask(watcher, 'GET', '/console/mail')).body.reason).toBe('operatorForbidden')
  expect((await ask(helper, 'GET', '/console/mail')).body.reason).toBe('operatorForbidden')
  expect((await ask(ann, 'GET', '/console/mail')).status).toBe(404)
  expect((await ask(undefined, 'GET', '/console/mail')).status).toBe(404)
})

test('without SMTP the console shows the outbox instead; where the setting says so, nothing is logged', async () => {
  const { database, context } = office.server
  const count = async () => (await context.db.query(sql`select id from countersign.mail_log`)).length
  const before = await count()
  const keeping = await createTestServer({}, database)
  const { smtp: given } = context.config
  const silent = await createTestServer({ mailLogDays: 0, ...(given && { smtp: given }) }, database)
  try {
    for (const each of [keeping, silent]) {
      await each.signUp(`quiet${each.url.length}${each === silent}`, { email: `quiet-${each === silent}@example.com` })
      await each.context.background.settle()
    }
    const answer = await keeping.call('GET', '/console/mail', undefined, { master: true })
    expect(answer.body).toEqual({ isSending: false, days: 0, results: [] })
    expect((await silent.call('GET', '/console/mail', undefined, { master: true })).body).toEqual({
      isSending: true,
      days: 0,
      results: [],
    })
    expect(await count()).toBe(before + 1)
  } finally {
    await silent.stop()
    await keeping.stop()
  }
})

test('entries go with their time, and when there are too many', async () => {
  const { context, clock } = office.server
  const { db, config } = context
  const kept = async () => (await db.query<{ id: number }>(sql`select id from countersign.mail_log order by id`)).length
  await db.query(sql`select setval(pg_get_serial_sequence('countersign.mail_log', 'id'), 50000)`)
  expect(await kept()).toBeGreaterThan(1)
  await signUp('late@example.com')
  expect(await kept()).toBe(1)
  await sweepMailLog(db, clock.now(), config.mailLogDays)
  expect((await list()).results).toMatchObject([{ to: 'late@example.com' }])
  const later = new Date(clock.now().getTime() + 31 * 86_400_000)
  await sweepMailLog(db, later, config.mailLogDays)
  expect(await kept()).toBe(0)
})

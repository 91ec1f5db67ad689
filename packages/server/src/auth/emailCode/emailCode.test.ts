import { randomUUID } from 'node:crypto'
import { CountersignError } from '@countersign/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { answerChallenge, installation } from '../../testing/answerChallenge.ts'
import { type Answer, createTestServer } from '../../testing/createTestServer.ts'
import { createWalletUser } from '../../testing/createWalletUser.ts'
import { inFull } from '../../testing/inFull.ts'
import { listMails, type Mail } from '../../testing/readMails.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({ emailCode: { enabled: true }, rateLimit: [] })

const minute = 60_000
const newAddress = () => `${randomUUID()}@example.com`
const asker = { 'X-Parse-Installation-Id': 'browser-one' }
const other = { 'X-Parse-Installation-Id': 'browser-two' }
/** A page of ours, whose session is in a cookie. */
const page = (cookie?: string) => ({ 'X-Countersign-Session': 'cookie', ...(cookie && { Cookie: cookie }) })

const mailsTo = (address: string) => listMails(server, address)

const codeIn = (mail: Mail | undefined) =>
  /\n\n(\d{6}|(?:[0-9a-z]{4}-){2}[0-9a-z]{4})\n\n/.exec(mail?.text ?? '')?.[1] ?? ''

async function ask(email: string, headers: Record<string, string> = asker): Promise<string> {
  const answer = await server.call('POST', '/auth/emailCode', { email }, { headers })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.handle as string
}

async function askAndRead(email: string, headers = asker): Promise<{ handle: string; code: string }> {
  const handle = await ask(email, headers)
  const [mail] = await mailsTo(email)
  const code = codeIn(mail)
  expect(code).not.toBe('')
  return { handle, code }
}

const signIn = (proof: object, headers: Record<string, string> = asker) =>
  server.call('POST', '/auth/signInWithEmailCode', proof, { headers })

async function signInByCode(email: string): Promise<Answer> {
  const answer = await signIn(await askAndRead(email))
  expect(answer.status, answer.text).toBe(200)
  return answer
}

const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const refused = ({ status, body }: Answer) => [status, body.reason]
const me = (token: unknown) => server.call('GET', '/users/me', undefined, { token: String(token) })

describe('a code', () => {
  test('signs up at the first time and in at the next; the address is verified', async () => {
    const email = newAddress()
    const first = await signInByCode(email)
    expect(first.body).toMatchObject({ email, emailVerified: true })
    expect((await me(first.body.sessionToken)).body.objectId).toBe(first.body.objectId)
    const second = await signInByCode(email)
    expect(second.body.objectId).toBe(first.body.objectId)
    const token = String(second.body.sessionToken)
    const { body: session } = await server.call('GET', '/sessions/me', undefined, { token })
    expect(session.createdWith).toEqual({ action: 'login', authProvider: 'emailCode' })
    const { body: methods } = await server.call('GET', '/auth/signInMethods', undefined, { token })
    const lastUses = [{ method: 'emailCode', lastUsedAt: expect.any(String) }]
    expect(methods).toEqual({ password: false, wallets: [], passkeys: [], emailCode: true, lastUses })
  })

  test('works once, also where it is sent many times at once', async () => {
    const email = newAddress()
    const proof = await askAndRead(email)
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(proof)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    expect(refused(await signIn(proof))).toEqual([401, 'emailCodeExpired'])
  })

  test('works in the browser that asked, and in no other', async () => {
    const proof = await askAndRead(newAddress())
    expect(refused(await signIn(proof, other))).toEqual([403, 'challengeOfOtherBrowser'])
    expect(refused(await server.call('POST', '/auth/signInWithEmailCode', proof))).toEqual([
      403,
      'challengeOfOtherBrowser',
    ])
    expect((await signIn(proof)).status).toBe(200)
  })

  test('ends after its time, after five tries, and when the same browser asks again', async () => {
    const email = newAddress()
    const late = await askAndRead(email)
    server.clock.forward(10 * minute + 1)
    expect(refused(await signIn(late))).toEqual([401, 'emailCodeExpired'])

    const tried = await askAndRead(email)
    for (let i = 0; i < 5; i++)
      expect(refused(await signIn({ ...tried, code: wrongFor(tried.code) }))).toEqual([401, 'invalidEmailCode'])
    expect(refused(await signIn(tried))).toEqual([401, 'emailCodeExpired'])

    const former = await askAndRead(email)
    const fromElsewhere = await askAndRead(email, other)
    const present = await askAndRead(email)
    expect(refused(await signIn(former))).toEqual([401, 'emailCodeExpired'])
    // A stranger's request does not invalidate the owner's code.
    expect((await signIn(fromElsewhere, other)).status).toBe(200)
    expect((await signIn(present)).status).toBe(200)
  })

  test('is typed with spaces, in full-width or Arabic digits', async () => {
    const email = newAddress()
    for (const spell of [
      (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `,
      (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit))),
    ]) {
      const { handle, code } = await askAndRead(email)
      expect((await signIn({ handle, code: spell(code) })).status).toBe(200)
    }
  })

  test('an address is one in every case; look-alikes are refused', async () => {
    const email = newAddress()
    const { body } = await signInByCode(email)
    const handle = await ask(`  ${email.toUpperCase()} `)
    const [mail] = await mailsTo(email)
    expect((await signIn({ handle, code: codeIn(mail) })).body.objectId).toBe(body.objectId)
    for (const wrong of [`ａ${email}`, `a\u200b${email}`, 'nobody', 'a@b\nBcc: c@d'])
      expect((await server.call('POST', '/auth/emailCode', { email: wrong }, { headers: asker })).body.code).toBe(125)
  })

  test('is kept as a hash that a copy of the database does not give away', async () => {
    const { handle, code } = await askAndRead(newAddress())
    const rows = await server.context.db.query({
      text: 'select row_to_json(c)::text as row from countersign.email_codes c',
      values: [],
    })
    expect(JSON.stringify(rows)).not.toContain(handle)
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`\\b${code}\\b`))
  })
})

describe('the link', () => {
  test('signs in only the browser that asked, after a press there', async () => {
    const email = newAddress()
    const asked = await server.call('POST', '/auth/emailCode', { email }, { headers: page() })
    const cookie = /countersign-asks=[^;]+/.exec(asked.headers.get('set-cookie') ?? '')?.[0] ?? ''
    expect(cookie).not.toBe('')
    const [mail] = await mailsTo(email)
    const token = new URL(mail?.link ?? '').searchParams.get('token')
    const follow = (headers: Record<string, string>) =>
      server.call('POST', '/auth/signInWithEmailLink', { token }, { headers })
    expect(refused(await follow(page()))).toEqual([403, 'challengeOfOtherBrowser'])
    expect(refused(await follow(page('countersign-asks=0123456789abcdef')))).toEqual([403, 'challengeOfOtherBrowser'])
    expect(refused(await follow(other))).toEqual([403, 'challengeOfOtherBrowser'])
    const done = await follow(page(cookie))
    expect([done.status, done.body.email, done.body.sessionToken]).toEqual([200, email, undefined])
    expect(done.headers.get('set-cookie')).toContain('countersign=r')
    expect(refused(await follow(page(cookie)))).toEqual([400, 'linkExpired'])
    // The code of the same mail went with it.
    const typed = await signIn({ handle: asked.body.handle, code: codeIn(mail) }, page(cookie))
    expect(refused(typed)).toEqual([401, 'emailCodeExpired'])
  })

  test('is not in a mail to a client that could not confirm it', async () => {
    const email = newAddress()
    await ask(email)
    expect((await mailsTo(email))[0]?.link).toBeNull()
  })
})

describe('guessing', () => {
  const amount = inFull(10_000)
  test(`${amount} guesses at one address never get in, and its owner still does`, async () => {
    const email = newAddress()
    const { body: owner } = await signInByCode(email)
    let guesses = 0
    let compared = 0
    let handles: string[] = []
    while (guesses < amount) {
      const answer = await server.call('POST', '/auth/emailCode', { email }, { headers: other })
      if (answer.status === 429) server.clock.forward(15 * minute)
      else handles.push(String(answer.body.handle))
      for (const handle of handles) {
        const tries = Array.from({ length: 50 }, (_, at) =>
          signIn({ handle, code: String((guesses + at) % 1_000_000).padStart(6, '0') }, other),
        )
        for (const { status, body } of await Promise.all(tries)) {
          guesses++
          expect(status).toBe(401)
          if (body.reason === 'invalidEmailCode') compared++
        }
      }
      handles = handles.slice(-1)
    }
    // No more than a handful of them met a code of six digits; the rest met one that cannot be guessed, or none.
    const [row] = await server.context.db.query<{ count: number }>(
      sql`select count(*)::int as count from countersign.email_codes where is_short and email_key = ${email}`,
    )
    expect(row?.count).toBeLessThanOrEqual(3)
    expect(compared).toBeGreaterThan(10)
    // A mail that is still on its way would be as new as the next one.
    await server.context.background.settle()
    server.clock.forward(15 * minute)
    const { handle, code } = await askAndRead(email)
    expect(code).toMatch(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/)
    expect((await signIn({ handle, code: code.toUpperCase().replaceAll('-', ' ') })).body.objectId).toBe(owner.objectId)
    server.clock.forward(25 * 60 * minute)
    expect((await askAndRead(email)).code).toMatch(/^\d{6}$/)
  }, 300_000)

  test('wrong codes for many addresses make every code longer, those that are out included', async () => {
    const own = await createTestServer({ emailCode: { enabled: true }, rateLimit: [] })
    try {
      const answer = await own.call('POST', '/auth/emailCode', { email: newAddress() }, { headers: asker })
      await own.context.db.query(sql`
        insert into countersign.email_code_counts (key, count, since)
        values ('wrong SERVER', 1000, ${own.clock.now()})`)
      const guess = await own.call(
        'POST',
        '/auth/signInWithEmailCode',
        { handle: answer.body.handle, code: '123456' },
        { headers: asker },
      )
      expect(refused(guess)).toEqual([401, 'emailCodeExpired'])
      await own.call('POST', '/auth/emailCode', { email: newAddress() }, { headers: asker })
      const [row] = await own.context.db.query<{ is_short: boolean }>(
        sql`select is_short from countersign.email_codes order by expires desc limit 1`,
      )
      expect(row?.is_short).toBe(false)
    } finally {
      await own.stop()
    }
  })

  test('five codes in a quarter of an hour for an address, known or not', async () => {
    for (const email of [newAddress(), (await signInByCode(newAddress())).body.email as string]) {
      const answers: Answer[] = []
      for (let i = 0; i < 7; i++)
        answers.push(
          await server.call('POST', '/auth/emailCode', { email }, { headers: { 'X-Parse-Installation-Id': `b${i}` } }),
        )
      expect(answers.at(-1)?.status).toBe(429)
      expect(answers.at(-1)?.body.reason).toBe('tooManyEmailCodes')
      server.clock.forward(15 * minute)
      await ask(email)
    }
  })
})

describe('does not reveal if an address has an account', () => {
  test('the responses are the same, with and without sign-up', async () => {
    const own = await createTestServer({ emailCode: { enabled: true, signUp: false }, rateLimit: [] })
    try {
      const known = newAddress()
      const { token } = await own.signUp('known', { email: known })
      await own.context.background.settle()
      const { body } = await own.call('GET', '/outbox', undefined, { master: true })
      const link = (body.results as Mail[]).find(({ to }) => to === known)?.link ?? ''
      await own.call('POST', '/verifyEmail', { token: new URL(link).searchParams.get('token') }, { token })
      const unknown = newAddress()
      for (const email of [known, unknown]) {
        const asked = await own.call('POST', '/auth/emailCode', { email }, { headers: asker })
        expect([asked.status, Object.keys(asked.body)]).toEqual([200, ['handle', 'expiresAt']])
        expect(
          refused(
            await own.call(
              'POST',
              '/auth/signInWithEmailCode',
              { handle: asked.body.handle, code: 'x' },
              { headers: asker },
            ),
          ),
        ).toEqual([401, 'invalidEmailCode'])
      }
      await own.context.background.settle()
      const mails = (await own.call('GET', '/outbox', undefined, { master: true })).body.results as Mail[]
      expect(mails.filter(({ text }) => codeIn({ text } as Mail) !== '').map(({ to }) => to)).toEqual([known])
    } finally {
      await own.stop()
    }
  })

  test('off unless the operator turns it on', async () => {
    const own = await createTestServer()
    try {
      expect(refused(await own.call('POST', '/auth/emailCode', { email: newAddress() }, { headers: asker }))).toEqual([
        403,
        'emailCodeDisabled',
      ])
    } finally {
      await own.stop()
    }
  })
})

describe('an account that somebody else made with my address', () => {
  test('becomes mine, and nothing of theirs opens it', async () => {
    const email = newAddress()
    const username = `waits-${randomUUID()}`
    const stranger = await server.signUp(username, { email })
    const codes = (await server.call('POST', '/auth/recoveryCodes', {}, { token: stranger.token })).body
      .codes as string[]
    const asked = await askAndRead(email)
    expect((await mailsTo(email))[0]?.text).toContain('will therefore remove the password')
    const mine = await signIn(asked)
    expect(mine.body).toMatchObject({ objectId: stranger.objectId, email, emailVerified: true })
    expect((await me(stranger.token)).body.code).toBe(209)
    const byPassword = await server.call('POST', '/login', { username, password: `${username} password` })
    expect(byPassword.body.reason).toBe('invalidCredentials')
    const byCode = await server.call('POST', '/auth/signInWithRecoveryCode', { username, code: codes[0] })
    expect(byCode.status).toBe(401)
    expect((await mailsTo(email)).some(({ text }) => text.includes('was opened with a code'))).toBe(true)
  })

  test('an account with an unverified address beside a wallet loses it to the reader of the mail', async () => {
    const email = newAddress()
    const { token, objectId } = await createWalletUser(server)
    const set = await server.call('PUT', `/users/${objectId}`, { email }, { token })
    expect(set.status, set.text).toBe(200)
    const mine = await signInByCode(email)
    expect(mine.body.objectId).not.toBe(objectId)
    expect((await me(token)).body.email ?? null).toBeNull()
  })

  test('one whose address was verified outside of it, beside a wallet, is opened by no code', async () => {
    const email = newAddress()
    const { token, objectId } = await createWalletUser(server)
    await server.call('PUT', `/users/${objectId}`, { email }, { token })
    const [mail] = await mailsTo(email)
    await server.call('POST', '/verifyEmail', { token: new URL(mail?.link ?? '').searchParams.get('token') })
    expect(refused(await signIn(await askAndRead(email)))).toEqual([403, 'emailOpensNothing'])
  })

  test('an owner who verified the address inside keeps everything', async () => {
    const email = newAddress()
    const username = `held-${randomUUID()}`
    const { token, objectId } = await server.signUp(username, { email })
    const [mail] = await mailsTo(email)
    await server.call('POST', '/verifyEmail', { token: new URL(mail?.link ?? '').searchParams.get('token') }, { token })
    expect((await signInByCode(email)).body.objectId).toBe(objectId)
    expect((await me(token)).status).toBe(200)
    expect((await server.call('POST', '/login', { username, password: `${username} password` })).status).toBe(200)
  })
})

describe('an account that opens by code alone', () => {
  test('confirms by a code, adds a wallet, and cannot lose its last sign-in method', async () => {
    const email = newAddress()
    const { body } = await signInByCode(email)
    const [userId, first] = [String(body.objectId), String(body.sessionToken)]
    const take = (token: string) => server.call('PUT', `/users/${userId}`, { email: null }, { token })
    expect(refused(await take(first))).toEqual([403, 'lastSignInMethod'])
    expect(
      refused(await server.call('PUT', `/users/${userId}`, { email: { __op: 'Delete' } }, { token: first })),
    ).toEqual([403, 'lastSignInMethod'])

    server.clock.forward(16 * minute)
    expect(refused(await take(first))).toEqual([403, 'reauthenticationRequired'])
    const asked = await server.call(
      'POST',
      '/auth/emailCode',
      { purpose: 'reauthenticate' },
      { token: first, headers: asker },
    )
    const [mail] = await mailsTo(email)
    const emailCode = { handle: asked.body.handle, code: codeIn(mail) }
    // It confirms, and opens no session.
    expect(refused(await signIn(emailCode))).toEqual([401, 'emailCodeExpired'])
    const confirmed = await server.call('POST', '/auth/reauthenticate', { emailCode }, { token: first, headers: asker })
    expect(confirmed.status, confirmed.text).toBe(200)
    const token = String(confirmed.body.sessionToken)
    const again = await server.call('POST', '/auth/reauthenticate', { emailCode }, { token, headers: asker })
    expect(refused(again)).toEqual([401, 'emailCodeExpired'])

    const proof = await answerChallenge(server, privateKeyToAccount(generatePrivateKey()), 'link', { token })
    expect((await server.call('POST', '/auth/wallets', proof, { token, headers: installation })).status).toBe(201)
    expect((await take(token)).status).toBe(200)
  })

  test('a code of one account confirms no session of another, nor one that was made to sign in', async () => {
    const [mine, theirs] = [newAddress(), newAddress()]
    const { body } = await signInByCode(mine)
    const stranger = await signInByCode(theirs)
    const token = String(body.sessionToken)
    const reauthenticate = (emailCode: object) =>
      server.call('POST', '/auth/reauthenticate', { emailCode }, { token, headers: asker })
    expect(refused(await reauthenticate(await askAndRead(mine)))).toEqual([401, 'emailCodeExpired'])
    const asked = await server.call(
      'POST',
      '/auth/emailCode',
      { purpose: 'reauthenticate' },
      { token: String(stranger.body.sessionToken), headers: asker },
    )
    const [mail] = await mailsTo(theirs)
    expect(refused(await reauthenticate({ handle: asked.body.handle, code: codeIn(mail) }))).toEqual([
      401,
      'emailCodeExpired',
    ])
    const guest = await server.call('POST', '/auth/emailCode', { purpose: 'reauthenticate' }, { headers: asker })
    expect(guest.body.code).toBe(209)
  })

  test('a deleted account is restored by the same code if its owner asks for it', async () => {
    const email = newAddress()
    const { body } = await signInByCode(email)
    const gone = await server.call('DELETE', `/users/${body.objectId}`, undefined, { token: String(body.sessionToken) })
    expect(gone.status, gone.text).toBe(200)
    const proof = await askAndRead(email)
    expect(refused(await signIn(proof))).toEqual([403, 'accountDeletionPending'])
    expect((await signIn({ ...proof, restoreAccount: true })).body.objectId).toBe(body.objectId)
  })
})

test('the mail is in the reader’s language and has nothing that the caller wrote', async () => {
  const email = newAddress()
  await ask(email, { ...asker, 'Accept-Language': 'de' })
  const [mail] = await mailsTo(email)
  expect(mail?.subject).toBe('Ihr Anmeldecode für Countersign')
  expect(mail?.text).toContain('Geben Sie diesen Code niemandem weiter.')
})

test('hooks of a sign-up see the address, and may refuse it', async () => {
  const { registry } = server.context
  const name = 'beforeSignUp _User'
  registry.hooks.set(name, [
    async ({ object }) => {
      if (!String(object?.email).endsWith('@refused.example')) return
      throw new CountersignError('ValidationError', `not ${object?.email} ${object?.emailVerified}`)
    },
  ])
  try {
    const email = `${randomUUID()}@refused.example`
    const answer = await signIn(await askAndRead(email))
    expect(answer.body.error).toBe(`not ${email} true`)
  } finally {
    registry.hooks.delete(name)
  }
})

import { refuse } from '@countersign/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cutFailedSignIns, mostKept, sweepFailedSignIns } from '../../auth/failedSignIns.ts'
import { sql } from '../../db/sql.ts'
import { openConsole } from '../../testing/openConsole.ts'

type Entry = {
  objectId: string
  at: string
  result: string
  method: string
  reason?: string
  user?: { objectId: string; username: string }
  ipAddress?: string
  userAgent?: string
  count: number
}

const office = openConsole()
const { root, helper, watcher, ann, ask } = office
beforeAll(() =>
  office.startWith({
    trustProxy: true,
    accountLockout: { threshold: 3, duration: 5 },
    rateLimit: [
      { requestPath: '/login', requestMethods: ['POST'], requestTimeWindow: 60_000, requestCount: 20 },
      { requestPath: '/loginAs', requestTimeWindow: 60_000, requestCount: 1 },
    ],
  }),
)
beforeEach(office.renew)
afterAll(() => office.stop())

let addresses = 0
const newAddress = () => `192.0.2.${++addresses}`
const newNetwork = () => `198.51.100.${++addresses}`

const list = async (query = '') => {
  const { status, text, body } = await ask(root, 'GET', `/console/signIns${query}`)
  expect(status, text).toBe(200)
  return { text, next: body.next, days: body.days, results: body.results as Entry[] }
}
const of = (address: string) => list(`?address=${address}`)
const logIn = (username: unknown, password: unknown, address: string, agent = 'Mozilla/5.0 Test') =>
  office.server.call(
    'POST',
    '/login',
    { username, password },
    { headers: { 'X-Forwarded-For': address, 'User-Agent': agent } },
  )

describe('the record', () => {
  test('a failed and a successful sign-in, with account, method, reason, address and device', async () => {
    const address = newAddress()
    const user = await office.newUser('seen')
    const name = `seen${office.count}`
    expect((await logIn(name, 'wrong', address)).status).toBe(404)
    expect((await logIn(name, `${name} password`, address)).status).toBe(200)
    const { results, days } = await of(address)
    expect(days).toBe(30)
    const known = { method: 'password', user: { objectId: user.objectId, username: name }, ipAddress: address }
    expect(results).toEqual([
      {
        objectId: expect.any(String),
        at: expect.any(String),
        result: 'succeeded',
        count: 1,
        userAgent: 'Mozilla/5.0 Test',
        ...known,
      },
      {
        objectId: expect.any(String),
        at: expect.any(String),
        result: 'failed',
        reason: 'invalidCredentials',
        count: 1,
        userAgent: 'Mozilla/5.0 Test',
        ...known,
      },
    ])
  })

  test('typed names and passwords are stored nowhere', async () => {
    const address = newAddress()
    const typed = ['my-secret-password-typed-as-name', 'stranger@other.example', 'Tr0ub4dor-and-3']
    await logIn(typed[0], typed[2], address)
    await logIn(typed[1], typed[2], address)
    const { text, results } = await of(address)
    expect(results).toHaveLength(2)
    for (const { user } of results) expect(user).toBeUndefined()
    const rows = await office.server.context.db.query(sql`select * from countersign.failed_sign_ins`)
    for (const secret of typed) {
      expect(text).not.toContain(secret)
      expect(JSON.stringify(rows)).not.toContain(secret)
    }
  })

  test('an email address finds its account, in any spelling', async () => {
    const address = newAddress()
    const user = await office.newUser('mailed', { email: 'Mailed.One@Example.com' })
    await logIn('mailed.one@example.COM', 'wrong', address)
    expect((await of(address)).results).toMatchObject([{ user: { objectId: user.objectId }, result: 'failed' }])
  })

  test('the old forms of the same guess are recorded, too', async () => {
    const address = newAddress()
    const headers = { 'X-Forwarded-For': address }
    const user = await office.newUser('older')
    const name = `older${office.count}`
    const { server } = office
    await server.call('GET', `/login?username=${name}&password=wrong`, undefined, { headers })
    await server.call('POST', '/login', { _method: 'GET', username: name, password: 'wrong' }, { headers })
    await server.call('POST', '/verifyPassword', { username: name, password: 'wrong' }, { headers })
    const { results } = await of(address)
    expect(results.reduce((sum, { count }) => sum + count, 0)).toBe(3)
    for (const entry of results)
      expect(entry).toMatchObject({ user: { objectId: user.objectId }, method: 'password', reason: expect.any(String) })
  })

  test('a wallet and a recovery code that are refused', async () => {
    const address = newAddress()
    const headers = { 'X-Forwarded-For': address }
    const { address: wallet } = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const message = `localhost wants you to sign in with your Ethereum account:\n${wallet}\n\n\nURI: http://localhost\nVersion: 1\nChain ID: 1\nNonce: abcdefgh12345678\nIssued At: 2026-01-01T00:00:00.000Z`
    await office.server.call(
      'POST',
      '/auth/signInWithWallet',
      { message, signature: `0x${'00'.repeat(65)}` },
      { headers },
    )
    await office.server.call(
      'POST',
      '/auth/signInWithRecoveryCode',
      { username: 'ann', code: 'AAAA-BBBB' },
      { headers },
    )
    const { results } = await of(address)
    expect(results.map(({ method, user }) => [method, user?.username])).toEqual([
      ['recoveryCode', 'ann'],
      ['wallet', undefined],
    ])
  })

  test('a request that breaks the contract, and texts that no database takes', async () => {
    const address = newAddress()
    for (const name of ['\0', 'a\0b', '\ud800', '\u202e', { $ne: 1 }, ['x'], 5, null, 'x'.repeat(100_000)])
      expect.soft((await logIn(name, 'wrong', address, 'agent\u00ff')).status).toBeLessThan(500)
    await logIn('ann', 'wrong', address)
    const { results } = await of(address)
    expect(results.some(({ user }) => user?.username === 'ann')).toBe(true)
    // Two of the bodies are refused before anything of them is read.
    expect(results.reduce((sum, { count }) => sum + count, 0)).toBe(8)
  })

  test('a flood becomes few rows, and its number stays right', async () => {
    const { db } = office.server.context
    const count = async () =>
      (await db.query<{ count: number }>(sql`select count(*)::int as count from countersign.failed_sign_ins`))[0]
        ?.count ?? 0
    const before = await count()
    const one = newNetwork()
    await Promise.all(Array.from({ length: 15 }, () => logIn('nobody-at-all', 'wrong', one)))
    const { results } = await of(one)
    // Refusals by the lockout have another reason than wrong passwords.
    expect(results.reduce((sum, entry) => sum + entry.count, 0)).toBe(15)
    expect(results.length).toBeLessThan(15)
    const many = Array.from({ length: 400 }, (_, place) => `203.0.113.${place % 250}`)
    const { failedSignIns } = office.server.context.services
    for (const [place, address] of many.entries())
      failedSignIns?.note({
        endpoint: 'logIn',
        body: { username: `flood${place}` },
        from: { ipAddress: address },
        error: new Error('x'),
      })
    await failedSignIns?.flush()
    expect((await count()) - before).toBeLessThanOrEqual(15 + 101)
    const [sum] = await db.query<{ sum: number }>(
      sql`select sum(count)::int as sum from countersign.failed_sign_ins where reason = 'internalServerError'`,
    )
    expect(sum?.sum).toBe(400)
  })

  test('a request over its rate limit is recorded without an account', async () => {
    const address = newNetwork()
    for (let times = 0; times < 22; times++) await logIn(`limited${times}`, 'wrong', address)
    const { results } = await of(address)
    expect(results.filter(({ reason }) => reason === 'rateLimited')).toMatchObject([{ count: 2, method: 'password' }])
  })

  test('a proof that needs more is no failure', async () => {
    const before = await overviewCount()
    const address = newAddress()
    const { failedSignIns } = office.server.context.services
    failedSignIns?.note({
      endpoint: 'logIn',
      body: { username: 'ann' },
      from: { ipAddress: address },
      error: refuse('secondFactorRequired'),
    })
    expect((await of(address)).results).toMatchObject([{ result: 'incomplete', reason: 'secondFactorRequired' }])
    expect((await list(`?address=${address}&result=failed`)).results).toEqual([])
    expect(await overviewCount()).toBe(before)
    await logIn('ann', 'wrong', address)
    expect(await overviewCount()).toBe(before + 1)
  })
})

const overviewCount = async () => (await ask(root, 'GET', '/console/overview')).body.failedSignInsToday as number

describe('reading it', () => {
  test('by result, method, user, address and time, page by page', async () => {
    const address = newAddress()
    const user = await office.newUser('filtered', { email: 'filtered@example.com' })
    const name = `filtered${office.count}`
    await logIn(name, 'wrong', address)
    await logIn(name, `${name} password`, address)
    await logIn('unknown-name', 'wrong', address)
    const results = async (query: string) =>
      (await list(`?address=${address}&${query}`)).results.map(({ result }) => result)
    expect(await results('result=failed')).toEqual(['failed', 'failed'])
    expect(await results('result=succeeded')).toEqual(['succeeded'])
    for (const wanted of [user.objectId, name, 'FILTERED@example.com'])
      expect(await results(`user=${wanted}`), wanted).toEqual(['succeeded', 'failed'])
    expect(await results('user=nobody')).toEqual([])
    expect(await results('method=passkey')).toEqual([])
    expect(await results('method=password')).toHaveLength(3)
    const now = office.server.clock.ms()
    expect(await results(`from=${new Date(now + 60_000).toISOString()}`)).toEqual([])
    expect(await results(`until=${new Date(now - 60_000).toISOString()}`)).toEqual([])
    expect(await results(`from=${new Date(now - 60_000).toISOString()}`)).toHaveLength(3)
    const all = (await list('?limit=100')).results.map(({ objectId }) => objectId)
    const found: string[] = []
    for (let next: unknown = ''; next !== undefined && found.length < 100; ) {
      const page = await list(`?limit=7${next === '' ? '' : `&after=${encodeURIComponent(String(next))}`}`)
      found.push(...page.results.map(({ objectId }) => objectId))
      next = page.next
    }
    expect(found.slice(0, 40)).toEqual(all.slice(0, 40))
    expect(new Set(found).size).toBe(found.length)
  })

  test('bad input is refused, and special characters mean nothing', async () => {
    for (const query of [
      '?after=x',
      '?result=all',
      '?method=magic',
      '?limit=0',
      '?limit=101',
      '?from=yesterday',
      `?user=${'x'.repeat(321)}`,
      `?address=${'1'.repeat(65)}`,
    ])
      expect.soft((await ask(root, 'GET', `/console/signIns${query}`)).status, query).toBe(400)
    for (const query of [
      "?user=' or 1=1 --",
      '?address=%25',
      '?user=%25',
      '?address=_',
      '?after=2026-01-01T00:00:00Z_%27',
    ])
      expect.soft((await list(encodeURI(decodeURI(query)))).results, query).toEqual([])
    expect((await ask(root, 'GET', '/console/signIns?user=%00')).status).toBeLessThan(500)
  })

  test('operators read it; others find nothing', async () => {
    for (const operator of [root, helper, watcher])
      for (const path of ['/console/signIns', '/console/signInLimits'])
        expect((await ask(operator, 'GET', path)).status, path).toBe(200)
    for (const path of ['/console/signIns', '/console/signInLimits']) {
      expect((await ask(ann, 'GET', path)).status).toBe(404)
      expect((await ask(undefined, 'GET', path)).status).toBe(404)
      expect((await ask(root, 'GET', path, undefined, {})).status).toBe(404)
    }
  })
})

describe('how long it is kept', () => {
  test('rows go with their time, with their account, and when there are too many', async () => {
    const { db, config } = office.server.context
    const address = newAddress()
    const user = await office.newUser('leaving')
    const name = `leaving${office.count}`
    await logIn(name, 'wrong', address)
    expect((await of(address)).results).toHaveLength(1)
    const exported = await office.server.call('GET', '/auth/export', undefined, { token: user.token })
    expect(exported.body.failedSignIns).toEqual([
      { at: expect.any(String), method: 'password', reason: 'invalidCredentials', count: 1 },
    ])
    expect(JSON.stringify(exported.body.failedSignIns)).not.toContain(address)
    await office.server.call('DELETE', `/users/${user.objectId}`, undefined, { master: true })
    expect((await list(`?address=${address}`)).results).toEqual([])
    await db.query(sql`
      insert into countersign.failed_sign_ins (at, method, is_incomplete, reason, count)
      select now(), 'password', false, 'invalidCredentials', 1 from generate_series(1, ${mostKept + 10})`)
    await cutFailedSignIns(db)
    const count = async () =>
      (await db.query<{ count: number }>(sql`select count(*)::int as count from countersign.failed_sign_ins`))[0]?.count
    expect(await count()).toBe(mostKept)
    await sweepFailedSignIns(db, new Date(Date.now() + 31 * 86_400_000), config.signInLogDays)
    expect(await count()).toBe(0)
  })

  test('an account that is deleted while its attempt waits to be written fails no other', async () => {
    const address = newAddress()
    const user = await office.newUser('gone')
    await logIn(`gone${office.count}`, 'wrong', address)
    await office.server.call('DELETE', `/users/${user.objectId}`, undefined, { master: true })
    await logIn('ann', 'wrong', address)
    expect((await of(address)).results.map((entry) => entry.user?.username)).toEqual(['ann', undefined])
  })
})

describe('lockouts and rate limits', () => {
  type Limits = {
    lockouts: { objectId: string; user?: { username: string }; failures: number; until: string; secret: string }[]
    rateLimits: { objectId: string; address: string; path: string; requests: number }[]
  }
  const limits = async () => (await ask(root, 'GET', '/console/signInLimits')).body as unknown as Limits
  const lock = async (name: string) => {
    const address = newNetwork()
    for (let times = 0; times < 3; times++) await logIn(name, 'wrong', address)
    return (await logIn(name, `${name} password`, address)).body.reason
  }

  test('a lockout is listed with its account, and lifted', async () => {
    await office.newUser('locked')
    const name = `locked${office.count}`
    expect(await lock(name)).toBe('tooManyFailedSignIns')
    const found = (await limits()).lockouts.find(({ user }) => user?.username === name)
    expect(found).toMatchObject({ failures: 3, secret: 'password', until: expect.any(String) })
    const lifted = await ask(helper, 'DELETE', `/console/signInLimits/${found?.objectId}`)
    expect(lifted.status, lifted.text).toBe(200)
    expect((await logIn(name, `${name} password`, newNetwork())).status).toBe(200)
    expect((await ask(helper, 'DELETE', `/console/signInLimits/${found?.objectId}`)).status).toBe(404)
    const audit = await ask(root, 'GET', '/audit?action=liftSignInLimit')
    expect(audit.body.results).toMatchObject([
      { actor: `operator:${helper.objectId}`, subject: expect.stringContaining(String(lifted.body.objectId)) },
    ])
  })

  test('a name without an account is locked and lifted, and never shown', async () => {
    expect(await lock('a-name-of-nobody')).toBe('tooManyFailedSignIns')
    const { body, text } = await ask(root, 'GET', '/console/signInLimits')
    expect(text).not.toContain('a-name-of-nobody')
    const unknown = (body as unknown as Limits).lockouts.filter(({ user }) => !user)
    expect(unknown.length).toBeGreaterThan(0)
    for (const { objectId } of unknown)
      expect((await ask(root, 'DELETE', `/console/signInLimits/${objectId}`)).body).toEqual({})
    expect((await limits()).lockouts.filter(({ user }) => !user)).toEqual([])
  })

  test('support lifts no lockout of an operator, and viewers lift none', async () => {
    expect(await lock('watcher')).toBe('tooManyFailedSignIns')
    const found = (await limits()).lockouts.find(({ user }) => user?.username === 'watcher')
    const path = `/console/signInLimits/${found?.objectId}`
    expect((await ask(helper, 'DELETE', path)).body.reason).toBe('operatorForbidden')
    expect((await ask(watcher, 'DELETE', path)).body.reason).toBe('operatorForbidden')
    expect((await ask(ann, 'DELETE', path)).status).toBe(404)
    expect((await ask(undefined, 'DELETE', path)).status).toBe(404)
    expect((await ask(root, 'DELETE', path)).status).toBe(200)
  })

  test('a used-up rate limit is listed by address, and lifted by administrators', async () => {
    const address = newNetwork()
    for (let times = 0; times < 21; times++) await logIn(`rated${times}`, 'wrong', address)
    expect((await logIn('ann', 'wrong', address)).status).toBe(429)
    const found = (await limits()).rateLimits.find((limit) => limit.address === address)
    expect(found).toMatchObject({ path: '/login', methods: ['POST'], requests: 20 })
    const path = `/console/signInLimits/${found?.objectId}`
    expect((await ask(helper, 'DELETE', path)).body.reason).toBe('operatorForbidden')
    expect((await ask(root, 'DELETE', path)).status).toBe(200)
    expect((await logIn('ann', 'wrong', address)).status).not.toBe(429)
    expect((await ask(root, 'DELETE', path)).status).toBe(404)
  })

  test('a stale session lifts nothing', async () => {
    office.server.clock.forward(3_600_000)
    const answer = await ask(root, 'DELETE', `/console/signInLimits/${'0'.repeat(64)}`)
    expect(answer.body.reason).toBe('reauthenticationRequired')
    for (const id of ['x', '%2e%2e', "'", 'a'.repeat(65)])
      expect(
        (await office.server.call('DELETE', `/console/signInLimits/${id}`, undefined, { master: true })).status,
      ).toBeLessThan(500)
  })
})

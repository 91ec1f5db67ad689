import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, helper, watcher, ann, ask } = office
const master = { master: true }
const date = { __type: 'Date', iso: '2026-01-02T03:04:05.678Z' }

beforeAll(async () => {
  await office.start()
  for (let number = 1; number <= 25; number++) {
    const owner = { __type: 'Pointer', className: '_User', objectId: ann.objectId }
    const fields = { title: `score ${number}`, points: number, won: number % 2 === 0, owner, at: date, tags: ['a'] }
    const secret = { ACL: { [ann.objectId]: { read: true } }, deviceToken: 'hidden' }
    await office.server.call('POST', '/classes/Score', { ...fields, ...secret }, master)
  }
})
beforeEach(office.renew)
afterAll(office.stop)

const run = async (query: string, who = root) => ask(who, 'POST', '/console/sql', { query })

/** Result of a query that must run. */
async function read(query: string) {
  const { status, text, body } = await run(query)
  expect(status, text).toBe(200)
  return body as { columns: { name: string; type: string }[]; rows: unknown[][]; isMore: boolean }
}

async function refusal(query: string): Promise<string> {
  const { status, body, text } = await run(query)
  expect(status, `${query}: ${text.slice(0, 300)}`).toBe(400)
  expect(body.reason, query).toBe('sqlRefused')
  return String((body.params as { problem: string }).problem)
}

describe('the SQL editor', { timeout: 600_000 }, () => {
  test('reads objects of all owners, with types, in the order of the query', async () => {
    const found = await read(
      `select title, points, won, at, tags, owner from "Score" where points > 22 order by points desc;`,
    )
    expect(found.columns).toEqual([
      { name: 'title', type: 'text' },
      { name: 'points', type: 'number' },
      { name: 'won', type: 'boolean' },
      { name: 'at', type: 'date' },
      { name: 'tags', type: 'json' },
      { name: 'owner', type: 'text' },
    ])
    expect(found.rows.map(([title]) => title)).toEqual(['score 25', 'score 24', 'score 23'])
    expect(found.rows[0]).toEqual([
      'score 25',
      25,
      false,
      expect.stringMatching(/^2026-01-02T03:04:05/),
      ['a'],
      ann.objectId,
    ])
    expect(found.isMore).toBe(false)
  })

  test('groups, joins, and counts exactly', async () => {
    const found = await read(`
      with large as (select * from "Score" where points > 5)
      select u.username, count(*) as wins, sum(s.points), 9007199254740993::int8 as big, date_trunc('day', min(s.at))::date
      from large s join "_User" u on u."objectId" = s.owner group by 1 -- the end`)
    expect(found.rows).toEqual([['ann', 20, 310, '9007199254740993', '2026-01-02']])
    const twice = await read(`select a."objectId", b."objectId" from "Score" a join "Score" b using (points)`)
    expect(twice.columns.map(({ name }) => name)).toEqual(['objectId', 'objectId'])
    expect(twice.rows).toHaveLength(25)
    expect((await read('select 1 where false')).rows).toEqual([])
    expect((await read(`select '--' as "a""b", '$1' as x, e'\\'' as y /* ; */ ;`)).rows).toEqual([['--', '$1', "'"]])
  })

  test('shows no internal or secret column, and all columns of `*` are readable', async () => {
    const { columns } = await read('select * from "_User"')
    const names = columns.map(({ name }) => name)
    expect(names).toContain('username')
    for (const name of names) expect(name).not.toMatch(/^_|password|authData|token/i)
    expect((await read('select * from "Score" limit 1')).columns.map(({ name }) => name)).not.toContain('deviceToken')
    const whole = JSON.stringify(await read('select row_to_json(u) from "_User" u'))
    expect(whole).not.toMatch(/argon|hash|_rperm/)
    for (const column of ['_hashed_password', '_rperm', 'deviceToken', 'ctid', 'xmin', 'tableoid'])
      await refusal(`select "${column}" from "Score"`)
  })

  test('refuses everything but one select', async () => {
    for (const query of [
      'insert into "Score" ("objectId") values (\'x\')',
      'update "Score" set points = 0',
      'delete from "Score"',
      'drop table "Score"',
      'create table x (a int)',
      'truncate "Score"',
      'copy "Score" to \'/tmp/x\'',
      "copy (select 1) to program 'id'",
      'explain analyze select 1',
      'set role postgres',
      'reset role',
      'begin',
      'commit',
      'select 1; select 2',
      'select 1; commit; drop table "Score"',
      'select * into taken from "Score"',
      'create table taken as select 1',
      'with x as (delete from "Score" returning *) select * from x',
      'with x as (insert into "Score" ("objectId") values (\'q\') returning 1) select 1',
      'select * from "Score" for update',
      'do $$ begin end $$',
      'call x()',
      'prepare a as select 1',
      'declare c cursor for select 1',
      'listen x',
      'notify x',
      'vacuum',
      'lock table "Score"',
      'show all',
      "load 'x'",
      ') as q; drop table "Score"; --',
      'select 1) as q(c0) limit 0; delete from "Score"; --',
      '',
      '   ',
      '-- nothing',
      'selec 1',
      'select $1',
    ])
      expect([400], query).toContain((await run(query)).status)
    expect((await read('select count(*) from "Score"')).rows).toEqual([[25]])
  })

  test('reaches no file, session, setting, lock, other schema or text that runs as SQL', async () => {
    for (const expression of [
      `pg_read_file('/etc/passwd')`,
      `pg_read_binary_file('/etc/passwd')`,
      `pg_ls_dir('/')`,
      `pg_stat_file('/etc/passwd')`,
      `pg_sleep(100)`,
      `pg_catalog.pg_sleep(100)`,
      `"pg_sleep"(100)`,
      `set_config('role', 'none', true)`,
      `set_config('statement_timeout', '0', false)`,
      `current_setting('data_directory')`,
      `pg_terminate_backend(1)`,
      `pg_cancel_backend(1)`,
      `pg_advisory_lock(1)`,
      `pg_notify('a', 'b')`,
      `pg_reload_conf()`,
      `lo_import('/etc/passwd')`,
      `lo_get(1)`,
      `lo_creat(1)`,
      `dblink('host=localhost', 'select 1')`,
      `query_to_xml('select 1', true, true, '')`,
      `table_to_xml('countersign.keys', true, true, '')`,
      `database_to_xml(true, true, '')`,
      `ts_stat('select to_tsvector(''a'')')`,
      `nextval('x')`,
      `txid_current()`,
      `version()`,
      `current_database()`,
      `inet_server_addr()`,
      `pg_backend_pid()`,
      `has_table_privilege('x', 'y')`,
      `repeat('x', 1000000000)`,
      `lpad('x', 1000000000)`,
      `countersign.incarnation()`,
      `public.count(1)`,
      'current_user',
      'session_user',
      'current_role',
      'current_schema',
      'current_catalog',
      `'countersign.keys'::regclass`,
      `'pg_sleep'::regproc`,
      `(5.0::float8).pg_sleep`,
      `('/etc/passwd'::text).pg_read_file`,
      `1 operator(public.+) 1`,
      `xmlparse(document '<a/>')`,
      `array(select 1 from pg_shadow)`,
      `(select passwd from pg_catalog.pg_shadow limit 1)`,
      `exists (select from pg_authid)`,
    ]) {
      await refusal(`select ${expression}`)
      await refusal(`select 1 from "Score" order by (${expression}) limit 1`)
    }
    for (const source of [
      'pg_authid',
      '"pg_shadow"',
      'pg_catalog.pg_authid',
      'information_schema.tables',
      'countersign.sessions',
      'countersign."_User"',
      'public."_User"',
      'public."Score"',
      'PG_STAT_ACTIVITY',
      'keys',
      '"NoSuchClass"',
      `pg_ls_dir('/')`,
      `rows from (pg_ls_dir('/'))`,
      `"Score" tablesample system (10)`,
      `lateral (select * from pg_stat_activity) x`,
      `(with pg_authid as (select 1) select * from pg_authid) x`,
    ])
      await refusal(`select * from ${source}`)
    // The name of a `with` query means nothing outside of it.
    await refusal('select * from (with x as (select 1) select * from x) a, x')
    await refusal('select s.pg_column_size from "Score" s')
  })

  test('ends a slow query, while others are served, and bounds rows and bytes', async () => {
    const slow = run('select count(*) from generate_series(1, 100000000000) a')
    const begin = Date.now()
    let longest = 0
    while (Date.now() - begin < 5_000) {
      const sent = performance.now()
      expect((await ask(root, 'GET', '/console')).status).toBe(200)
      longest = Math.max(longest, performance.now() - sent)
    }
    expect(longest).toBeLessThan(3_000)
    const { status, body } = await slow
    expect(status).toBe(400)
    expect(body.reason).toBe('sqlRefused')
    const many = await read('select * from generate_series(1, 5000) n')
    expect(many.rows).toHaveLength(1_000)
    expect(many.isMore).toBe(true)
    const wide = await read(
      `select string_agg('0123456789', '') from generate_series(1, 100) n, generate_series(1, 5000) m group by n`,
    )
    expect(wide.isMore).toBe(true)
    expect(wide.rows.length).toBeLessThan(100)
    expect(JSON.stringify(wide.rows).length).toBeLessThan(2_100_000)
    const columns = Array.from({ length: 101 }, (_, place) => `${place} as c${place}`).join(', ')
    expect(await refusal(`select ${columns}`)).toMatch(/100 columns/)
    expect((await run(`select '${'x'.repeat(10_001)}'`)).status).toBe(400)
    expect((await run(`select ${'('.repeat(4_000)}1${')'.repeat(4_000)}`)).status).toBeLessThan(500)
    expect((await run(`select ${'- '.repeat(4_000)}pi()`)).status).toBe(400)
    expect((await run('select 1/0')).status).toBe(400)
    expect((await run("select 'x'::int4")).status).toBe(400)
    expect((await run('select "nothing" from "Score"')).status).toBe(400)
    expect((await ask(root, 'POST', '/console/sql', { query: { $ne: 1 } })).status).toBe(400)
    expect((await ask(root, 'POST', '/console/sql', { query: 'select 1\u0000' })).status).toBe(400)
  })

  test('serves administrators with a recent proof alone, and the audit log has the text', async () => {
    for (const who of [helper, watcher, ann])
      for (const [method, path, body] of [
        ['POST', '/console/sql', { query: 'select 1' }],
        ['GET', '/console/sql', undefined],
        ['GET', '/console/queries', undefined],
        ['POST', '/console/queries', { name: 'x', query: 'select 1' }],
      ] as const)
        expect((await ask(who, method, path, body)).status, `${path}`).toBeGreaterThan(400)
    expect((await ask(root, 'POST', '/console/sql', { query: 'select 1' }, {})).status).toBe(404)
    await read(`select 'seen in the log'`)
    const { results } = (await office.server.call('GET', '/audit?action=runSql&limit=5', undefined, master)).body
    const [entry] = results as { actor: string; details: { query: string } }[]
    expect(entry).toMatchObject({ actor: `operator:${root.objectId}`, details: { query: `select 'seen in the log'` } })
    office.server.clock.forward(901_000)
    for (const [method, path, body] of [
      ['POST', '/console/sql', { query: 'select 1' }],
      ['POST', '/console/queries', { name: 'late', query: 'select 1' }],
    ] as const)
      expect((await ask(root, method, path, body)).body.reason).toBe('reauthenticationRequired')
    const older = await ask(root, 'POST', '/console/sql', { query: 'select 1', _method: 'POST' })
    expect(older.body.reason).toBe('reauthenticationRequired')
    const requests = [{ method: 'POST', path: '/server/console/sql', body: { query: 'select 1' } }]
    expect((await ask(root, 'POST', '/batch', { requests })).text).not.toContain('success')
  })

  test('keeps queries for all administrators, each name once', async () => {
    const save = (name: string, more: object = {}) =>
      ask(root, 'POST', '/console/queries', { name, query: 'select 1', ...more })
    const made = await save('wins', { chart: true })
    expect(made.status).toBe(201)
    const both = await Promise.all([save(' twice '), save('twice')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const path = `/console/queries/${made.body.objectId}`
    expect((await ask(root, 'PUT', path, { query: 'select 2' })).body).toMatchObject({
      query: 'select 2',
      chart: false,
    })
    expect((await ask(root, 'GET', '/console/queries')).body.results).toMatchObject([
      { name: 'twice' },
      { name: 'wins', query: 'select 2' },
    ])
    for (const wrong of [
      { name: '' },
      { name: ' ' },
      { name: 'x'.repeat(101) },
      { name: 'y', query: '' },
      { name: 'y', query: 'x'.repeat(10_001) },
    ])
      expect((await save('y', wrong)).status).toBe(400)
    expect((await ask(watcher, 'DELETE', path)).status).toBeGreaterThan(400)
    expect((await ask(root, 'DELETE', path)).status).toBe(200)
    expect((await ask(root, 'DELETE', path)).status).toBe(404)
    expect((await ask(root, 'PUT', path, { query: 'select 1' })).status).toBe(404)
  })

  test('does not exist with the setting off', async () => {
    const { config } = office.server.context
    config.sqlEditor = false
    try {
      expect((await run('select 1')).status).toBe(404)
      expect((await ask(root, 'GET', '/console/sql')).status).toBe(404)
      expect((await ask(root, 'GET', '/console/queries')).status).toBe(404)
      expect((await ask(root, 'GET', '/console')).body.areas).not.toContain('sql')
    } finally {
      config.sqlEditor = true
    }
    expect((await ask(root, 'GET', '/console')).body.areas).toContain('sql')
    const { results } = (await ask(root, 'GET', '/console/sql')).body as { results: { name: string }[] }
    expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(['Score', '_User', '_Role']))
  })
})

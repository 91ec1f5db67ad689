import { compatFunctions, contract, type EndpointContract } from '@countersign/protocol/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { known, limitsOf, sample, unwrap } from '../../attack/contractSamples.ts'
import { sql } from '../../db/sql.ts'
import { safeParse } from '../../encoding/safeParse.ts'
import type { TestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

type Path = (string | number)[]

/** A value that a field must reject, and its place in the input. */
type Fault = { what: string; path: Path; value: unknown }

let token: string

// Refused sign-ins would be written to their log.
const server = serveTests({ signInLogDays: 0 })
beforeAll(async () => {
  token = (await server.signUp('walker')).token
})

const endpoints: [string, EndpointContract][] = [
  ...Object.entries<EndpointContract>(contract),
  // Some have the name of an endpoint.
  ...Object.entries<EndpointContract>(compatFunctions).map(([name, each]): [string, EndpointContract] => [
    `functions/${name}`,
    each,
  ]),
]

describe('every field of every endpoint refuses what its contract does not allow, by its name, and nothing is written', () => {
  test.each(endpoints)('%s', async (name, endpoint) => {
    const before = await countRows()
    const params = (endpoint.params ? sample(endpoint.params) : {}) as Record<string, string>
    const input = endpoint.input ? sample(endpoint.input) : {}
    if (endpoint.input) expect(endpoint.input.safeParse(input).error, 'the sample is valid').toBeUndefined()
    for (const fault of endpoint.input ? findFaults(endpoint.input) : []) {
      // Values of such a query are texts, whatever is written.
      if (endpoint.method === 'GET' && endpoint.textQuery && typeof fault.value !== 'string') continue
      if (endpoint.omitsEmpty && fault.value === '') continue
      const sent = withFault(endpoint.input as z.ZodType, input, fault)
      expectRefusal(name, endpoint.input as z.ZodType, sent, fault, await call(endpoint, params, sent))
    }
    for (const fault of endpoint.params ? findFaults(endpoint.params) : []) {
      // Parts of a path are texts, and an empty one is another path.
      if (typeof fault.value !== 'string' || fault.value === '') continue
      const sent = withFault(endpoint.params as z.ZodType, params, fault) as Record<string, string>
      expectRefusal(name, endpoint.params as z.ZodType, sent, fault, await call(endpoint, sent, input))
    }
    expect(await countRows()).toEqual(before)
  })
})

test('every text and every list that is taken has a maximum', () => {
  const endless = endpoints.flatMap(([name, { input, params }]) =>
    [input, params].flatMap((schema) => (schema ? findEndless(schema, [name]) : [])),
  )
  expect(endless).toEqual([])
})

test('the walk itself finds faults: wrong types, lengths, ranges and names', () => {
  const faults = findFaults(contract.listActivity.input).map(({ what, path }) => `${path.join('.')} ${what}`)
  expect(faults).toEqual(
    expect.arrayContaining([
      'before wrong type',
      'limit wrong type',
      'limit too small',
      'limit too large',
      'actions too many',
      'actions.0 too long',
    ]),
  )
})

function call({ method, path, access }: EndpointContract, params: Record<string, string>, input: unknown) {
  const filled = path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(String(params[part] ?? 'x')))
  const rights = access === 'user' ? { token } : { master: true }
  if (method !== 'GET') return server.call(method, filled, input, rights)
  const query = Object.entries(input as object).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return server.call('GET', `${filled}?${new URLSearchParams(query)}`, undefined, rights)
}

function expectRefusal(
  name: string,
  schema: z.ZodType,
  sent: unknown,
  { what, path }: Fault,
  { status, body }: Awaited<ReturnType<TestServer['call']>>,
): void {
  const field = path.join('.')
  const title = `${name}: ${field} ${what}: ${JSON.stringify(body).slice(0, 300)}`
  expect(status, title).toBeGreaterThanOrEqual(400)
  expect(status, title).toBeLessThan(500)
  const named = safeParse(schema, sent).error?.issues.map(({ message }) => message) ?? []
  if (named.includes(String(body.reason))) return
  // A part of a path that is longer than any can be leads nowhere.
  if (what === 'too long' && body.reason === 'commandUnavailable') return
  // An address that is too long for HTTP, or more values than any body may hold, is refused before it is parsed.
  if (status === 431 || (what.startsWith('too') && body.reason === 'invalidJson')) return
  expect(body.reason, title).toBe('invalidInput')
  const { field: refused } = body.params as { field: string }
  // A list or a union may be refused as a whole.
  expect(field === refused || field.startsWith(`${refused}.`) || refused.startsWith(`${field}.`), title).toBe(true)
}

async function countRows(): Promise<Record<string, number>> {
  const { db } = server.context
  const tables = await db.query<{
    name: string
  }>(sql`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
      -- Written by the minute, whatever is asked.
      and table_name <> 'figures'
    order by 1`)
  const text = tables.map(
    ({ name }) => `select '${name.replaceAll("'", "''")}' as name, count(*)::int as count from ${name}`,
  )
  const rows = await db.query<{ name: string; count: number }>({ text: text.join(' union all ') })
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** The default of `jsonLimit`: what is longer is refused before it is parsed. */
const longestBody = 1024 * 1024

/** A length that cannot be compared with a limit. */
const noLength = { length: { toString: 1, valueOf: 1 } }

const anything = [{ a: 1 }, [{ a: 1 }], 5.5, 'no such thing', true]

function findFaults(given: z.ZodType, path: Path = []): Fault[] {
  const schema = unwrap(given)
  const { type, shape, element, valueType, options } = known(schema)
  const { minimum, maximum } = limitsOf(schema)
  const faults: Fault[] = []
  const add = (what: string, value: unknown) => {
    // Skips values that are valid after all, such as text that a transformation shortens.
    if (path.length > 0 && !safeParse(given, value).success) faults.push({ what, path, value })
  }
  const wrong = anything.find((value) => typeof value !== type && !safeParse(given, value).success)
  if (wrong !== undefined) add('wrong type', wrong)
  if ((type === 'string' || type === 'array') && maximum !== undefined) add('wrong length', noLength)
  if (type === 'transform') add('wrong length in a list', JSON.stringify([noLength]))
  if (type === 'string' && maximum !== undefined && maximum < longestBody) add('too long', 'x'.repeat(maximum + 1))
  if (type === 'string' && minimum !== undefined) add('too short', 'x'.repeat(Math.max(minimum - 1, 0)))
  if (type === 'number' && maximum !== undefined && Number.isSafeInteger(maximum + 1)) add('too large', maximum + 1)
  if (type === 'number' && minimum !== undefined && Number.isSafeInteger(minimum - 1)) add('too small', minimum - 1)
  if (type === 'enum' || type === 'literal') add('not one of them', 'no such thing')
  if (type === 'array' && element && maximum !== undefined)
    add(
      'too many',
      Array.from({ length: maximum + 1 }, () => sample(element)),
    )
  if (type === 'object')
    for (const [key, part] of Object.entries(shape ?? {})) faults.push(...findFaults(part, [...path, key]))
  if (type === 'array' && element) faults.push(...findFaults(element, [...path, 0]))
  if (type === 'record' && valueType) faults.push(...findFaults(valueType, [...path, 'some']))
  if (type === 'union')
    for (const option of options ?? [])
      faults.push(
        ...findFaults(option, path).filter(
          (fault) => fault.path.length === path.length && !safeParse(given, fault.value).success,
        ),
      )
  return faults
}

function withFault(given: z.ZodType, input: unknown, { path: [key, ...path], what, value }: Fault): unknown {
  if (key === undefined) return value
  const { shape, element, valueType } = known(unwrap(given))
  const part = shape?.[key] ?? element ?? valueType
  if (!part) throw new Error(`no field ${key}`)
  const whole = (input ?? sample(given)) as Record<string, unknown>
  const inner = withFault(part, whole[key], { path, what, value })
  return typeof key === 'number' ? [inner] : { ...whole, [key]: inner }
}

function findEndless(given: z.ZodType, path: Path): string[] {
  const schema = unwrap(given)
  const { type, shape, element, valueType, options = [] } = known(schema)
  const { maximum, isFormatted } = limitsOf(schema)
  const own = (type === 'array' || type === 'string') && maximum === undefined && !isFormatted ? [path.join('.')] : []
  return [
    ...own,
    ...Object.entries(shape ?? {}).flatMap(([key, part]) => findEndless(part, [...path, key])),
    ...(element ? findEndless(element, [...path, 0]) : []),
    ...(valueType ? findEndless(valueType, [...path, '*']) : []),
    ...options.flatMap((option) => findEndless(option, path)),
  ]
}

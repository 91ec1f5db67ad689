import { headers as ownHeaders } from '@countersign/protocol'
import { compatFunctions, contract, type EndpointContract } from '@countersign/protocol/contract'
import fc from 'fast-check'
import { fromSchema } from './fromSchema.ts'
import { hostileText, hostileValue, mutated, writeJson } from './hostileValues.ts'
import type { Vocabulary } from './Vocabulary.ts'

/** One request, before its caller is known. */
export type FuzzRequest = {
  endpoint: string
  method: string
  /** Under the mount, with its query. */
  path: string
  body?: string | undefined
  headers: Record<string, string>
  form: 'plain' | 'override' | 'batch' | 'cookie'
}

/** Endpoints of the contract and the functions of older clients. */
export const endpoints: Record<string, EndpointContract> = {
  ...contract,
  ...Object.fromEntries(
    Object.entries<EndpointContract>(compatFunctions).map(([name, each]) => [`functions/${name}`, each]),
  ),
}

/** Lone surrogates have no encoding. */
const encode = (text: string) => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))

const cookies = fc.oneof(
  fc.constantFrom(
    'countersign_session=x',
    '__Host-countersign=x; __Host-countersign=y',
    '=;;;=',
    `a=${'b'.repeat(3_000)}`,
    '__proto__=1; constructor=2',
    'a="b\\"c"; d=%ff%00',
  ),
  hostileText.map((text) => `countersign=${encode(text)}`),
)

const headerNames = [
  ...Object.values(ownHeaders)
    .map((name) => name.toLowerCase())
    .filter((name) => name !== 'x-parse-application-id'),
  ...['x-http-method-override', 'x-request-id', 'traceparent'],
  ...['origin', 'referer', 'sec-fetch-site', 'accept', 'accept-language', 'content-type'],
  ...['authorization', 'x-forwarded-for', 'x-forwarded-proto', 'if-none-match', 'range'],
]

const headerValue = fc.oneof(
  hostileText.map((text) =>
    Array.from(text, (sign) => (/[\x20-\x7e\x80-\xff]/.test(sign) ? sign : '?'))
      .join('')
      .slice(0, 2_000),
  ),
  fc.constantFrom(
    '',
    'cookie',
    '1',
    '-1',
    '1e9',
    'null',
    'https://evil.example',
    '{"a":1}',
    '{',
    'bytes=0-',
    'de;q=x',
    'text/plain',
    'DELETE',
    'GET',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-7',
    'application/x-www-form-urlencoded',
    'Bearer x',
    'Basic Og==',
  ),
)
const noise: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom(...headerNames), headerValue, { maxKeys: 3, noNullPrototype: true }),
  },
  { weight: 1, arbitrary: cookies.map((cookie) => ({ cookie })) },
)

const forms = fc.constantFrom<FuzzRequest['form'][]>('plain', 'plain', 'plain', 'plain', 'override', 'batch', 'cookie')

/** Requests to one endpoint. */
export function createRequests(name: string, vocabulary: Vocabulary): fc.Arbitrary<FuzzRequest> {
  const endpoint = endpoints[name] as EndpointContract
  const { method, path, params, input } = endpoint
  const parts = params ? fromParams(params, vocabulary) : fc.constant({})
  const given =
    name === 'batch'
      ? createBatch(vocabulary)
      : input
        ? fromSchema(input, vocabulary)
        : fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: hostileValue })
  return fc.tuple(parts, given, noise, forms).map(([values, value, headers, form]): FuzzRequest => {
    const filled = path.replaceAll(/:(\w+)/g, (_, part: string) => writePart(Object(values)[part]))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (form === 'override' && isObject) {
      const body = writeJson({ ...value, _method: method, _noBody: undefined })
      return {
        endpoint: name,
        method: 'POST',
        path: filled,
        body,
        headers: { 'content-type': 'text/plain', ...headers },
        form,
      }
    }
    if (form === 'batch' && name !== 'batch') {
      const query = method === 'GET' && isObject ? writeQuery(value) : ''
      const body = writeJson({ requests: [{ method, path: `/server${filled}${query}`, body: isObject ? value : {} }] })
      return {
        endpoint: name,
        method: 'POST',
        path: '/batch',
        body,
        headers: { 'content-type': 'application/json', ...headers },
        form,
      }
    }
    if (method === 'GET')
      return { endpoint: name, method, path: `${filled}${isObject ? writeQuery(value) : ''}`, headers, form }
    return {
      endpoint: name,
      method,
      path: filled,
      body: writeJson(value),
      headers: { 'content-type': 'application/json', ...headers },
      form,
    }
  })
}

function fromParams(params: NonNullable<EndpointContract['params']>, vocabulary: Vocabulary): fc.Arbitrary<unknown> {
  const parts = fromSchema(params, vocabulary)
  if (!('className' in params.shape && 'objectId' in params.shape)) return parts
  return fc.oneof({ weight: 3, arbitrary: vocabulary.pool.one('place') }, { weight: 1, arbitrary: parts })
}

/** A part of a path. It never is empty or a dot, which would lead to another endpoint. */
function writePart(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'x')
  const written = encode(text).slice(0, 600)
  return written === '' || /^\.+$/.test(written) ? 'x' : written
}

function writeQuery(value: object): string {
  const entries = Object.entries(value).map(([key, each]): string => {
    const text = typeof each === 'string' ? each : writeJson(each)
    return `${encode(key)}=${encode(text)}`
  })
  const query = entries.join('&').slice(0, 6_000)
  return query === '' ? '' : `?${query}`
}

function createBatch({ pool, trees }: Vocabulary): fc.Arbitrary<unknown> {
  const className = pool.one('className').map(String)
  const place = pool.one('place').map((at) => at as { className: string; objectId: string })
  const one = fc.oneof(
    fc.record({
      method: fc.constant('POST'),
      path: className.map((name) => `/server/classes/${name}`),
      body: trees.changes,
    }),
    fc.record({
      method: fc.constantFrom('PUT', 'DELETE', 'GET'),
      path: place.map(({ className: name, objectId }) => `/server/classes/${name}/${objectId}`),
      body: trees.changes,
    }),
    fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH'),
      path: fc.constantFrom(
        '/server/users/me',
        '/server/batch',
        '/server/login',
        '/server/../x',
        '/classes/Note',
        '/server/classes/Note?where={}',
        '/server/functions/x',
        '/server/logout',
        '/server/files/a.txt',
      ),
      body: trees.changes,
    }),
  )
  return mutated(
    fc.record({ requests: fc.array(one, { maxLength: 4 }), transaction: fc.boolean() }, { requiredKeys: ['requests'] }),
  )
}

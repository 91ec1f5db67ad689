import { CountersignError, headers, type WireFields } from '@countersign/protocol'
import { useRead } from '@countersign/react'
import { applicationHeaders, getServer, reach, readRefusal } from '../../../config/callEndpoint.ts'
import { type Asked, operatorHeaders } from '../ask.ts'
import type { JsonSchema } from '../jsonSchema.ts'

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }
type Content = { content?: { 'application/json'?: { schema: JsonSchema } } }
type Operation = {
  operationId: string
  summary: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: Content
  responses: { [status: string]: Content }
  'x-access'?: 'master' | 'operator'
  'x-operators'?: string[]
  'x-reasons'?: { [reason: string]: string }
}

/** One endpoint, as the server describes it. */
export type ApiEndpoint = {
  name: string
  method: string
  path: string
  resource: string
  summary: string
  access: 'anyone' | 'master' | 'operator'
  operators?: string[]
  parameters: Parameter[]
  body?: JsonSchema
  status: string
  output: JsonSchema
  reasons: { [reason: string]: string }
}

/** The server's own description of its API, in the order in which it names the endpoints. */
function readDescription(description: { paths: { [path: string]: { [method: string]: Operation } } }) {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): ApiEndpoint => {
      const [status = '200'] = Object.keys(operation.responses)
      const body = operation.requestBody?.content?.['application/json']?.schema
      return {
        name: operation.operationId,
        method: method.toUpperCase(),
        path,
        resource: operation.tags?.[0] ?? '',
        summary: operation.summary,
        access: operation['x-access'] ?? 'anyone',
        ...(operation['x-operators'] && { operators: operation['x-operators'] }),
        parameters: operation.parameters ?? [],
        ...(body && { body }),
        status,
        output: operation.responses[status]?.content?.['application/json']?.schema ?? {},
        reasons: operation['x-reasons'] ?? {},
      }
    }),
  )
}

async function fetchDescription({ signal }: { signal?: AbortSignal | undefined }): Promise<ApiEndpoint[]> {
  const url = new URL('/openapi.json', new URL(getServer().serverUrl, location.href))
  const response = await reach(url.href, { signal: signal ?? null })
  const body = await response.json().catch(() => undefined)
  if (!response.ok || !body) throw readRefusal(response, body)
  return readDescription(body)
}

/** Read once for the page: it changes with the server alone. */
export function useApiDescription(): Asked<ApiEndpoint[]> {
  return useRead(['apiDescription'], fetchDescription, { staleTime: Number.POSITIVE_INFINITY })
}

/** Returns true if requests from here carry the session: pages of another origin have none. */
export function isSameOrigin(): boolean {
  return new URL(getServer().serverUrl, location.href).origin === location.origin
}

/** Endpoints that return a session are tried as a guest: it would replace the operator's own. */
export function opensSession({ method, output, access }: ApiEndpoint): boolean {
  return method !== 'GET' && access === 'anyone' && JSON.stringify(output).includes('"sessionToken"')
}

/** Full input of an endpoint, from all parts of the request. */
export function inputOf({ parameters, body, method }: ApiEndpoint): JsonSchema {
  const own = parameters.map(({ name, schema }) => [name, schema] as const)
  return {
    type: 'object',
    properties: { ...Object.fromEntries(own), ...body?.properties },
    required: [...parameters.filter(({ required }) => required).map(({ name }) => name), ...(body?.required ?? [])],
    additionalProperties: method !== 'GET' && (body?.additionalProperties ?? false),
  }
}

export type Tried = { status: number; ms: number; text: string }

/** Sends a request as it was built, and returns any response. Throws if a proof is needed first. */
export async function tryEndpoint(endpoint: ApiEndpoint, input: WireFields, asOperator: boolean): Promise<Tried> {
  const rest = { ...input }
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    const part = typeof value === 'string' ? value : JSON.stringify(value ?? '')
    // A browser takes such parts out of the address, which would then be another.
    if (/^(\.{0,2}|"")$/.test(part)) throw new CountersignError('ObjectNotFound', `${name} is required`)
    return encodeURIComponent(part)
  })
  const isRead = endpoint.method === 'GET'
  const query = Object.entries(rest).map(
    ([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  const isGuest = opensSession(endpoint)
  const { [headers.console]: _rights, ...session } = operatorHeaders
  const started = performance.now()
  const response = await reach(
    `${getServer().serverUrl}${path}${isRead && query.length > 0 ? `?${query.join('&')}` : ''}`,
    {
      method: endpoint.method,
      cache: 'no-store',
      credentials: isGuest ? 'omit' : 'same-origin',
      headers: {
        ...applicationHeaders(),
        ...(!isGuest && (asOperator ? operatorHeaders : session)),
        ...(!isRead && { 'Content-Type': 'application/json' }),
      },
      ...(!isRead && { body: JSON.stringify(rest) }),
    },
  )
  const text = await response.text()
  const ms = Math.round(performance.now() - started)
  const body = parse(text)
  if (body?.reason === 'reauthenticationRequired') throw readRefusal(response, body)
  return { status: response.status, ms, text: body === undefined ? text : JSON.stringify(body, null, 2) }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { type AppEndpointName, endpoints, headers, type Method } from '@countersign/protocol'
import type { Connection } from './Connection.ts'
import { createUuid } from './createUuid.ts'
import { ValidationError } from './errors/ValidationError.ts'
import type { Credential } from './session/CurrentSession.ts'

/** Endpoints that open a session, or prepare for it, and therefore may set a cookie. */
const opening = new Set<AppEndpointName>([
  'signUp',
  'logIn',
  'logInByGet',
  'createChallenge',
  'signInWithWallet',
  'createPasskeyChallenge',
  'signInWithPasskey',
  'signInWithRecoveryCode',
])

/** The address and the options of `fetch` for one request; the same for all its attempts. */
export function buildRequest(
  connection: Connection,
  name: AppEndpointName,
  input: object,
  credential: Credential | undefined,
): { url: string; init: RequestInit } {
  const endpoint = endpoints[name]
  const fields = new Map<string, unknown>(Object.entries(input))
  const path = endpoint.path.replace(/:(\w+)/g, (_, parameter: string) => {
    const value = fields.get(parameter)
    fields.delete(parameter)
    return encodeSegment(parameter, value)
  })
  let method: Method = endpoint.method
  if (method === 'GET' && (fields.has('password') || fields.has('where'))) {
    // Addresses are kept by logs and histories, and have a limit: passwords and conditions, which may name people or
    // be long, do not travel in them. The server reads `_method` as the verb.
    fields.set('_method', method)
    method = 'POST'
  }
  const isCookie = connection.transport === 'cookie'
  const values: Record<string, string> = {
    Accept: 'application/json',
    [headers.applicationId]: connection.appId,
    [headers.installationId]: connection.installationId,
    ...(connection.javascriptKey && { [headers.javascriptKey]: connection.javascriptKey }),
    ...(isCookie && { [headers.sessionTransport]: 'cookie' }),
    ...(!isCookie && credential?.token && { [headers.sessionToken]: credential.token }),
  }
  // A cookie that this tab knows nothing of, such as one left by an interrupted sign-in, stays at home.
  const credentials = isCookie && (credential || opening.has(name)) ? 'include' : 'omit'
  const init: RequestInit = { method, headers: values, cache: 'no-store', credentials }
  if (method === 'GET')
    return { url: `${connection.serverUrl}${path}${encodeQuery(fields, 'textQuery' in endpoint)}`, init }
  values['Content-Type'] = 'application/json'
  if (endpoint.method !== 'GET') values[headers.requestId] = createUuid()
  init.body = JSON.stringify(Object.fromEntries(fields))
  return { url: `${connection.serverUrl}${path}`, init }
}

// `.` and `..` would be taken out of the address by the browser and so name another endpoint.
function encodeSegment(parameter: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && !/^\.{1,2}$/.test(value)) return encodeURIComponent(value)
  throw new ValidationError(`${parameter} can only be a non-empty string`, `Received ${JSON.stringify(value)}.`)
}

function encodeQuery(fields: Map<string, unknown>, asText: boolean): string {
  const entries = [...fields].filter(([, value]) => value !== undefined)
  if (entries.length === 0) return ''
  const encode = asText ? String : JSON.stringify
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, encode(value)]))}`
}

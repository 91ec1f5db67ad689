import { CountersignError, errorCodes, headers } from '@countersign/protocol'
import type { Body } from '../../endpoint/Endpoint.ts'
import type { ApiRequest } from './ApiRequest.ts'
import { Unauthorized } from './answerError.ts'
import { readBody } from './readBody.ts'

const lower = (name: string) => name.toLowerCase()

export const names = {
  applicationId: lower(headers.applicationId),
  masterKey: lower(headers.masterKey),
  javascriptKey: lower(headers.javascriptKey),
  restApiKey: lower(headers.restApiKey),
  clientKey: lower(headers.clientKey),
  sessionToken: lower(headers.sessionToken),
  installationId: lower(headers.installationId),
  requestId: lower(headers.requestId),
  requestAge: lower(headers.requestAge),
  cloudContext: lower(headers.cloudContext),
  invitation: lower(headers.invitation),
}

const keyNames = [names.javascriptKey, names.restApiKey, names.clientKey]

/** Credentials and ids claimed by a caller, in headers or in the body. */
export type Claims = {
  applicationId?: string
  masterKey?: string
  keys: string[]
  sessionToken?: string
  /** Token with a scope that stands for application id and keys. */
  bearer?: string
  installationId?: string
  requestId?: string
  codeContext?: Record<string, unknown>
}

/** Body keys that carry identity; they are taken out, so that none is stored. */
const bodyClaims = new Set([
  '_ApplicationId',
  '_JavaScriptKey',
  '_ClientVersion',
  '_InstallationId',
  '_SessionToken',
  '_MasterKey',
  '_RevocableSession',
  '_context',
  '_ContentType',
  '_noBody',
  '_method',
])

/**
 * Reads the caller's claims. The body counts only if the headers name no application; before it is read, it counts as
 * empty.
 */
export function readClaims(request: Pick<ApiRequest, 'headers'>, body: Body): Claims {
  const header = (name: string) => (typeof request.headers[name] === 'string' ? request.headers[name] : undefined)
  const claims: Claims = { keys: [] }
  const basic = readBasic(request.headers.authorization)
  const inBody = takeOut(body)
  const codeContext = readCodeContext(header(names.cloudContext) ?? inBody._context)
  if (codeContext) claims.codeContext = codeContext
  // An empty id is none: equal writes would count as one, and sessions of two devices as one device.
  claims.requestId = header(names.requestId) || undefined
  const bearer = readBearer(request.headers.authorization)
  if (bearer !== undefined) claims.bearer = bearer
  claims.applicationId = header(names.applicationId) ?? basic?.applicationId
  if (claims.applicationId !== undefined || bearer !== undefined) {
    claims.masterKey = header(names.masterKey) ?? basic?.masterKey
    for (const name of keyNames) {
      const key = header(name)
      if (key !== undefined) claims.keys.push(key)
    }
    if (basic?.javascriptKey !== undefined) claims.keys.push(basic.javascriptKey)
    claims.sessionToken = header(names.sessionToken)
    claims.installationId = header(names.installationId) || undefined
    return claims
  }
  claims.applicationId = text(inBody._ApplicationId)
  claims.masterKey = text(inBody._MasterKey)
  const key = text(inBody._JavaScriptKey)
  if (key !== undefined) claims.keys.push(key)
  claims.sessionToken = text(inBody._SessionToken)
  claims.installationId = text(inBody._InstallationId) || undefined
  return claims
}

/** Text in the headers that looks like a token with a scope. */
export function findTokenText({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const bearer = readBearer(headers.authorization)
  if (bearer !== undefined) return bearer
  const sent = headers[names.sessionToken] ?? headers[names.masterKey]
  return typeof sent === 'string' && sent.startsWith('cs_') ? sent : undefined
}

/** Returns true if the headers name the application; the body is then not read for it. */
export function namesApplication(request: ApiRequest): boolean {
  const { authorization } = request.headers
  return (request.headers[names.applicationId] ?? readBasic(authorization) ?? readBearer(authorization)) !== undefined
}

function takeOut(body: Body): Body {
  const taken: Body = {}
  for (const name of Object.keys(body)) {
    if (!name.startsWith('_') || !bodyClaims.has(name)) continue
    taken[name] = body[name] ?? null
    delete body[name]
  }
  return taken
}

function text(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  // An object in the place of a credential is an attempt at a query operator.
  if (typeof value !== 'string') throw new Unauthorized('unauthorized')
  return value
}

/** A token with a scope, maybe bound to a key. Any other bearer token is not ours: proxies in front of the server may need it. */
function readBearer(authorization: string | undefined): string | undefined {
  return /^(?:Bearer|DPoP) (cs_.*)$/.exec(authorization ?? '')?.[1]
}

/** HTTP Basic: the application id as user; as password the master key, or `javascript-key=<key>`. */
function readBasic(authorization: string | undefined) {
  if (!authorization?.startsWith('Basic ')) return undefined
  const [applicationId = '', ...rest] = Buffer.from(authorization.slice(6), 'base64').toString('utf8').split(':')
  const password = rest.join(':')
  if (password.startsWith('javascript-key=')) return { applicationId, javascriptKey: password.slice(15) }
  return { applicationId, masterKey: password === '' ? undefined : password }
}

/** An object, or the text of one: the older clients send it in the body or in a header. */
function readCodeContext(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined) return undefined
  try {
    const parsed = typeof value === 'string' && value !== '' ? readBody(Buffer.from(value), undefined) : value
    if (parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed)) return { ...parsed }
  } catch (error) {
    if (error instanceof CountersignError && error.code === errorCodes.InvalidKeyName) throw error
  }
  throw new CountersignError('InvalidJson', 'Invalid object for context.')
}

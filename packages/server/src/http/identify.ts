import { CountersignError, errorCodes, headers, longest } from '@countersign/protocol'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { refuseLong } from '../context/limits.ts'
import { findSession } from '../users/findSession.ts'
import type { Endpoint } from './Endpoint.ts'
import { isForwarded } from './isForwarded.ts'
import { isLocalApp } from './isLocalApp.ts'
import { sameKey } from './keys.ts'
import { type Body, readBody } from './readBody.ts'
import { readBindingCookie, readSessionCookie } from './sessionCookie.ts'
import { Unauthorized } from './Unauthorized.ts'

const lower = (name: string) => name.toLowerCase()
const names = {
  applicationId: lower(headers.applicationId),
  masterKey: lower(headers.masterKey),
  javascriptKey: lower(headers.javascriptKey),
  restApiKey: lower(headers.restApiKey),
  clientKey: lower(headers.clientKey),
  sessionToken: lower(headers.sessionToken),
  installationId: lower(headers.installationId),
  requestId: lower(headers.requestId),
  cloudContext: lower(headers.cloudContext),
}

/** What a caller says of itself, in headers or in the body. */
export type Claims = {
  applicationId?: string
  masterKey?: string
  keys: string[]
  sessionToken?: string
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
 * Reads who the caller claims to be. The body counts only where the headers name no application; before it is read, an
 * empty one stands for it.
 */
export function readClaims(request: Pick<FastifyRequest, 'headers'>, body: Body): Claims {
  const header = (name: string) => (typeof request.headers[name] === 'string' ? request.headers[name] : undefined)
  const claims: Claims = { keys: [] }
  const basic = readBasic(request.headers.authorization)
  const inBody = takeOut(body)
  const codeContext = readCodeContext(header(names.cloudContext) ?? inBody._context)
  if (codeContext) claims.codeContext = codeContext
  claims.requestId = header(names.requestId)
  claims.applicationId = header(names.applicationId) ?? basic?.applicationId
  if (claims.applicationId !== undefined) {
    claims.masterKey = header(names.masterKey) ?? basic?.masterKey
    claims.keys = [
      header(names.javascriptKey),
      header(names.restApiKey),
      header(names.clientKey),
      basic?.javascriptKey,
    ].filter((key) => key !== undefined)
    claims.sessionToken = header(names.sessionToken)
    claims.installationId = header(names.installationId)
    return claims
  }
  claims.applicationId = text(inBody._ApplicationId)
  claims.masterKey = text(inBody._MasterKey)
  const key = text(inBody._JavaScriptKey)
  if (key !== undefined) claims.keys.push(key)
  claims.sessionToken = text(inBody._SessionToken)
  claims.installationId = text(inBody._InstallationId)
  return claims
}

/** Whether the headers say which application is meant; the body is then nobody's business here. */
export function namesApplication(request: FastifyRequest): boolean {
  return (request.headers[names.applicationId] ?? readBasic(request.headers.authorization)) !== undefined
}

/** Makes the caller of the claims that hold. Identity comes from keys and session alone. */
export async function identify(
  context: Context,
  request: FastifyRequest,
  claims: Claims,
  endpoint: Pick<Endpoint, 'session' | 'localApp'>,
  gate: { isMasterAddress: (address: string) => boolean; neededKeys: string[]; cookie: boolean },
): Promise<Caller> {
  const { keys, config } = context
  const rule = endpoint.session ?? 'checked'
  if (claims.applicationId !== keys.appId) throw new Unauthorized('unauthorized')
  const isFull = claims.masterKey !== undefined && sameKey(claims.masterKey, keys.masterKey)
  const isReadOnly =
    !isFull &&
    claims.masterKey !== undefined &&
    config.readOnlyMasterKey !== undefined &&
    sameKey(claims.masterKey, config.readOnlyMasterKey)
  const isMaster = isFull || isReadOnly
  if (isMaster && !gate.isMasterAddress(request.ip)) throw new Unauthorized('unauthorized')
  if (
    !isMaster &&
    gate.neededKeys.length > 0 &&
    !claims.keys.some((key) => gate.neededKeys.some((right) => sameKey(key, right)))
  ) {
    throw new Unauthorized('unauthorized')
  }
  const caller: Caller = {
    isMaster,
    isLocalApp: endpoint.localApp ? isLocalApp(context, request) : false,
    ipAddress: request.ip,
    isForwarded: isForwarded(request),
    headers: request.headers,
  }
  if (claims.codeContext !== undefined) caller.codeContext = claims.codeContext
  if (isReadOnly) caller.isReadOnly = true
  if (claims.installationId !== undefined) {
    refuseLong(headers.installationId, claims.installationId, longest.installationId)
    caller.installationId = claims.installationId
  }
  if (claims.requestId !== undefined) {
    refuseLong(headers.requestId, claims.requestId, longest.requestId)
    caller.requestId = claims.requestId
  }
  if (request.headers['user-agent'] !== undefined) caller.userAgent = request.headers['user-agent']
  const acceptLanguage = request.headers['accept-language']
  if (acceptLanguage !== undefined) caller.acceptLanguage = acceptLanguage

  if (request.headers.origin !== undefined) caller.origin = request.headers.origin
  const binding = gate.cookie ? readBindingCookie(context, request) : caller.installationId
  if (binding) caller.binding = `${gate.cookie ? 'browser' : 'installation'}:${binding}`
  const token = gate.cookie ? readSessionCookie(context, request) : claims.sessionToken
  if (rule === 'dropped' || token === undefined || token === '') return caller
  try {
    caller.session = await findSession(context, token)
  } catch (error) {
    if (rule === 'checked' || !(error instanceof CountersignError)) throw error
  }
  return caller
}

/** For each part of a batch: a session that ended while others were carried out has no part in the rest. Throws 209. */
export async function identifyAgain(context: Context, caller: Caller): Promise<Caller> {
  if (!caller.session) return caller
  return { ...caller, session: await findSession(context, caller.session.token) }
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

import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import { CountersignError, errorCodes, headers, longest, refuse } from '@countersign/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { refuseLong } from '../../context/limiters.ts'
import type { Keys } from '../../context/loadKeys.ts'
import { newToken } from '../../context/secrets.ts'
import { operatorRoleOf, raiseOperator } from '../../users/operators.ts'
import { findCachedSession, findSession } from '../../users/sessions/findSession.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import type { Endpoint } from '../Endpoint.ts'
import { Unauthorized } from './answerError.ts'
import { type Body, readBody } from './createBodies.ts'
import type { Match } from './createRouter.ts'

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
  invitation: lower(headers.invitation),
}

const keyNames = [names.javascriptKey, names.restApiKey, names.clientKey]

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
    for (const name of keyNames) {
      const key = header(name)
      if (key !== undefined) claims.keys.push(key)
    }
    if (basic?.javascriptKey !== undefined) claims.keys.push(basic.javascriptKey)
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

/** Whether it is the master key, or the one before while keys are rotated. */
export function isMasterKey(keys: Keys, given: string): boolean {
  return isMasterPrint(keys, fingerprintOf(given))
}

function isMasterPrint(keys: Keys, given: Fingerprint): boolean {
  const isFormer = keys.formerMasterKey !== undefined && isPrintOf(given, keys.formerMasterKey)
  return isPrintOf(given, keys.masterKey) || isFormer
}

/** Rights that keys give, without a session. `none` where they do not even open the application. */
type KeyRights = 'full' | 'readOnly' | 'client' | 'none'

/** Returns a judgment of the claimed keys that can be repeated when keys change. It holds their fingerprints alone. */
function createKeyJudge({ keys, config }: Context, claims: Claims, neededKeys: string[]): () => KeyRights {
  const { applicationId } = claims
  const master = claims.masterKey === undefined ? undefined : fingerprintOf(claims.masterKey)
  const given = neededKeys.length > 0 ? claims.keys.map(fingerprintOf) : []
  return () => {
    if (applicationId !== keys.appId) return 'none'
    if (master && isMasterPrint(keys, master)) return 'full'
    const { readOnlyMasterKey } = config
    if (master && readOnlyMasterKey !== undefined && isPrintOf(master, readOnlyMasterKey)) return 'readOnly'
    const isNamed = neededKeys.length === 0 || given.some((print) => neededKeys.some((key) => isPrintOf(print, key)))
    return isNamed ? 'client' : 'none'
  }
}

/** Makes the caller of the claims that hold. Identity comes from keys and session alone. */
export async function identify(
  context: Context,
  request: FastifyRequest,
  claims: Claims,
  endpoint: Pick<Endpoint, 'session' | 'localApp'>,
  rules: { isMasterAddress: (address: string) => boolean; neededKeys: string[]; cookie: boolean },
): Promise<Caller> {
  const rule = endpoint.session ?? 'checked'
  const judgeKeys = createKeyJudge(context, claims, rules.neededKeys)
  const rights = judgeKeys()
  if (rights === 'none') throw new Unauthorized('unauthorized')
  const isReadOnly = rights === 'readOnly'
  const isMaster = rights === 'full' || isReadOnly
  if (isMaster && !rules.isMasterAddress(request.ip)) {
    context.log.warn({ address: request.ip }, 'the master key was used from an address outside masterKeyIps')
    // Only who holds the key reads this; without it an operator behind a proxy looks for a mistake in the key.
    throw new Unauthorized(
      `unauthorized: the master key may not be used from ${request.ip}. The operator can allow this address by masterKeyIps.`,
    )
  }
  const caller: Caller = {
    isMaster,
    keysHold: () => judgeKeys() === rights,
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
  const invitation = request.headers[names.invitation]
  if (typeof invitation === 'string' && invitation !== '') {
    refuseLong(headers.invitation, invitation, longest.token)
    caller.invitation = invitation
  }
  if (request.headers['user-agent'] !== undefined) caller.userAgent = request.headers['user-agent']
  const acceptLanguage = request.headers['accept-language']
  if (acceptLanguage !== undefined) caller.acceptLanguage = acceptLanguage

  if (request.headers.origin !== undefined) caller.origin = request.headers.origin
  const binding = rules.cookie ? readBindingCookie(context, request) : caller.installationId
  const device = rules.cookie ? readCookie(request, deviceName(context)) : undefined
  if (device) caller.device = device
  if (binding) caller.binding = `${rules.cookie ? 'browser' : 'installation'}:${binding}`
  const token = rules.cookie ? readSessionCookie(context, request) : claims.sessionToken
  if (rule === 'dropped' || token === undefined || token === '') return caller
  try {
    caller.session = findCachedSession(context, token) ?? (await findSession(context, token))
  } catch (error) {
    if (rule === 'checked' || !(error instanceof CountersignError)) throw error
  }
  return caller
}

/**
 * For each part of a batch: a session that ended while others were carried out has no part in the rest, nor has a key
 * that was retired. Throws 209 or 403.
 */
export async function identifyAgain(context: Context, caller: Caller): Promise<Caller> {
  if (caller.keysHold?.() === false) throw new Unauthorized('unauthorized')
  if (!caller.session) return caller
  const session = await findSession(context, caller.session.token)
  if (!caller.operator) return { ...caller, session }
  const again: Caller = { ...caller, session, isMaster: false, isReadOnly: false, operator: undefined }
  await raiseOperator(context, again)
  return again
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

/** Of any key that the configuration takes. */
const longestKey = 200

/** Equal or not, in a time that does not tell how much of it was right. */
export function sameKey(given: string, right: string): boolean {
  return isPrintOf(fingerprintOf(given), right)
}

/** SHA-256 of a key that a caller sent; `undefined` for one that is too long to be any. */
type Fingerprint = Buffer | undefined

function fingerprintOf(given: string): Fingerprint {
  return given.length <= longestKey ? digest(given) : undefined
}

function isPrintOf(given: Fingerprint, right: string): boolean {
  return given !== undefined && timingSafeEqual(given, digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Addresses and networks (`10.0.0.0/8`) as a test for an address. */
export function createAddressList(entries: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = address.startsWith('::ffff:') ? address.slice(7) : address
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

/** Whether the caller's keys open the endpoint at all. What a read-only key may not do is not a list that could lack one. */
export function checkRights(
  context: Context,
  { endpoint, params }: Match,
  caller: Caller,
  method: string,
  path: string,
): void {
  if (endpoint.access === 'operator') {
    const role = operatorRoleOf(caller)
    // As if it was not there: nobody learns from the answer who is an operator.
    if (!role) throw notHere(method, path)
    if (endpoint.operators && !endpoint.operators.includes(role)) throw refuse('operatorForbidden')
  }
  if (caller.operator) checkOperator(context, endpoint, caller, params.className)
  if (endpoint.access === 'user') requireSession(caller)
  if (endpoint.access === 'master' && !caller.isMaster) throw new Unauthorized('unauthorized: master key is required')
  if (caller.isReadOnly && (endpoint.method !== 'GET' || endpoint.writes) && endpoint.name !== 'batch') {
    throw new CountersignError(
      'OperationForbidden',
      `read-only masterKey isn't allowed to perform the ${endpoint.name} operation.`,
    )
  }
}

/** What operators do all day, and what takes nothing away: objects of the application are made and changed. */
const mild = new Set(['createObject', 'updateObject'])

/** Reads that show what opens accounts. */
const secretReads = new Set(['listOutbox', 'exportConsoleUser'])

/**
 * Whether an operator may do this now. Every write but the mild ones needs a proof that was given a short time ago: a
 * console that was left open must not delete, impersonate or give rights away. What is mild is a list, not what is not.
 */
function checkOperator({ config, clock }: Context, endpoint: Endpoint, caller: Caller, className = ''): void {
  const isWrite = (endpoint.method !== 'GET' || endpoint.writes) && endpoint.name !== 'batch'
  if (isWrite && caller.operator === 'viewer') throw refuse('operatorForbidden')
  // A session for a user without mark and limit: operators impersonate instead.
  if (endpoint.name === 'logInAs') throw refuse('operatorForbidden')
  const isMild = mild.has(endpoint.name) && !className.startsWith('_')
  if (!secretReads.has(endpoint.name) && (!isWrite || isMild)) return
  const confirmedAt = caller.session?.confirmedAt ?? 0
  if (clock.ms() - confirmedAt > config.confirmationLength * 1000) throw refuse('reauthenticationRequired')
}

export function notHere(method: string, path: string): CountersignError {
  return new CountersignError('CommandUnavailable', `There is no ${method} ${path} here.`, { status: 404 })
}

const loopbackHosts = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** The outbox is open in the web application: development, on this very machine, and no SMTP server. */
export function hasOpenOutbox({ config, mail }: Context): boolean {
  const local = config.host === '127.0.0.1' || config.host === 'localhost' || config.host === '::1'
  return mail.listOutbox !== undefined && !config.production && local
}

/**
 * Whether the request comes from our own page on the developer's machine. Reset links lie in the outbox,
 * so another page must not read it: not by a cross-site request (the browser tells where it comes from),
 * not by a name that points to this machine (the host must be a loopback name), not through a proxy.
 */
function isLocalApp(context: Context, request: FastifyRequest): boolean {
  const { origin, host } = request.headers
  if (!hasOpenOutbox(context) || !loopbackHosts.test(host ?? '')) return false
  if (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined) return false
  if (origin !== undefined && origin !== `http://${host}`) return false
  const site = request.headers['sec-fetch-site']
  return request.headers['x-countersign-session'] === 'cookie' && (site === undefined || site === 'same-origin')
}

/** Whether a proxy that is trusted named the caller. */
export function isForwarded({ ips }: Pick<FastifyRequest, 'ips'>): boolean {
  return ips !== undefined && ips.length > 1
}

const transportHeader = headers.sessionTransport.toLowerCase()

/**
 * Whether the caller wants its session in a cookie. A form or a link from another site cannot send the
 * header, and a script of another site cannot either without a preflight that we refuse (CSRF).
 */
export function wantsCookie(context: Context, request: FastifyRequest): boolean {
  if (request.headers[transportHeader] !== 'cookie') return false
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin !== undefined) return isOwnOrigin(context, request, origin)
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Why a cookie session will not work for the page that asks for one, where that can be known. */
export type CookieTrap = 'cookie-origin' | 'cookie-insecure'

/**
 * A page that asks for a cookie session gets none where its origin is not ours, and loses it where the cookie is for
 * https alone and the page is not: each looks like a sign-in that did not last.
 */
export function findCookieTrap(context: Context, request: FastifyRequest, isGranted: boolean): CookieTrap | undefined {
  const { origin } = request.headers
  if (origin === undefined || request.headers[transportHeader] !== 'cookie') return undefined
  if (!isGranted) return 'cookie-origin'
  if (!origin.startsWith('http:') || !context.publicUrl.startsWith('https:')) return undefined
  // Browsers treat a page on the machine itself as secure.
  return loopbackOrigin.test(origin) ? undefined : 'cookie-insecure'
}

const loopbackOrigin = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

export function isOwnOrigin({ config, publicUrl }: Context, request: FastifyRequest, origin: string): boolean {
  if (config.allowOrigin.includes(origin) || origin === new URL(publicUrl).origin) return true
  // The browser tells the origin of the page and the host it sent the request to; a page cannot forge either.
  return origin === `${request.protocol}://${request.headers.host}`
}

export function readSessionCookie(context: Context, request: FastifyRequest): string | undefined {
  return readCookie(request, cookieName(context))
}

function readCookie(request: FastifyRequest, name: string): string | undefined {
  return findCookie(request.headers.cookie, name)
}

function findCookie(cookie: string | undefined, name: string): string | undefined {
  for (const part of cookie?.split('; ') ?? []) {
    if (part.startsWith(`${name}=`)) return decode(part.slice(name.length + 1))
  }
  return undefined
}

/** A cookie that another program of the host planted may hold anything. */
function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

export function setSessionCookie(context: Context, reply: FastifyReply, token: string): void {
  addCookie(context, reply, cookieName(context), encodeURIComponent(token), context.config.sessionLength)
}

export function clearSessionCookie(context: Context, reply: FastifyReply): void {
  addCookie(context, reply, cookieName(context), '', 0)
}

/** What a browser holds before it has a session: a challenge given to it serves no other browser. */
function readBindingCookie(context: Context, request: FastifyRequest): string | undefined {
  return readCookie(request, bindingName(context))
}

export function setBindingCookie(context: Context, reply: FastifyReply): string {
  const binding = newToken()
  addCookie(context, reply, bindingName(context), binding, 3600)
  return binding
}

export function clearBindingCookie(context: Context, reply: FastifyReply): void {
  addCookie(context, reply, bindingName(context), '', 0)
}

/** A browser on which the second factor is remembered holds this. It opens nothing alone. */
export function writeDeviceCookie(context: Context, device: string): string {
  return writeCookie(context, deviceName(context), device, context.config.secondFactor.rememberDays * 24 * 3600)
}

/** The session of an operator who impersonates a user, to come back to. Read by `endImpersonation` alone. */
export function writeOperatorCookie(context: Context, token: string): string {
  return writeCookie(context, operatorName(context), encodeURIComponent(token), 3600)
}

export function clearOperatorCookie(context: Context): string {
  return writeCookie(context, operatorName(context), '', 0)
}

export function readOperatorCookie(context: Context, cookie: string | undefined): string | undefined {
  return findCookie(cookie, operatorName(context))
}

function operatorName(context: Context): string {
  return `${cookieName(context)}-operator`
}

function deviceName(context: Context): string {
  return `${cookieName(context)}-device`
}

function bindingName(context: Context): string {
  return `${cookieName(context)}-asks`
}

/** The `__Host-` prefix keeps other hosts of the site from planting a session; browsers take it over https alone. */
function cookieName({ publicUrl }: Context): string {
  return publicUrl.startsWith('https:') ? '__Host-countersign' : 'countersign'
}

function addCookie(context: Context, reply: FastifyReply, name: string, value: string, seconds: number): void {
  reply.header('Set-Cookie', writeCookie(context, name, value, seconds))
}

function writeCookie({ publicUrl }: Context, name: string, value: string, seconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

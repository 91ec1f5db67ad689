import { CountersignError, errorCodes, headers, longest, refuse, tokenPrefixes } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { deviceName } from '../../endpoint/cookies.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { refuseLong } from '../../endpoint/parseRequest.ts'
import { isForwarded } from '../../network/clientAddress.ts'
import { raiseOperator } from '../../users/operators.ts'
import { findCachedCredential, findCredential, findSession } from '../../users/sessions/findSession.ts'
import { holdCredential } from '../../users/tokens/holdCredential.ts'
import { proveKey } from '../../users/tokens/proveKey.ts'
import type { ApiRequest } from './ApiRequest.ts'
import { Unauthorized } from './answerError.ts'
import { type Claims, names } from './claims.ts'
import { clearSessionCookie, readBindingCookie, readCookie, readSessionCookie } from './cookies.ts'
import type { Exchange, Gate } from './Exchange.ts'
import { createKeyJudge } from './keys.ts'
import { isLocalApp } from './localApp.ts'
import { readRequestAge } from './runIdempotent.ts'

const consoleHeader = headers.console.toLowerCase()

/** Identifies the caller of a request. A cookie whose session has ended is cleared. */
export function identifyFor(
  gate: Gate,
  { request, reply, cookie }: Exchange,
  claims: Claims,
  endpoint: Pick<Endpoint, 'session' | 'localApp'>,
): Promise<Caller> {
  const { context, isMasterAddress, neededKeys } = gate
  const identified = identify(context, request, claims, endpoint, { isMasterAddress, neededKeys, cookie })
  const raised =
    request.headers[consoleHeader] === '1'
      ? identified.then((caller) => raiseOperator(context, caller).then(() => caller))
      : identified
  if (!cookie) return raised
  return raised.catch((error: unknown) => {
    if (error instanceof CountersignError && error.code === errorCodes.InvalidSessionToken) {
      clearSessionCookie(context, reply)
    }
    throw error
  })
}

/** A proof counts once, and a request is identified again if its body took long. */
async function proveOnce(context: Context, token: string, request: ApiRequest): Promise<string> {
  if (request.proven?.token !== token) request.proven = { token, key: await proveKey(context, token, request) }
  return request.proven.key
}

/** Makes the caller of the claims that hold. Identity comes from keys and session alone. */
export async function identify(
  context: Context,
  request: ApiRequest,
  given: Claims,
  endpoint: Pick<Endpoint, 'session' | 'localApp'>,
  rules: { isMasterAddress: (address: string) => boolean; neededKeys: string[]; cookie: boolean },
): Promise<Caller> {
  const rule = endpoint.session ?? 'checked'
  const claims = withKeyAsBearer(given)
  const judgeKeys = createKeyJudge(context, claims, rules.neededKeys)
  const rights = judgeKeys()
  if (rights === 'none') throw new Unauthorized('unauthorized')
  const isReadOnly = rights === 'readOnly'
  const isMaster = rights === 'full' || isReadOnly
  if (isMaster && !rules.isMasterAddress(request.ip)) {
    context.log.warn({ address: request.ip }, 'the master key was used from an address outside masterKeyIps')
    // Only who holds the key reads this; without it an operator behind a proxy looks for a mistake in the key.
    throw new Unauthorized(
      `unauthorized: the master key may not be used from ${request.ip}. The operator can allow this address in masterKeyIps.`,
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
    const age = request.headers[names.requestAge]
    if (age !== undefined) caller.requestAge = readRequestAge(context, age)
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
  if (claims.bearer !== undefined) {
    // It stands for the keys: one that is not valid ends the request, whatever the endpoint says about sessions.
    const held = await findCredential(context, claims.bearer)
    if (held.grant?.jkt !== undefined) caller.proofKey = await proveOnce(context, claims.bearer, request)
    holdCredential(context, caller, held)
    if (!caller.token) throw refuse('invalidSessionToken')
    return caller
  }
  const token = rules.cookie ? readSessionCookie(context, request) : claims.sessionToken
  if (rule === 'dropped' || token === undefined || token === '') return caller
  try {
    const held = findCachedCredential(context, token) ?? (await findCredential(context, token))
    if (held.grant === undefined) caller.session = held
    // A cookie is set by the browser's owner or by an attacker: a planted token would act as somebody else.
    else if (rules.cookie) throw refuse('invalidSessionToken')
    else holdCredential(context, caller, held)
  } catch (error) {
    if (rule === 'checked' || !(error instanceof CountersignError)) throw error
  }
  return caller
}

/** A scoped key in the place of the master key, as scripts and our own commands send it. */
function withKeyAsBearer(claims: Claims): Claims {
  if (!claims.masterKey?.startsWith(tokenPrefixes.operator)) return claims
  const { masterKey, ...others } = claims
  return { ...others, bearer: masterKey }
}

/**
 * For each part of a batch: a session that ended while others were carried out has no part in the rest, nor has a key
 * that was retired. Throws 209 or 403.
 */
export async function identifyAgain(context: Context, caller: Caller): Promise<Caller> {
  if (caller.keysHold?.() === false) throw new Unauthorized('unauthorized')
  if (caller.token) {
    const again: Caller = { ...caller }
    holdCredential(context, again, await findCredential(context, caller.token.token))
    return again
  }
  if (!caller.session) return caller
  const session = await findSession(context, caller.session.token)
  if (!caller.operator) return { ...caller, session }
  const again: Caller = { ...caller, session, isMaster: false, isReadOnly: false, operator: undefined }
  await raiseOperator(context, again)
  return again
}

import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Ask, AskRequest, Context } from '../context/Context.ts'
import type { Body, Dispatch, Sent } from '../endpoint/Endpoint.ts'
import { parseRequest } from '../endpoint/parseRequest.ts'
import { toResponse } from '../endpoint/respond.ts'
import { findCredential } from '../users/sessions/findSession.ts'
import { holdCredential } from '../users/tokens/holdCredential.ts'
import { describeError } from './request/answerError.ts'
import { readClaims } from './request/claims.ts'
import type { FindEndpoint, Match } from './request/createRouter.ts'
import { identifyAgain } from './request/identify.ts'
import { isMasterKey } from './request/keys.ts'
import { readBody, readQuery } from './request/readBody.ts'
import { checkRights } from './request/rights.ts'

/** Requests of the application's own code: the same endpoints and rights, no HTTP, no limits of the rate. */
export function createAsk(context: Context, findEndpoint: FindEndpoint): Ask {
  return async (request) => {
    try {
      return await context.db.nest(() => carryOut(request))
    } catch (error) {
      return { error: describeError(error, context.log) }
    }
  }

  async function carryOut({ method: sentBy, path, body: text }: AskRequest) {
    // Code of the operator's own may send as much as it likes.
    const body = readBody(Buffer.from(text), 'application/json', Number.POSITIVE_INFINITY)
    const method = typeof body._method === 'string' ? body._method.toUpperCase() : sentBy
    const sent: Sent = { headers: {} }
    if (typeof body._ContentType === 'string') sent.fileType = body._ContentType
    const match = find(method, path)
    if (!match)
      throw new CountersignError('CommandUnavailable', `Unknown endpoint: ${method} ${path}.`, { status: 404 })
    const claims = readClaims({ headers: {} }, body)
    const caller: Caller = {
      isMaster: claims.masterKey !== undefined && isMasterKey(context.keys, claims.masterKey),
      isLocalApp: false,
      isCode: true,
      ipAddress: '127.0.0.1',
      headers: {},
      ...(claims.installationId !== undefined && { installationId: claims.installationId.slice(0, 200) }),
      ...(claims.codeContext && { codeContext: claims.codeContext }),
    }
    if (claims.sessionToken && match.endpoint.session !== 'dropped') {
      holdCredential(context, caller, await findCredential(context, claims.sessionToken))
    }
    const dispatch: Dispatch = (inner) => {
      const found = find(inner.method, inner.path)
      if (!found || found.endpoint.name === 'batch' || found.endpoint.session === 'dropped') {
        throw new CountersignError('InvalidJson', `cannot route ${inner.method} ${inner.path}`.slice(0, 200))
      }
      const { endpoint } = found
      const runPart = async () =>
        toResponse(await run(found, inner.method, inner.body, await identifyAgain(context, caller))).output
      return { endpoint, run: () => context.db.nest(runPart) }
    }
    const given = await run(match, method, body, caller)
    const { output, status = match.endpoint.status ?? 200, headers = {} } = toResponse(given)
    // A copy: code must not change cached values.
    return { status, output: JSON.parse(JSON.stringify(output)) as unknown, headers }

    async function run(found: Found, how: string, given: Body, caller: Caller): Promise<object> {
      const endpoint = found.endpoint.replacedBy?.(context) ?? found.endpoint
      checkRights(context, { endpoint, params: found.params }, caller, how, path)
      await endpoint.admit?.(context, caller)
      const whole = how === 'GET' ? { ...given, ...readQuery(found.search, endpoint.textQuery ?? false) } : given
      const { input, params } = parseRequest(endpoint, whole, found.params)
      return endpoint.handle({ context, caller, input, params, dispatch, sent })
    }
  }

  function find(method: string, url: string): Found | undefined {
    const [path = '/', search = ''] = url.split('?', 2)
    const match = findEndpoint(method, path)
    return match && { ...match, search }
  }
}

type Found = Match & { search: string }

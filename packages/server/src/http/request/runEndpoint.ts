import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Body, Dispatch, Endpoint } from '../../endpoint/Endpoint.ts'
import { parseRequest } from '../../endpoint/parseRequest.ts'
import { type ResponseParts, toResponse } from '../../endpoint/respond.ts'
import { findClientId } from '../../objects/clientIds.ts'
import { isAudited, noteInAudit } from './auditRequest.ts'
import { keepTokenInCookie } from './cookies.ts'
import { type Asked, type Exchange, type Gate, splitUrl } from './Exchange.ts'
import { identifyAgain } from './identify.ts'
import { readJsonText, readQuery } from './readBody.ts'
import { checkRights } from './rights.ts'
import { createAnswers, runIdempotent } from './runIdempotent.ts'

/** Parses the input, runs the handler, and notes in the audit log what belongs there. */
export async function runEndpoint(
  gate: Gate,
  exchange: Exchange,
  asked: Asked,
  caller: Caller,
): Promise<ResponseParts & { output: object }> {
  const { endpoint: found } = asked.match
  const endpoint = found.replacedBy?.(gate.context) ?? found
  const response = toResponse(
    await handle(gate, exchange, endpoint, asked, caller).catch((error: unknown) => {
      noteFailedSignIn(gate, asked, caller, error)
      throw error
    }),
  )
  if (gate.context.config.checkResponses) checkResponse(endpoint, response.output)
  if (isAudited(asked, caller)) await noteInAudit(gate, asked, caller, response.output)
  return response
}

function noteFailedSignIn({ context }: Gate, { match, search, body }: Asked, caller: Caller, error: unknown): void {
  const { name, method, textQuery } = match.endpoint
  context.services.failedSignIns?.note({
    endpoint: name === 'signUp' && body.authData ? 'signUpByAuthData' : name,
    body: method === 'GET' && search !== '' ? { ...body, ...readQuery(search, textQuery ?? false) } : body,
    from: caller,
    error,
  })
}

async function handle(
  gate: Gate,
  exchange: Exchange,
  endpoint: Endpoint,
  asked: Asked,
  caller: Caller,
): Promise<object> {
  const { context, duplicates } = gate
  const { method, path, match, requestId } = asked
  const given = method === 'GET' ? readGiven(asked, endpoint.textQuery ?? false) : asked.body
  await endpoint.admit?.(context, caller)
  const { input, params } = parseRequest(endpoint, given, match.params)
  const dispatch: Dispatch = (part) => findPart(gate, exchange, part, caller)
  // The content of a file is read by the handler, which compares it.
  const answers =
    endpoint.takesFile && requestId !== undefined
      ? createAnswers(context, caller, { method, path, requestId, body: {} })
      : undefined
  const work = () =>
    endpoint.handle({ context, caller, input, params, dispatch, sent: exchange.sent, ...(answers && { answers }) })
  const made = endpoint.name === 'createObject' ? findClientId(context, params.className, input) : undefined
  if (made)
    return runIdempotent(context, caller, { method, path, body: asked.body, requestId: made.objectId, made }, work)
  if (requestId === undefined || method === 'GET') return work()
  if (duplicates.matches(path)) return duplicates.claim(requestId).then(work)
  return endpoint.once ? runIdempotent(context, caller, { ...asked, requestId }, work) : work()
}

/** Query of the address, and of the body of a POST that stands for a GET. Some clients send conditions as text there. */
function readGiven({ search, body }: Asked, asText: boolean): Body {
  const query = readQuery(search, asText)
  const given = search === '' ? body : isEmpty(body) ? query : { ...body, ...query }
  return !asText && typeof given.where === 'string' ? { ...given, where: readJsonText(given.where) } : given
}

function isEmpty(body: Body): boolean {
  for (const _ in body) return false
  return true
}

/** A request of a batch, with the rights of the whole. */
function findPart(
  gate: Gate,
  exchange: Exchange,
  { method, path: url, body }: Parameters<Dispatch>[0],
  whole: Caller,
): ReturnType<Dispatch> {
  const { context, limiter } = gate
  const [path, search] = splitUrl(url, 0)
  const match = gate.findEndpoint(method, path)
  // Requests that open or end a session set cookies, and must not be tried fifty times in one batch.
  const isAlone = match?.endpoint.name === 'batch' || match?.endpoint.streams || match?.endpoint.binds
  if (!match || isAlone || match.endpoint.session === 'dropped') {
    throw new CountersignError('InvalidJson', `cannot route ${method} ${path}`.slice(0, 200))
  }
  const { endpoint } = match
  return {
    endpoint,
    async run(requestId) {
      await limiter.count({ method, path, match, ...exchange.from })
      const caller = await identifyAgain(context, whole)
      checkRights(context, match, caller, method, path)
      const { output } = await runEndpoint(gate, exchange, { method, path, search, body, match, requestId }, caller)
      return exchange.cookie ? keepTokenInCookie(context, exchange.reply, output, endpoint, caller) : output
    },
  }
}

/** Fails if an endpoint's response breaks its contract. For tests and development. */
function checkResponse({ name, output: schema, streams }: Endpoint, output: object): void {
  if (!schema || streams) return
  // As it goes over the wire: what JSON leaves out is not there.
  const checked = schema.safeParse(JSON.parse(JSON.stringify(output)))
  if (!checked.success) throw new Error(`The response of ${name} breaks its contract: ${checked.error.message}`)
}

import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import type { Body } from '../../endpoint/Endpoint.ts'
import { notHere } from '../../endpoint/notHere.ts'
import { parseRequest } from '../../endpoint/parseRequest.ts'
import { toResponse } from '../../endpoint/respond.ts'
import type { FindEndpoint } from '../request/createRouter.ts'
import { checkRights } from '../request/rights.ts'

export type EndpointCall = { method: string; path: string; body?: Body }

/** Calls an endpoint with the rights of the agent: scope, permissions and input are judged as for a request. */
export async function callEndpoint(
  context: Context,
  findEndpoint: FindEndpoint,
  caller: Caller,
  { method, path, body = {} }: EndpointCall,
): Promise<object> {
  const match = findEndpoint(method, path)
  if (!match) throw notHere(method, path)
  const endpoint = match.endpoint.replacedBy?.(context) ?? match.endpoint
  checkRights(context, { endpoint, params: match.params }, caller, method, path)
  await endpoint.admit?.(context, caller)
  const { input, params } = parseRequest(endpoint, body, match.params)
  const dispatch = () => {
    throw notHere(method, path)
  }
  return toResponse(await endpoint.handle({ context, caller, input, params, dispatch, sent: { headers: {} } })).output
}

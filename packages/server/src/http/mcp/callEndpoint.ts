import type { Caller } from '../../context/Caller.ts'
import type { Body } from '../../endpoint/Endpoint.ts'
import { notHere } from '../../endpoint/notHere.ts'
import { parseRequest } from '../../endpoint/parseRequest.ts'
import { toResponse } from '../../endpoint/respond.ts'
import { isAudited, noteInAudit } from '../request/auditRequest.ts'
import type { Gate } from '../request/Exchange.ts'
import { checkRights } from '../request/rights.ts'

export type EndpointCall = { method: string; path: string; body?: Body }

export type AgentGate = Pick<Gate, 'context' | 'findEndpoint' | 'limiter' | 'audit'>

/** Calls an endpoint with the rights of the agent: scope, permissions and input are judged as for a request. */
export async function callEndpoint(
  gate: AgentGate,
  caller: Caller,
  { method, path, body = {} }: EndpointCall,
): Promise<object> {
  const { context, findEndpoint } = gate
  const match = findEndpoint(method, path)
  if (!match) throw notHere(method, path)
  const endpoint = match.endpoint.replacedBy?.(context) ?? match.endpoint
  checkRights(context, { endpoint, params: match.params }, caller, method, path)
  await endpoint.admit?.(context, caller)
  const { input, params } = parseRequest(endpoint, body, match.params)
  const dispatch = () => {
    throw notHere(method, path)
  }
  const { output } = toResponse(
    await endpoint.handle({ context, caller, input, params, dispatch, sent: { headers: {} } }),
  )
  const asked = { method, body, match: { endpoint, params } }
  if (isAudited(asked, caller)) await noteInAudit(gate, asked, caller, output)
  return output
}

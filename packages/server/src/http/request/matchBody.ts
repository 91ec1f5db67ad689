import { CountersignError } from '@countersign/protocol'
import type { Body } from '../../endpoint/Endpoint.ts'
import { notHere } from '../../endpoint/notHere.ts'
import { count } from './countRequest.ts'
import type { Asked, Exchange, Gate } from './Exchange.ts'

/** Matches the request once more, now that its body may name another method. */
export function matchBody(gate: Gate, exchange: Exchange, body: Body): Asked {
  const { request, written, path, search, first, mayTurn, sent } = exchange
  if (typeof body._ContentType === 'string') sent.fileType = body._ContentType
  const override = Object.hasOwn(body, '_method') ? body._method : request.headers['x-http-method-override']
  const method = readMethod(written, override)
  const match = method === written ? first : gate.findEndpoint(method, path)
  if (mayTurn) count(gate, exchange, method, match)
  if (!match) throw notHere(method, path)
  const { name } = match.endpoint
  request.countedAs = name === 'signUp' && body.authData ? 'signUpByAuthData' : name
  return { method, path, search, body, match, requestId: undefined }
}

function readMethod(method: string, override: unknown): string {
  if (method !== 'POST' || override === undefined) return method
  if (typeof override !== 'string' || !/^(GET|POST|PUT|DELETE)$/i.test(override)) {
    throw new CountersignError('InvalidJson', '_method must be GET, POST, PUT or DELETE.')
  }
  return override.toUpperCase()
}

import type { FastifyReply } from 'fastify'
import type { Caller } from '../../context/Caller.ts'
import type { ResponseParts } from '../../endpoint/respond.ts'
import { clearBindingCookie, keepTokenInCookie } from './cookies.ts'
import type { Asked, Exchange, Gate } from './Exchange.ts'

/** Sends the handler's result, with status, headers and cookies. */
export function sendAnswer(
  { context }: Gate,
  { reply, cookie }: Exchange,
  { match: { endpoint, params } }: Asked,
  caller: Caller,
  response: ResponseParts & { output: object },
): FastifyReply {
  const { output, status = endpoint.status, headers, text } = response
  if (endpoint.location) {
    reply.header('Location', `${context.publicUrl}${context.config.mount}${endpoint.location(output, params)}`)
  }
  if (status) reply.code(status)
  if (headers) reply.headers(headers)
  if (cookie && endpoint.binds === 'ends') clearBindingCookie(context, reply)
  // A page with a cookie session gets the response without the token.
  if (text !== undefined && !(cookie && 'sessionToken' in output)) {
    return reply.type('application/json; charset=utf-8').send(text)
  }
  return reply.send(cookie ? keepTokenInCookie(context, reply, output, endpoint, caller) : output)
}

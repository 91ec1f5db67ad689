import {
  type AppEndpointName,
  type EndpointPlace,
  type EndpointTypes,
  endpoints,
  errorCodes,
} from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { toCountersignError, untilAborted } from '../errors/errors.ts'
import { sendRequest } from '../http/sendRequest.ts'
import { endSession } from './currentSession.ts'

/** Endpoints whose 209 may be about the session named in the request, not about the sender's. */
const aboutAnother = new Set<AppEndpointName>(['getSession', 'updateSession', 'revokeSession'])

/**
 * Sends a request to an endpoint by its name, as the present user. Input and response are typed by the name. It throws
 * on failure; a session that the server no longer has ends (209).
 *
 * @example
 * const { results } = await request(client, 'listSessions', {})
 */
export async function request<Name extends AppEndpointName>(
  client: Client,
  name: Name,
  given: EndpointTypes[Name]['input'],
  { signal }: { signal?: AbortSignal } = {},
): Promise<EndpointTypes[Name]['output']> {
  const connection = requireConnection(client)
  const { options, current } = client.internal
  // A dead session would fail requests that need none.
  const { sessionless, method } = (endpoints as Record<string, Partial<EndpointPlace> | undefined>)[name] ?? {}
  const credential = sessionless ? undefined : current?.credential
  const input = seeOwnWrites(client, given)
  const send = () => {
    if (!/Challenge$|Registration$|^requestEmailC/.test(name))
      return sendRequest(options, connection, name, input, { credential, signal })
    // Requests that begin a proof set the cookie that it is bound to. They run one at a time and to the end, even if
    // aborted: a late cookie would replace the one that another proof is bound to.
    const ask = () =>
      client.internal.challenges.run(() => sendRequest(options, connection, name, input, { credential }))
    return signal ? untilAborted(ask, signal) : ask()
  }
  try {
    return await send()
  } catch (cause) {
    const error = toCountersignError(cause)
    client.internal.watchError?.(error)
    if (error.code !== errorCodes.InvalidSessionToken) throw error
    // An invalid cookie was sent with a sign-up; the server has removed it with this response.
    if (!credential && connection.transport === 'cookie') return send()
    if (credential && !aboutAnother.has(name)) endSession(client, credential)
    throw error
  } finally {
    // Failed ones may have written, too. Chain data is not among these endpoints, and is only read.
    if (method !== undefined && method !== 'GET') client.internal.wroteAt = performance.now()
  }
}

/** Reduces `maxStaleness` to the time since this client's last write: a result that is no older contains it. */
function seeOwnWrites<Input>(client: Client, input: Input): Input {
  const { maxStaleness } = input as { maxStaleness?: unknown }
  if (typeof maxStaleness !== 'number') return input
  return { ...input, maxStaleness: Math.min(maxStaleness, (performance.now() - client.internal.wroteAt) / 1_000) }
}

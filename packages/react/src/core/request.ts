import { type EndpointName, type EndpointTypes, errorCodes } from '@countersign/protocol'
import type { Client } from './Client.ts'
import { toCountersignError } from './errors/toCountersignError.ts'
import { requireConnection } from './requireConnection.ts'
import { sendRequest } from './sendRequest.ts'
import { endSession } from './session/endSession.ts'

/** Endpoints that are for people without a session; a dead one sent along would only get in their way. */
const sessionless = new Set<EndpointName>([
  'signUp',
  'logIn',
  'logInByGet',
  'signInWithWallet',
  'signInWithPasskey',
  'verifyPassword',
  'requestPasswordReset',
  'resetPassword',
  'requestEmailVerification',
  'undoEmailChange',
])

/** Endpoints where 209 may speak of the session that is named in the request, not of the one that sends it. */
const aboutAnother = new Set<EndpointName>(['getSession', 'updateSession', 'revokeSession'])

/**
 * Sends a request to an endpoint by its name, as the present user. Input and answer are typed by the name. It throws
 * on failure; a session that the server no longer knows ends (209).
 *
 * @example
 * const { results } = await request(client, 'listSessions', {})
 */
export async function request<Name extends EndpointName>(
  client: Client,
  name: Name,
  input: EndpointTypes[Name]['input'],
  { signal }: { signal?: AbortSignal } = {},
): Promise<EndpointTypes[Name]['output']> {
  const connection = requireConnection(client)
  const { options, current } = client.internal
  const credential = sessionless.has(name) ? undefined : current?.credential
  const send = () => sendRequest(options, connection, name, input, { credential, signal })
  try {
    return await send()
  } catch (cause) {
    const error = toCountersignError(cause)
    client.internal.watchError?.(error)
    if (error.code !== errorCodes.InvalidSessionToken) throw error
    // A dead cookie rode along with a sign-up; the server has taken it out with this answer.
    if (!credential && connection.transport === 'cookie') return send()
    if (credential && !aboutAnother.has(name)) endSession(client, credential)
    throw error
  }
}

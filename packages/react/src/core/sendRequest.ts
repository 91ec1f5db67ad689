import { type AppEndpointName, CountersignError, type EndpointTypes } from '@countersign/protocol'
import { buildRequest } from './buildRequest.ts'
import type { ClientInternal } from './Client.ts'
import type { Connection } from './Connection.ts'
import { cancelled } from './cancelled.ts'
import { fetchText } from './fetchText.ts'
import { readAnswer } from './readAnswer.ts'
import type { Credential } from './session/CurrentSession.ts'
import { sleep } from './sleep.ts'

type Sending = { credential?: Credential; signal?: AbortSignal; attemptLimit?: number }

/**
 * Sends one request and reads its answer. Network failures and 5xx are tried again, with growing and scattered waits;
 * a write keeps its request id over all attempts, so that the server carries it out once.
 */
export async function sendRequest<Name extends AppEndpointName>(
  options: ClientInternal['options'],
  connection: Connection,
  name: Name,
  input: EndpointTypes[Name]['input'],
  { credential, signal, attemptLimit = options.attemptLimit ?? 5 }: Sending = {},
): Promise<EndpointTypes[Name]['output']> {
  const { url, init } = buildRequest(connection, name, input, credential)
  const fetch = options.observedFetch ?? options.fetch ?? globalThis.fetch
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) throw cancelled(signal)
    const outcome = await fetchText(fetch, url, init, options.attemptTimeout ?? 20_000, signal).catch(toFailure)
    if (signal?.aborted) throw cancelled(signal)
    const isLast = attempt >= attemptLimit
    if ('cause' in outcome) {
      if (isLast) throw unreachable(connection, attempt, outcome.cause)
    } else if (outcome.response.status < 500 || isLast) {
      return readAnswer(outcome.response, outcome.text) as EndpointTypes[Name]['output']
    }
    await sleep(125 * 2 ** attempt * (0.5 + Math.random() / 2), signal)
  }
}

function toFailure(cause: unknown): { cause: unknown } {
  return { cause }
}

function unreachable(connection: Connection, attempts: number, cause: unknown): CountersignError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new CountersignError('ConnectionFailed', `The server at ${connection.serverUrl} cannot be reached.`, {
    reason: 'serverUnreachable',
    params: { url: connection.serverUrl },
    details: `Tried ${attempts} times; the last failure was: ${reason}. Check the network, that the server runs, that serverUrl is right, and that the server allows requests from this page's origin (CORS).`,
    cause,
  })
}

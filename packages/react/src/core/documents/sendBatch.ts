import { type BatchAnswer, type BatchRequest, CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { readReason } from '../http/sendRequest.ts'
import { request } from '../session/request.ts'

/** How many requests travel together. */
const size = 20

export type BatchItem = {
  readonly method: BatchRequest['method']
  readonly path: readonly string[]
  readonly body?: BatchRequest['body']
}

export type Outcome<Data> =
  | { readonly status: 'success'; readonly data: Data }
  | { readonly status: 'error'; readonly error: CountersignError }

/** Sends many requests in as few as possible; results have the same order. A transaction is never divided. */
export async function sendBatch(
  client: Client,
  items: readonly BatchItem[],
  { transaction, signal }: { transaction: boolean | undefined; signal: AbortSignal | undefined },
): Promise<Outcome<object>[]> {
  const mount = requireConnection(client).serverUrl.replace(/^\w+:\/\/[^/]+/, '')
  const requests = items.map(({ method, path, body }) => ({
    method,
    path: [mount, ...path.map(encodeURIComponent)].join('/'),
    ...(body && { body }),
  }))
  const step = transaction ? Math.max(requests.length, 1) : size
  const outcomes: Outcome<object>[] = []
  for (let start = 0; start < requests.length; start += step) {
    const part = requests.slice(start, start + step)
    const input = transaction ? { requests: part, transaction } : { requests: part }
    outcomes.push(...(await request(client, 'batch', input, { signal })).map(readOutcome))
  }
  return outcomes
}

function readOutcome(answer: BatchAnswer): Outcome<object> {
  if ('success' in answer) return { status: 'success', data: answer.success }
  const { code, error } = answer.error
  const details = 'The server rejected this request of a batch.'
  return { status: 'error', error: new CountersignError(code, error, { ...readReason(answer.error), details }) }
}

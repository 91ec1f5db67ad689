import type { Client } from '../client/Client.ts'
import { NotAuthenticatedError, untilAborted } from '../errors/errors.ts'
import { createUuid } from '../platform/platform.ts'
import { readerOf } from '../readings/readerOf.ts'

/** Ids of the server are of letters and digits alone. */
const mark = '~'

/** An id for a document that is being made. */
export function createTemporaryId(): string {
  return mark + createUuid()
}

/** The id that the server knows a document by, once it does. */
export function serverId({ internal }: Client, objectId: string): string {
  return objectId.startsWith(mark) ? (internal.madeIds.get(objectId) ?? objectId) : objectId
}

/** Temporary ids in the data to send. */
export function listTemporaryIds(value: unknown): readonly string[] {
  const quoted = JSON.stringify(value)?.match(/"~[0-9a-f-]{36}"/g) ?? []
  return [...new Set(quoted.map((id) => id.slice(1, -1)))]
}

/** Name of a document among the writes that wait: the same before and after it got its id. */
export function orderKey({ internal }: Client, objectId: string): string {
  return objectId.startsWith(mark) ? objectId : (internal.madeIds.get(objectId) ?? objectId)
}

/**
 * Sends writes of one document one after another, in the order of the calls: a retry keeps its place. Queued writes of
 * one user are not sent by the next.
 */
export function inOrder<Result>(
  client: Client,
  keys: readonly string[],
  signal: AbortSignal | undefined,
  send: (reader: string | undefined) => Promise<Result>,
): Promise<Result> {
  const { writes } = client.internal
  const before = keys.flatMap((key) => writes.get(key) ?? [])
  const reader = readerOf(client)
  const run = async () => {
    if (readerOf(client) !== reader) throw new NotAuthenticatedError('The user changed before this was saved')
    return send(reader)
  }
  const sent = before.length === 0 ? send(reader) : Promise.all(before).then(run)
  const done = sent.then(ignore, ignore)
  for (const key of keys) writes.set(key, done)
  void done.then(() => {
    for (const key of keys) if (writes.get(key) === done) writes.delete(key)
  })
  return signal && before.length > 0 ? untilAborted(() => sent, signal) : sent
}

function ignore(): void {}

import type { CountersignError, WireFields, WireValue, WireWhere } from '@countersign/protocol'
import { configStore } from '../../../config/config.ts'
import { ask } from '../ask.ts'

export type RowRequest = { method: 'POST' | 'PUT' | 'DELETE'; objectId?: string; body?: WireFields }
/** Refused requests by index. */
export type RowFailure = { place: number; message: string; code?: number }
type Progress = (done: number) => void

/** As many as the server carries out in one request. */
const batchLength = 50
const pageLength = 1_000

/** Sends many small changes, some at a time. One that is refused keeps none of the others. `ids` are those of new rows. */
export async function sendRows(
  className: string,
  requests: readonly RowRequest[],
  { onProgress, signal }: { onProgress?: Progress; signal?: AbortSignal } = {},
): Promise<{ done: number; ids: Map<number, string>; failures: RowFailure[] }> {
  const state = configStore.get()
  if (state.status !== 'ready') throw new Error('The configuration has not arrived yet.')
  const mount = new URL(state.config.serverUrl, window.location.href).pathname.replace(/\/$/, '')
  const path = `${mount}/classes/${encodeURIComponent(className)}`
  const failures: RowFailure[] = []
  const ids = new Map<number, string>()
  let done = 0
  for (let start = 0; start < requests.length && !signal?.aborted; start += batchLength) {
    const part = requests.slice(start, start + batchLength)
    const answers = await ask(
      'batch',
      {
        requests: part.map(({ method, objectId, body = {} }) => ({
          method,
          path: objectId === undefined ? path : `${path}/${encodeURIComponent(objectId)}`,
          body,
        })),
      },
      signal,
    )
    for (const [place, answer] of answers.entries()) {
      if ('error' in answer) {
        const { error: message, code } = answer.error
        failures.push({ place: start + place, message, code })
      } else {
        done++
        const { objectId } = Object(answer.success) as { objectId?: unknown }
        if (typeof objectId === 'string') ids.set(start + place, objectId)
      }
    }
    onProgress?.(start + part.length)
  }
  return { done, ids, failures }
}

/**
 * Reads the objects that meet conditions, page by page in the order of their ids: each page begins where the one before
 * ended, so that the last costs no more than the first.
 */
export async function* readRows(
  className: string,
  where: WireWhere,
  signal?: AbortSignal,
): AsyncGenerator<readonly WireFields[]> {
  for (let last = ''; ; ) {
    const further = (last === '' ? where : { $and: [where, { objectId: { $gt: last } }] }) as WireWhere
    const { results } = await ask(
      'findObjects',
      { className, where: further, order: 'objectId', limit: pageLength },
      signal,
    )
    const rows = results as WireFields[]
    if (rows.length > 0) yield rows
    const end = rows.at(-1)
    if (!end || rows.length < pageLength) return
    last = String(end.objectId)
  }
}

/** The first so many of them. */
export async function readSome(className: string, where: WireWhere, most: number): Promise<WireFields[]> {
  const all: WireFields[] = []
  for await (const rows of readRows(className, where)) {
    all.push(...rows)
    if (all.length >= most) break
  }
  return all.slice(0, most)
}

/** Change that restores a field's value. */
export const backTo = (value: WireValue | undefined): WireValue => (value === undefined ? { __op: 'Delete' } : value)

/** Input that creates a deleted document again, with its id, because others point to it. */
export function toCreate(row: WireFields): WireFields {
  const kept = Object.entries(row).filter(
    ([name, value]) =>
      !['createdAt', 'updatedAt', 'className', '__type'].includes(name) &&
      !(typeof value === 'object' && value !== null && Reflect.get(value, '__type') === 'Relation'),
  )
  return Object.fromEntries(kept)
}

export const messageOf = (error: unknown) => (error as CountersignError).message

import type { WireFields } from '@countersign/protocol'
import { changeDocument, type Fields } from '../documents/assign.ts'
import type { EncodedInput } from '../documents/SaveOptions.ts'
import { decode } from '../values/decode.ts'
import { encodeFields } from '../values/encode.ts'
import type { QueuedWrite, WritePart } from './QueuedWrite.ts'

/** Documents of a class by their ids. */
export type Rows = ReadonlyMap<string, WireFields>

/** Documents of a class with the queued writes on top; refused ones are left out. */
export function applyWrites(className: string, rows: Rows, writes: readonly QueuedWrite[]): Rows {
  const view = new Map(rows)
  for (const { parts, at, error, failedWith } of writes) {
    if (error || failedWith) continue
    for (const part of parts) if (part.className === className) applyPart(view, part, at)
  }
  return view
}

function applyPart(view: Map<string, WireFields>, { kind, objectId, fields = {} }: WritePart, at: number): void {
  const before = view.get(objectId)
  if (kind === 'delete') view.delete(objectId)
  else if (kind === 'create') {
    const now = new Date(at).toISOString()
    view.set(objectId, changeRow({ objectId, createdAt: now, updatedAt: now }, fields))
  } else if (before) view.set(objectId, changeRow({ ...before, updatedAt: laterThan(before, at) }, fields))
}

/** Time of a change: later than the document's own, so that copies made before it count as older. */
function laterThan({ updatedAt }: WireFields, at: number): string {
  return new Date(Math.max(at, Date.parse(String(updatedAt)) + 1)).toISOString()
}

/** The document after a change, as the server will probably have it. */
export function changeRow(row: WireFields, fields: EncodedInput): WireFields {
  return encodeFields(changeDocument(decode(row) as Fields, fields) as Parameters<typeof encodeFields>[0])
}

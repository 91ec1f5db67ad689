import { readDocument } from '../documents/readDocument.ts'
import { keepIdentity } from '../keepIdentity.ts'
import type { Row } from './readOrder.ts'
import type { LivePlan } from './readPlan.ts'

/** Turns rows into the frozen snapshots that are shown; what did not change stays the very same object. */
export function createDocuments({ className, hidden }: LivePlan): (rows: readonly Row[]) => readonly unknown[] {
  let known = new Map<string, { readonly row: Row; readonly document: unknown }>()
  let shown: readonly unknown[] = Object.freeze([])
  return (rows) => {
    const entries = rows.map((row) => {
      const former = known.get(row.objectId)
      if (former?.row === row) return [row.objectId, former] as const
      const fields = Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name)))
      const document = keepIdentity(former?.document, readDocument<unknown>(className, fields))
      return [row.objectId, { row, document }] as const
    })
    known = new Map(entries)
    shown = keepIdentity(shown, Object.freeze(entries.map(([, { document }]) => document)))
    return shown
  }
}

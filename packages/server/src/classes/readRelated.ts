import type { Change } from './Change.ts'

/** Ids that come into a relation and ids that leave it. Of several operations on one id the last counts. */
export type Related = { added: string[]; removed: string[] }

export function readRelated(changes: Change[]): Map<string, Related> {
  const last = new Map<string, Map<string, boolean>>()
  for (const change of changes) {
    if ((change.kind !== 'relate' && change.kind !== 'unrelate') || change.objects.length === 0) continue
    const ids = last.get(change.field) ?? new Map<string, boolean>()
    last.set(change.field, ids)
    for (const { objectId } of change.objects) ids.set(objectId, change.kind === 'relate')
  }
  const related = new Map<string, Related>()
  for (const [field, ids] of last) {
    const listed = (isAdded: boolean) => [...ids].filter(([, added]) => added === isAdded).map(([id]) => id)
    related.set(field, { added: listed(true), removed: listed(false) })
  }
  return related
}

import type { Activity } from '@countersign/react/account'

export type Undoable = {
  id: string
  kind: 'unlinkWallet' | 'merge'
  objectId: string
  /** The wallet's address, or the name of the account that was merged. */
  name: string
  until: Date
}

const undoneBy = { unlinkWallet: ['restoreWallet', 'linkWallet'], merge: ['undoMerge'] } as const

/** Recent acts that can still be undone, from the account's activity, newest first. */
export function listUndoable(activity: readonly Activity[], now: number): Undoable[] {
  const found: Undoable[] = []
  for (const one of activity) {
    const undoable = read(one)
    if (!undoable || undoable.until.getTime() <= now) continue
    const isUndone = activity.some((other) => other.at >= one.at && undoes(other, undoable))
    if (!isUndone) found.push(undoable)
  }
  return found
}

function read({ id, action, details }: Activity): Undoable | undefined {
  if (action === 'unlinkWallet') {
    const { objectId, address, undoUntil } = details
    if (typeof objectId !== 'string' || typeof address !== 'string' || typeof undoUntil !== 'string') return undefined
    return { id, kind: action, objectId, name: address, until: new Date(undoUntil) }
  }
  if (action === 'merge') {
    const { merge, username, undoUntil } = details
    if (typeof merge !== 'string' || typeof undoUntil !== 'string') return undefined
    return { id, kind: action, objectId: merge, name: String(username), until: new Date(undoUntil) }
  }
  return undefined
}

function undoes({ action, details }: Activity, { kind, objectId, name }: Undoable): boolean {
  const actions: readonly string[] = undoneBy[kind]
  return actions.includes(action) && (Object.values(details).includes(objectId) || details.address === name)
}

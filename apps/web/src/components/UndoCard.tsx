import { type CountersignError, shortenAddress, useActivity, useRestoreWallet, useUndoMerge } from '@countersign/react'
import { useEffect, useReducer } from 'react'
import { describeError } from '../lib/describeError.ts'
import { listUndoable, type Undoable } from '../lib/listUndoable.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { toasts } from '../lib/toasts.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { RelativeTime } from './RelativeTime.tsx'

/** What was unlinked or merged of late, for as long as it can be taken back; nothing otherwise. */
export function UndoCard({ onStepUp }: { onStepUp: (again: () => void) => void }) {
  const activity = useActivity()
  const { restoreWallet, status: restoring } = useRestoreWallet()
  const { undoMerge, status: undoing } = useUndoMerge()
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(refresh, 15_000)
    return () => clearInterval(timer)
  }, [])
  const list = activity.status === 'success' ? listUndoable(activity.data, Date.now()) : []
  if (list.length === 0) return null

  const undo = (one: Undoable) => {
    const { kind, objectId, name } = one
    const act = kind === 'merge' ? undoMerge : restoreWallet
    const done = kind === 'merge' ? `${name} is an account of its own again.` : `${shortenAddress(name)} is back.`
    void act(
      { objectId },
      {
        onSuccess: () => toasts.add(done, 'ok'),
        onError: (error: CountersignError) =>
          needsStepUp(error) ? onStepUp(() => undo(one)) : toasts.add(describeError(error).message, 'danger'),
      },
    )
  }
  return (
    <Card aria-labelledby="undoable">
      <CardHeader id="undoable" title="Can still be undone" />
      <ul className="-my-4 divide-y divide-line">
        {list.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
            <p className="min-w-0 flex-1 basis-56 text-sm">
              <span className="font-semibold break-words">
                {one.kind === 'merge' ? one.name : shortenAddress(one.name)}
              </span>{' '}
              {one.kind === 'merge' ? 'was merged into your account.' : 'was unlinked.'}{' '}
              <span className="text-muted">
                The way back closes <RelativeTime date={one.until} />.
              </span>
            </p>
            <Button
              look="secondary"
              pending={restoring === 'pending' || undoing === 'pending'}
              onClick={() => undo(one)}
              aria-label={`Undo: ${one.name}`}
            >
              Undo
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

import { type CountersignError, shortenAddress, useActivity, useRestoreWallet, useUndoMerge } from '@countersign/react'
import { useEffect, useReducer, useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { listUndoable, type Undoable } from '../lib/listUndoable.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { say } from '../lib/say.ts'
import { serverClock } from '../lib/serverClock.ts'
import { toasts } from '../lib/toasts.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { Phrase } from './Phrase.tsx'
import { RelativeTime } from './RelativeTime.tsx'

/** What was unlinked or merged of late, for as long as it can be taken back; nothing otherwise. */
export function UndoCard({ onStepUp }: { onStepUp: (again: () => void) => void }) {
  const activity = useActivity()
  const { restoreWallet } = useRestoreWallet()
  const { undoMerge } = useUndoMerge()
  const [busy, setBusy] = useState<string>()
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(refresh, 15_000)
    return () => clearInterval(timer)
  }, [])
  const list = listUndoable(activity.data ?? [], serverClock.now())
  if (list.length === 0) return null

  const undo = (one: Undoable) => {
    const { kind, objectId, name } = one
    const act = kind === 'merge' ? undoMerge : restoreWallet
    const done =
      kind === 'merge'
        ? say('{name} is an account of its own again.', { name })
        : say('{name} is back.', { name: shortenAddress(name) })
    setBusy(one.id)
    void act(
      { objectId },
      {
        onSuccess: () => toasts.add(done, 'ok'),
        onError: (error: CountersignError) =>
          needsStepUp(error) ? onStepUp(() => undo(one)) : toasts.add(describeError(error).message, 'danger'),
      },
    ).finally(() => setBusy(undefined))
  }
  return (
    <Card aria-labelledby="undoable">
      <CardHeader id="undoable" title={say('Can still be undone')} />
      <ul className="-my-4 divide-y divide-line">
        {list.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
            <p className="min-w-0 flex-1 basis-56 text-sm">
              {one.kind === 'merge' ? (
                <Phrase text="{account} was merged into your account." values={{ account: <Name>{one.name}</Name> }} />
              ) : (
                <Phrase text="{wallet} was unlinked." values={{ wallet: <Name>{shortenAddress(one.name)}</Name> }} />
              )}{' '}
              <span className="text-muted">
                <Phrase text="The way back closes {time}." values={{ time: <RelativeTime date={one.until} /> }} />
              </span>
            </p>
            <Button
              look="secondary"
              pending={busy === one.id}
              onClick={() => undo(one)}
              aria-label={say('Undo: {name}', { name: one.name })}
            >
              {say('Undo')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Name({ children }: { children: string }) {
  return <span className="font-semibold break-words">{children}</span>
}

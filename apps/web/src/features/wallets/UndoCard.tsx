import type { CountersignError } from '@countersign/react'
import { useActivity, useRestoreWallet, useUndoAccountMerge } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { useEffect, useReducer, useState } from 'react'
import { needsStepUp } from '../../account/signIn/useConfirmation.ts'
import { serverClock } from '../../config/serverClock.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { listUndoable, type Undoable } from './listUndoable.ts'

/** Recently unlinked wallets and merges, while they can be undone; nothing otherwise. */
export function UndoCard({ onStepUp }: { onStepUp: (again: () => void) => void }) {
  const activity = useActivity()
  const { restoreWallet } = useRestoreWallet()
  const { undoAccountMerge: undoMerge } = useUndoAccountMerge()
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
    const done =
      kind === 'merge'
        ? t('Merge undone. {name} is a separate account again.', { name })
        : t('{name} restored.', { name: shortenAddress(name) })
    setBusy(one.id)
    const callbacks = {
      onSuccess: () => toasts.add(done, 'ok'),
      onError: (error: CountersignError) =>
        needsStepUp(error) ? onStepUp(() => undo(one)) : toasts.add(describeError(error).message, 'danger'),
    }
    const acting: Promise<unknown> =
      kind === 'merge' ? undoMerge({ objectId }, callbacks) : restoreWallet({ objectId }, callbacks)
    void acting.finally(() => setBusy(undefined))
  }
  return (
    <Card aria-labelledby="undoable">
      <CardHeader id="undoable" title={t('Recent changes you can undo')} />
      <ul className="-my-4 divide-y divide-line">
        {list.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
            <p className="min-w-0 flex-1 basis-56 text-sm">
              {one.kind === 'merge' ? (
                <Trans text="{account} was merged into your account." values={{ account: <Name>{one.name}</Name> }} />
              ) : (
                <Trans text="{wallet} was unlinked." values={{ wallet: <Name>{shortenAddress(one.name)}</Name> }} />
              )}{' '}
              <span className="text-muted">
                <Trans text="Undo expires {time}." values={{ time: <RelativeTime date={one.until} /> }} />
              </span>
            </p>
            <Button
              look="secondary"
              pending={busy === one.id}
              onClick={() => undo(one)}
              aria-label={t('Undo: {name}', { name: one.name })}
            >
              {t('Undo')}
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

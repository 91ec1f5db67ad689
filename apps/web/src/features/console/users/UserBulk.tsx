import type { ConsoleUserRow } from '@countersign/protocol'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { useAct, useConsole } from '../ask.ts'

type Change = 'signOutUser' | 'disableUser' | 'enableUser' | 'scheduleUserDeletion'
type Props = { users: readonly ConsoleUserRow[]; onClear: () => void; onChanged: () => void }

/** Changes of all selected users, one request each, so that the audit log has an entry for each account. */
export function UserBulk({ users, onClear, onChanged }: Props) {
  const { role } = useConsole()
  const act = useAct()
  const [change, setChange] = useState<Change>()
  const [done, setDone] = useState<number>()
  // The server refuses both for operators.
  const plain = users.filter(({ operator }) => operator === undefined)
  const targets = change === 'signOutUser' && role === 'admin' ? users : plain
  const run = async () => {
    if (!change) return
    let count = 0
    for (const { objectId } of targets) {
      setDone(count)
      if ((await act(change, { objectId })) === undefined) break
      count += 1
    }
    setDone(undefined)
    setChange(undefined)
    if (count > 0) toasts.add(t('{count, plural, one {# user changed} other {# users changed}}', { count }), 'ok')
    onChanged()
  }
  const texts = change && describeChange(change, targets.length)
  if (users.length === 0) return null
  return (
    // Below the rows, where it moves none of them, and in sight in a long list.
    <div className="sticky bottom-0 z-20 flex flex-wrap items-center gap-2 rounded-b-card border-t border-line bg-accent-soft px-4 py-2">
      <p role="status" className="me-auto text-sm font-semibold">
        {t('{count, plural, one {# user selected} other {# users selected}}', { count: users.length })}
      </p>
      <Button look="secondary" onClick={() => setChange('signOutUser')}>
        {t('End sessions')}
      </Button>
      <Button look="secondary" onClick={() => setChange('enableUser')}>
        {t('Enable')}
      </Button>
      <Button look="danger-quiet" onClick={() => setChange('disableUser')}>
        {t('Disable')}
      </Button>
      {role === 'admin' && (
        <Button look="danger-quiet" onClick={() => setChange('scheduleUserDeletion')}>
          {t('Delete')}
        </Button>
      )}
      <Button look="ghost" onClick={onClear}>
        {t('Clear selection')}
      </Button>
      {texts && (
        <ConfirmDialog
          open
          onOpenChange={() => done === undefined && setChange(undefined)}
          title={texts.title}
          description={targets.length < users.length ? `${texts.text} ${t('Operators are left out.')}` : texts.text}
          confirm={texts.confirm}
          danger={change !== 'enableUser' && change !== 'signOutUser'}
          pending={done !== undefined}
          onConfirm={() => void run()}
        />
      )}
    </div>
  )
}

function describeChange(change: Change, count: number): { title: string; text: string; confirm: string } {
  switch (change) {
    case 'signOutUser':
      return {
        title: t('{count, plural, one {End the sessions of # user?} other {End the sessions of # users?}}', { count }),
        text: t('Signs them out of all devices.'),
        confirm: t('End sessions'),
      }
    case 'enableUser':
      return {
        title: t('{count, plural, one {Enable # user?} other {Enable # users?}}', { count }),
        text: t('They can sign in again.'),
        confirm: t('Enable'),
      }
    case 'disableUser':
      return {
        title: t('{count, plural, one {Disable # user?} other {Disable # users?}}', { count }),
        text: t('Signs them out of all devices. No sign-in method works until you enable the accounts again.'),
        confirm: t('Disable'),
      }
    case 'scheduleUserDeletion':
      return {
        title: t('{count, plural, one {Delete # user?} other {Delete # users?}}', { count }),
        text: t('The accounts are locked now and deleted after the grace period. You can undo it until then.'),
        confirm: t('Delete'),
      }
  }
}

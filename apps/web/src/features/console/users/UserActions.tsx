import type { ConsoleUserRecord } from '@countersign/protocol'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { impersonation } from '../../../account/impersonation.ts'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { downloadText } from '../../../ui/downloadText.ts'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { type AskName, useAct, useConsole } from '../ask.ts'

type Question = {
  title: string
  text: string
  confirm: string
  typed?: string
  danger?: boolean
  run: () => Promise<void>
}

/** Actions of the operator. The server decides; actions that the role forbids are not offered. */
export function UserActions({ user, onChanged }: { user: ConsoleUserRecord; onChanged: () => void }) {
  const { role } = useConsole()
  const act = useAct()
  const [question, setQuestion] = useState<Question>()
  const [pending, setPending] = useState(false)
  const { objectId, username, status, email, emailVerified, operator } = user
  if (role === 'viewer' || (role === 'support' && operator)) return null

  const run = async (name: AskName, done: string) => {
    if ((await act(name, { objectId } as never)) === undefined) return
    toasts.add(done, 'ok')
    onChanged()
  }
  const confirm = async () => {
    setPending(true)
    await question?.run()
    setPending(false)
    setQuestion(undefined)
  }
  const impersonate = async () => {
    const begun = await act('impersonateUser', { objectId })
    if (!begun) return
    impersonation.begin({ ...begun.user, expiresAt: begun.expiresAt })
  }
  const download = async () => {
    const exported = await act('exportConsoleUser', { objectId })
    if (exported) downloadText(`${objectId}.json`, 'application/json', JSON.stringify(exported, null, 1))
  }
  const button = (label: string, onClick: () => void, look: 'secondary' | 'danger-quiet' = 'secondary'): ReactNode => (
    <Button key={label} look={look} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <Card aria-labelledby="actions">
      <CardHeader id="actions" title={t('Actions')} />
      <div className="flex flex-wrap gap-2">
        {button(t('Sign out everywhere'), () =>
          setQuestion({
            title: t('Sign {name} out everywhere?', { name: username }),
            text: t('Signs this user out of all devices.'),
            confirm: t('Sign out everywhere'),
            run: () => run('signOutUser', t('All devices were signed out.')),
          }),
        )}
        {email &&
          !emailVerified &&
          button(t('Verify email'), () => void run('verifyUserEmail', t('Email address verified')))}
        {email && button(t('Send password reset'), () => void run('sendUserReset', t('Password reset link sent')))}
        {status === 'disabled' && button(t('Enable'), () => void run('enableUser', t('Account enabled')))}
        {role === 'admin' && (
          <>
            {!operator &&
              status === 'active' &&
              button(t('Impersonate'), () =>
                setQuestion({
                  title: t('Impersonate {name}?', { name: username }),
                  text: t(
                    'You see the application as this user for up to one hour. The audit log and the user’s activity record this.',
                  ),
                  confirm: t('Impersonate'),
                  run: impersonate,
                }),
              )}
            {button(t('Export data'), () => void download())}
          </>
        )}
        {!operator &&
          status === 'active' &&
          button(
            t('Disable'),
            () =>
              setQuestion({
                title: t('Disable {name}?', { name: username }),
                text: t('Signs out all devices. No sign-in method works until you enable the account again.'),
                confirm: t('Disable'),
                danger: true,
                run: () => run('disableUser', t('Account disabled')),
              }),
            'danger-quiet',
          )}
        {role === 'admin' && <Deletion user={user} onAsk={setQuestion} onChanged={onChanged} />}
      </div>
      {question && (
        <ConfirmDialog
          open
          onOpenChange={() => setQuestion(undefined)}
          title={question.title}
          description={question.text}
          confirm={question.confirm}
          typed={question.typed}
          danger={question.danger}
          pending={pending}
          onConfirm={() => void confirm()}
        />
      )}
    </Card>
  )
}

type DeletionProps = { user: ConsoleUserRecord; onAsk: (question: Question) => void; onChanged: () => void }

/** Deletes an account after the grace period, undoes that, or deletes it at once. */
function Deletion({ user: { objectId, username, status, operator, isUndoable }, onAsk, onChanged }: DeletionProps) {
  const act = useAct()
  const navigate = useNavigate()
  const undo = async () => {
    if ((await act('undoUserDeletion', { objectId })) === undefined) return
    toasts.add(t('Deletion undone'), 'ok')
    onChanged()
  }
  const schedule = async () => {
    const scheduled = await act('scheduleUserDeletion', { objectId })
    if (!scheduled) return
    const time = formatTime(new Date(scheduled.deletedAt))
    toasts.add(t('{name} will be deleted: {time}', { name: username, time }), 'ok', {
      label: t('Undo'),
      run: () => void undo(),
    })
    onChanged()
  }
  const remove = async () => {
    if ((await act('deleteConsoleUser', { objectId })) === undefined) return
    toasts.add(t('User deleted'), 'ok')
    void navigate('/admin/users')
  }
  const title = t('Delete {name}?', { name: username })
  const askLater = () =>
    onAsk({
      title,
      text: t('The account is locked now and deleted after the grace period. You can undo it until then.'),
      confirm: t('Delete'),
      danger: true,
      run: schedule,
    })
  const askNow = () =>
    onAsk({
      title,
      text: t('This permanently deletes the account. Export its data first if you might need it.'),
      confirm: t('Delete permanently'),
      typed: username,
      danger: true,
      run: remove,
    })
  return (
    <>
      {isUndoable && (
        <Button look="secondary" onClick={() => void undo()}>
          {t('Undo deletion')}
        </Button>
      )}
      {!operator && (
        <Button look="danger-quiet" onClick={status === 'deleting' ? askNow : askLater}>
          {status === 'deleting' ? t('Delete permanently') : t('Delete')}
        </Button>
      )}
    </>
  )
}

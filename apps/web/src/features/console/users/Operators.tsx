import type { OperatorRecord, OperatorRole } from '@countersign/protocol'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Facts } from '../../../ui/DetailRow.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { ChipSelect } from '../../../ui/forms/ChipSelect.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useAct, useAsk } from '../ask.ts'
import { describeRole } from './describeUser.ts'

const roles: readonly OperatorRole[] = ['admin', 'support', 'viewer']
const roleOptions = () => roles.map((role) => [role, describeRole(role)] as const)
const readRole = (value: string) => roles.find((role) => role === value) ?? 'viewer'

/** Operators of the console. */
export function Operators() {
  const operators = useAsk('listOperators', {})
  return (
    <>
      <PageHeader title={t('Operators')}>
        {t('Administrators have full access, support helps users, viewers can only read.')}
      </PageHeader>
      <ReadingStatus reading={operators} failure={t('The operators could not be loaded')} always />
      {operators.data && (
        <div className="flex flex-col gap-6">
          <Card>
            <ul className="-my-3 divide-y divide-line">
              {operators.data.results.map((operator) => (
                <OperatorRow key={operator.objectId} operator={operator} onChanged={operators.refetch} />
              ))}
            </ul>
          </Card>
          <AddOperator onChanged={operators.refetch} />
        </div>
      )}
    </>
  )
}

function OperatorRow({ operator, onChanged }: { operator: OperatorRecord; onChanged: () => void }) {
  const act = useAct()
  const { objectId, username, email, role, since, secondFactor } = operator
  const change = async (next: string) => {
    if (await act('setOperator', { objectId, role: readRole(next) })) toasts.add(t('Role changed'), 'ok')
    onChanged()
  }
  const remove = async () => {
    if (await act('removeOperator', { objectId })) toasts.add(t('Operator removed'), 'ok')
    onChanged()
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-2">
          <Link to={`/admin/users/${objectId}`} className="font-semibold wrap-anywhere hover:underline">
            <bdi>{username}</bdi>
          </Link>
          {!secondFactor && <Badge tone="warn">{t('No second factor')}</Badge>}
        </div>
        <p className="text-sm text-muted wrap-anywhere">
          <Facts items={[email, <RelativeTime key="since" date={new Date(since)} />]} />
        </p>
      </div>
      <ChipSelect
        label={t('Role of {name}', { name: username })}
        value={role}
        options={roleOptions()}
        onChange={(next) => void change(next)}
      />
      <Button look="danger-quiet" onClick={() => void remove()} aria-label={t('Remove {name}', { name: username })}>
        {t('Remove')}
      </Button>
    </li>
  )
}

function AddOperator({ onChanged }: { onChanged: () => void }) {
  const act = useAct()
  const [role, setRole] = useState<OperatorRole>('viewer')
  const [link, setLink] = useState<string>()
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const objectId = String(new FormData(form).get('user') ?? '').trim()
    if (objectId === '' || !(await act('setOperator', { objectId, role }))) return
    form.reset()
    toasts.add(t('Operator added'), 'ok')
    onChanged()
  }
  const create = async () => setLink((await act('createOperatorLink', { role }))?.url)
  return (
    <Card aria-labelledby="add">
      <CardHeader id="add" title={t('Add operator')}>
        {t('The first person to open the link becomes an operator. The link works once and expires after 24 hours.')}
      </CardHeader>
      <form onSubmit={(event) => void add(event)} className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-52">
          <TextField label={t('User ID')} name="user" maxLength={64} autoComplete="off" />
        </div>
        <ChipSelect
          label={t('Role')}
          value={role}
          options={roleOptions()}
          onChange={(next) => setRole(readRole(next))}
        />
        <Button type="submit">{t('Add')}</Button>
        <Button look="secondary" onClick={() => void create()}>
          {t('Create link')}
        </Button>
      </form>
      {link && (
        <p className="mt-4 flex items-start gap-2 rounded-control bg-sunken p-4">
          <code dir="ltr" className="min-w-0 flex-1 text-xs break-all">
            {link}
          </code>
          <CopyButton text={link} label={t('Copy link')} />
        </p>
      )}
    </Card>
  )
}

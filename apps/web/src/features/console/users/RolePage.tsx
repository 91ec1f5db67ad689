import type { ConsoleRoleRecord, ConsoleRoleRow, RoleMemberRecord } from '@countersign/protocol'
import { ArrowLeft, Plus, UserRound, UsersRound, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, ButtonLink, IconButton } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Detail, DetailList } from '../../../ui/DetailRow.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useAct, useAsk, useConsole } from '../ask.ts'
import { PagedList } from '../PagedList.tsx'
import { useChange } from '../useChange.ts'
import { describeMembers } from './describeUser.ts'
import { RolePicker } from './RolePicker.tsx'
import { UserPicker } from './UserPicker.tsx'

type Relation = 'users' | 'roles'
/** Adds to a relation of the role, or removes from it. Resolves to true on success. */
type Change = (relation: Relation, kind: 'AddRelation' | 'RemoveRelation', objectId: string) => Promise<boolean>

/** One role: its members, the roles below and above it, and who may change it. */
export function RolePage() {
  const { objectId = '' } = useParams()
  const role = useAsk('getConsoleRole', { objectId })
  return (
    <>
      <ButtonLink to="/admin/roles" look="ghost" className="-ms-3 mb-2">
        <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
        {t('All roles')}
      </ButtonLink>
      <ReadingStatus reading={role} failure={t('The role could not be loaded')} titled />
      {role.data && <RoleCards key={objectId} role={role.data} onChanged={role.refetch} />}
    </>
  )
}

function RoleCards({ role, onChanged }: { role: ConsoleRoleRecord; onChanged: () => void }) {
  const { objectId, name, users, isMore } = role
  const act = useAct()
  const isAdmin = useConsole().role === 'admin'
  // Lists are read again after a change: the round is part of their key.
  const [round, setRound] = useState(0)
  const change: Change = async (relation, kind, related) => {
    const objects = [{ __type: 'Pointer', className: relation === 'users' ? '_User' : '_Role', objectId: related }]
    const saved = await act('updateObject', { className: '_Role', objectId, [relation]: { __op: kind, objects } })
    if (!saved) return false
    toasts.add(t('Role changed'), 'ok')
    setRound(round + 1)
    onChanged()
    return true
  }
  return (
    <>
      <PageHeader title={name}>
        <span className="inline-flex flex-wrap items-center gap-1">
          <code className="text-sm">{objectId}</code>
          <CopyButton text={objectId} label={t('Copy ID')} />
          <Badge>{describeMembers(users, isMore)}</Badge>
        </span>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Members role={role} round={round} change={isAdmin ? change : undefined} />
        <Children role={role} round={round} change={isAdmin ? change : undefined} />
        <Card aria-labelledby="about">
          <CardHeader id="about" title={t('About this role')} />
          <DetailList>
            <Detail name={t('Created')}>{formatTime(new Date(role.createdAt))}</Detail>
            <Detail name={t('Roles above')}>
              {role.parents.length === 0 && t('None')}
              <span className="flex flex-wrap gap-x-3">
                {role.parents.map((parent) => (
                  <Link key={parent.objectId} to={`/admin/roles/${parent.objectId}`} className="text-accent underline">
                    {parent.name}
                  </Link>
                ))}
              </span>
            </Detail>
            <Detail name={t('Can be read by')}>{describeEntries(role.readers)}</Detail>
            <Detail name={t('Can be changed by')}>{describeEntries(role.writers)}</Detail>
          </DetailList>
        </Card>
        {isAdmin && <DeleteRole role={role} />}
      </div>
    </>
  )
}

function describeEntries(entries: readonly string[]): string {
  if (entries.length === 0) return t('Only operators and the master key')
  return entries.map((entry) => (entry === '*' ? t('Everyone') : entry)).join(', ')
}

type ListProps = { role: ConsoleRoleRecord; round: number; change: Change | undefined }

function Members({ role: { objectId, name }, round, change }: ListProps) {
  const [isAdding, setAdding] = useState(false)
  const [search, setSearch] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSearch(String(new FormData(event.currentTarget).get('search') ?? '').trim())
  }
  return (
    <section aria-labelledby="members">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 id="members" className="flex-1 text-lg">
          {t('Members')}
        </h2>
        <form onSubmit={submit} className="min-w-0 flex-1 basis-52">
          <input
            type="search"
            name="search"
            maxLength={200}
            aria-label={t('Search members')}
            placeholder={t('Search members')}
            className={inputClass}
          />
        </form>
        {change && (
          <Button look="secondary" onClick={() => setAdding(true)}>
            <Plus size={18} aria-hidden="true" />
            {t('Add member')}
          </Button>
        )}
      </div>
      <PagedList
        key={`${search} ${round}`}
        label={t('Members')}
        name="listRoleMembers"
        input={(after) => ({ objectId, search, ...(after !== undefined && { after }) })}
        read={({ results, next }) => ({ items: results, next })}
        row={(member) => <Member key={member.objectId} member={member} role={name} change={change} />}
        failure={t('The members could not be loaded')}
        empty={{ icon: UserRound, title: t('No members') }}
      />
      {isAdding && change && (
        <Dialog open onOpenChange={() => setAdding(false)} title={t('Add member')}>
          <UserPicker
            label={t('Find a user')}
            onPick={async (picked) => {
              if (await change('users', 'AddRelation', picked.objectId)) setAdding(false)
            }}
          />
        </Dialog>
      )}
    </section>
  )
}

type MemberProps = { member: RoleMemberRecord; role: string; change: Change | undefined }

function Member({ member: { objectId, username, email, isGated }, role, change }: MemberProps) {
  const [isAsking, setAsking] = useState(false)
  const [pending, setPending] = useState(false)
  const remove = async () => {
    setPending(true)
    await change?.('users', 'RemoveRelation', objectId)
    setPending(false)
    setAsking(false)
  }
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <Link to={`/admin/users/${objectId}`} className="font-semibold wrap-anywhere">
          <bdi>{username}</bdi>
        </Link>
        {email && (
          <p className="text-sm text-muted wrap-anywhere">
            <bdi>{email}</bdi>
          </p>
        )}
      </div>
      {/* A gate would bring back at once whom somebody takes out by hand. */}
      {isGated && <Badge tone="accent">{t('By token gate')}</Badge>}
      {change && !isGated && (
        <IconButton label={t('Remove {name}', { name: username })} onClick={() => setAsking(true)}>
          <X size={18} aria-hidden="true" />
        </IconButton>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('Remove {name}?', { name: username })}
        description={t('They lose the access that the role {name} gives.', { name: role })}
        confirm={t('Remove')}
        danger
        pending={pending}
        onConfirm={() => void remove()}
      />
    </li>
  )
}

function Children({ role: { objectId, name }, round, change }: ListProps) {
  const [isAdding, setAdding] = useState(false)
  return (
    <section aria-labelledby="below">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 id="below" className="flex-1 text-lg">
          {t('Roles below')}
        </h2>
        {change && (
          <Button look="secondary" onClick={() => setAdding(true)}>
            <Plus size={18} aria-hidden="true" />
            {t('Add role')}
          </Button>
        )}
      </div>
      <PagedList
        key={round}
        label={t('Roles below')}
        name="listConsoleRoles"
        input={(after) => ({ parent: objectId, ...(after !== undefined && { after }) })}
        read={({ results, next }) => ({ items: results, next })}
        row={(child) => <Child key={child.objectId} child={child} change={change} />}
        failure={t('The roles could not be loaded')}
        empty={{ icon: UsersRound, title: t('No roles below this one') }}
      />
      {isAdding && change && (
        <Dialog
          open
          onOpenChange={() => setAdding(false)}
          title={t('Add role')}
          description={t('Its members also get the role {name}.', { name })}
        >
          <RolePicker
            onPick={async (picked) => {
              if (await change('roles', 'AddRelation', picked)) setAdding(false)
            }}
          />
        </Dialog>
      )}
    </section>
  )
}

function Child({ child, change }: { child: ConsoleRoleRow; change: Change | undefined }) {
  const { objectId, name, users, isMore } = child
  return (
    <li className="flex items-center gap-3 py-2">
      <Link to={`/admin/roles/${objectId}`} className="min-w-0 flex-1 font-semibold wrap-anywhere">
        <bdi>{name}</bdi>
      </Link>
      <Badge>{describeMembers(users, isMore)}</Badge>
      {change && (
        <IconButton
          label={t('Remove {name}', { name })}
          onClick={() => void change('roles', 'RemoveRelation', objectId)}
        >
          <X size={18} aria-hidden="true" />
        </IconButton>
      )}
    </li>
  )
}

function DeleteRole({ role: { objectId, name } }: { role: ConsoleRoleRecord }) {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const { pending, change } = useChange()
  const remove = async () => {
    if (await change('deleteObject', { className: '_Role', objectId }, t('Role deleted'))) void navigate('/admin/roles')
  }
  return (
    <Card tone="danger" aria-labelledby="delete">
      <CardHeader
        id="delete"
        title={t('Delete role')}
        aside={
          <Button look="danger-quiet" onClick={() => setAsking(true)}>
            {t('Delete')}
          </Button>
        }
      >
        {t('Members lose the access this role gives. Access lists keep the role’s name.')}
      </CardHeader>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('Delete role?')}
        description={t('This can’t be undone.')}
        confirm={t('Delete permanently')}
        danger
        pending={pending}
        typed={name}
        onConfirm={() => void remove()}
      />
    </Card>
  )
}

import type { ConsoleRoleRow } from '@countersign/protocol'
import { ChevronRight, Plus, Repeat2, UsersRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link, Route, Routes, useNavigate, useSearchParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { lazyPart } from '../../../ui/lazyPart.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useAsk, useConsole } from '../ask.ts'
import { PagedList } from '../PagedList.tsx'
import { SearchForm } from '../SearchForm.tsx'
import { useChange } from '../useChange.ts'
import { describeMembers } from './describeUser.ts'

const RolePage = lazyPart(async () => (await import('./RolePage.tsx')).RolePage)

export function Roles() {
  return (
    <Routes>
      <Route index element={<RoleTree />} />
      <Route path=":objectId" element={<RolePage />} />
    </Routes>
  )
}

/** Roles of the application: those without a parent, and below each the roles whose members hold it too. */
function RoleTree() {
  const [parameters, setParameters] = useSearchParams()
  const isAdmin = useConsole().role === 'admin'
  const [isCreating, setCreating] = useState(false)
  const search = parameters.get('search') ?? ''
  return (
    <>
      <PageHeader
        title={t('Roles')}
        aside={
          isAdmin && (
            <Button onClick={() => setCreating(true)}>
              <Plus size={18} aria-hidden="true" />
              {t('Create role')}
            </Button>
          )
        }
      >
        {t('Members of a role also have the roles above it.')}
      </PageHeader>
      <SearchForm
        label={t('Search roles')}
        placeholder={t('Name or ID')}
        search={search}
        onSearch={(text) => setParameters(text === '' ? {} : { search: text })}
      />
      <PagedList
        key={search}
        label={t('Roles')}
        name="listConsoleRoles"
        input={(after) => ({ search, ...(after !== undefined && { after }) })}
        read={({ results, next }) => ({ items: results, next })}
        row={(role) => <Branch key={role.objectId} role={role} above={[]} />}
        failure={t('The roles could not be loaded')}
        empty={{ icon: UsersRound, title: t('No roles') }}
      />
      {isCreating && <CreateRole onClose={() => setCreating(false)} />}
    </>
  )
}

/** As deep as anyone can read; a longer chain is followed from the page of a role. */
const deepest = 12

/** One role with those below it, once it was opened. One that stands above itself is named and leads no deeper. */
function Branch({ role, above }: { role: ConsoleRoleRow; above: readonly string[] }) {
  const { objectId, name, users, isMore, roles, tokenGates } = role
  const [isOpen, setOpen] = useState(false)
  const isCircle = above.includes(objectId)
  const mayOpen = roles > 0 && !isCircle && above.length < deepest
  return (
    <li className="py-1.5">
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1">
        {mayOpen ? (
          <IconButton
            label={isOpen ? t('Hide the roles below {name}', { name }) : t('Show the roles below {name}', { name })}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="-ms-2"
          >
            <ChevronRight
              size={18}
              aria-hidden="true"
              className={cx('transition-transform rtl:-scale-x-100', isOpen && 'rotate-90 rtl:scale-x-100')}
            />
          </IconButton>
        ) : (
          <span className="-ms-2 grid size-11 place-items-center text-muted">
            {isCircle && <Repeat2 size={18} aria-hidden="true" />}
          </span>
        )}
        <Link to={`/admin/roles/${objectId}`} className="min-w-0 flex-1 basis-32 font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
        </Link>
        {isCircle && <Badge tone="warn">{t('Contains itself')}</Badge>}
        {tokenGates > 0 && <Badge tone="accent">{t('Token gate')}</Badge>}
        <Badge>{describeMembers(users, isMore)}</Badge>
      </div>
      {isOpen && <Below parent={objectId} above={[...above, objectId]} />}
    </li>
  )
}

function Below({ parent, above }: { parent: string; above: readonly string[] }) {
  const children = useAsk('listConsoleRoles', { parent, limit: '100' })
  if (children.status !== 'success')
    return <ReadingStatus reading={children} failure={t('The roles could not be loaded')} always bare />
  return (
    <ul className="ms-4 border-s border-line ps-3 sm:ms-5">
      {children.data.results.map((role) => (
        <Branch key={role.objectId} role={role} above={above} />
      ))}
      {children.data.next !== undefined && (
        <li className="py-2 text-sm">
          <Link to={`/admin/roles/${parent}`} className="font-semibold text-accent">
            {t('Show all')}
          </Link>
        </li>
      )}
    </ul>
  )
}

function CreateRole({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { pending, change } = useChange()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    if (pending || name === '') return
    // Only operators and the master key can access it until an access list allows more.
    const made = await change('createObject', { className: '_Role', name, ACL: {} }, t('Role created'))
    if (!made) return
    onClose()
    void navigate(`/admin/roles/${String(made.objectId)}`)
  }
  return (
    <Dialog open onOpenChange={onClose} title={t('Create role')}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <TextField
          label={t('Name')}
          name="name"
          maxLength={200}
          autoComplete="off"
          hint={t('Use letters, digits, -, _ and spaces. You can’t change it later.')}
        />
        <Button type="submit" pending={pending} className="sm:self-end">
          {t('Create')}
        </Button>
      </form>
    </Dialog>
  )
}

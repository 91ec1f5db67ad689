import type { ConsoleUserRecord, RoleGrantRecord } from '@countersign/protocol'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { useAct, useConsole } from '../ask.ts'
import { RolePicker } from './RolePicker.tsx'

type Props = { user: ConsoleUserRecord; onChanged: () => void }

/** The roles of a user and why they have them. An administrator adds and removes those given by hand. */
export function UserRoles({ user: { objectId, grants }, onChanged }: Props) {
  const isAdmin = useConsole().role === 'admin'
  const act = useAct()
  const [isAdding, setAdding] = useState(false)
  const change = async (role: string, operation: 'AddRelation' | 'RemoveRelation') => {
    const objects = [{ __type: 'Pointer', className: '_User', objectId }]
    const input = { className: '_Role', objectId: role, users: { __op: operation, objects } }
    if (!(await act('updateObject', input))) return
    toasts.add(t('Role changed'), 'ok')
    setAdding(false)
    onChanged()
  }
  return (
    <Card aria-labelledby="roles">
      <CardHeader
        id="roles"
        title={t('Roles')}
        isNarrow
        aside={
          isAdmin && (
            <Button look="secondary" onClick={() => setAdding(true)}>
              <Plus size={18} aria-hidden="true" />
              {t('Add role')}
            </Button>
          )
        }
      />
      {grants.length === 0 && <p className="text-sm text-muted">{t('No roles')}</p>}
      <ul aria-label={t('Roles')} className="-my-2 divide-y divide-line">
        {grants.map((grant) => (
          <li key={grant.objectId} className="flex min-h-11 items-center gap-3 py-1 text-sm">
            <Link to={`/admin/roles/${grant.objectId}`} className="font-semibold wrap-anywhere">
              <bdi>{grant.name}</bdi>
            </Link>
            <span className="min-w-0 flex-1">
              <Reason grant={grant} />
            </span>
            {isAdmin && isByHand(grant) && (
              <IconButton
                label={t('Remove {name}', { name: grant.name })}
                onClick={() => void change(grant.objectId, 'RemoveRelation')}
              >
                <X size={18} aria-hidden="true" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {isAdding && (
        <Dialog open onOpenChange={() => setAdding(false)} title={t('Add role')}>
          <RolePicker onPick={(role) => void change(role, 'AddRelation')} />
        </Dialog>
      )}
    </Card>
  )
}

const isByHand = ({ isGated, path }: RoleGrantRecord) => !isGated && path.length === 1

function Reason({ grant }: { grant: RoleGrantRecord }) {
  if (grant.isGated) return <Badge tone="accent">{t('By token gate')}</Badge>
  if (grant.path.length === 1) return <span className="text-muted">{t('Added by hand')}</span>
  return <span className="text-muted">{t('Through the role {name}', { name: grant.path[0] ?? '' })}</span>
}

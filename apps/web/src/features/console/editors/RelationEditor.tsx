import type { WireFields, WireWhere } from '@countersign/protocol'
import { X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { useAct, useAsk } from '../ask.ts'
import { nameObject, objectPath, useSchemas } from '../dataBrowser/schemas.ts'
import { ObjectPicker } from './ObjectPicker.tsx'

type Props = {
  className: string
  objectId: string
  name: string
  targetClass: string
  mayEdit: boolean
  onClose: () => void
}

const pageLength = 20

/** The objects that a relation leads to, page by page; administrators add and remove. */
export function RelationEditor({ className, objectId, name, targetClass, mayEdit, onClose }: Props) {
  const act = useAct()
  const fields = useSchemas().get(targetClass)
  const [page, setPage] = useState(0)
  const object = { __type: 'Pointer' as const, className, objectId }
  const where = { $relatedTo: { object, key: name } } as unknown as WireWhere
  const input = { className: targetClass, where, order: 'objectId', limit: pageLength + 1, skip: page * pageLength }
  const related = useAsk('findObjects', input)
  const rows = (related.data?.results as WireFields[] | undefined) ?? []
  const change = async (kind: 'AddRelation' | 'RemoveRelation', id: string) => {
    const objects = [{ __type: 'Pointer', className: targetClass, objectId: id }]
    if (await act('updateObject', { className, objectId, [name]: { __op: kind, objects } })) related.refetch()
  }
  return (
    <Dialog open onOpenChange={onClose} title={name} description={`${className} ${objectId} → ${targetClass}`}>
      <ReadingStatus reading={related} failure={t('The objects could not be loaded')} bare />
      {related.data && (
        <ul aria-label={name} className="mb-4 max-h-72 divide-y divide-line overflow-y-auto">
          {rows.slice(0, pageLength).map((row) => {
            const id = String(row.objectId)
            return (
              <li key={id} className="flex items-center gap-2 py-1 text-sm">
                <Link to={objectPath(targetClass, id)} className="min-w-0 flex-1 wrap-anywhere">
                  <bdi className="font-semibold">{nameObject(fields, row)}</bdi>{' '}
                  <code className="text-xs text-muted">{id}</code>
                </Link>
                {mayEdit && (
                  <IconButton
                    label={t('Remove {name}', { name: id })}
                    onClick={() => void change('RemoveRelation', id)}
                  >
                    <X size={18} aria-hidden="true" />
                  </IconButton>
                )}
              </li>
            )
          })}
          {rows.length === 0 && <li className="py-2 text-sm text-muted">{t('No objects')}</li>}
        </ul>
      )}
      {(page > 0 || rows.length > pageLength) && (
        <div className="mb-4 flex gap-2">
          <Button look="secondary" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t('Previous')}
          </Button>
          <Button look="secondary" disabled={rows.length <= pageLength} onClick={() => setPage(page + 1)}>
            {t('Next')}
          </Button>
        </div>
      )}
      {mayEdit && (
        <ObjectPicker className={targetClass} label={t('Add object')} onPick={(id) => void change('AddRelation', id)} />
      )}
    </Dialog>
  )
}

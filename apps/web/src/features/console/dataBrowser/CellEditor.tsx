import type { WireFields, WireValue } from '@countersign/protocol'
import { t } from '../../../i18n/translate.ts'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { useAct } from '../ask.ts'
import { DataEditor } from './DataEditor.tsx'
import { backTo } from './dataRows.ts'
import type { Fields } from './dataValues.ts'
import { RelationEditor } from './RelationEditor.tsx'
import { undoRows } from './undoRows.ts'

type Props = {
  className: string
  fields: Fields
  /** Row and name of the edited field. */
  row: WireFields
  name: string
  mayEdit: boolean
  onClose: () => void
  /** Reads the rows again, after the change and after its undo. */
  refetch: () => void
}

/** Editor for one field of one row. */
export function CellEditor({ className, fields, row, name, mayEdit, onClose, refetch }: Props) {
  const act = useAct()
  const field = fields[name]
  const objectId = String(row.objectId)
  const save = async (value: WireValue) => {
    const saved = await act('updateObject', { className, objectId, [name]: value })
    if (!saved) return false
    refetch()
    const back = { method: 'PUT' as const, objectId, body: { [name]: backTo(row[name]) } }
    toasts.add(t('Saved'), 'ok', undoRows(className, [back], refetch))
    return true
  }
  if (!field) return null
  if (field.type === 'Relation')
    return (
      <RelationEditor
        className={className}
        objectId={objectId}
        name={name}
        targetClass={field.targetClass ?? ''}
        mayEdit={mayEdit}
        onClose={onClose}
      />
    )
  return (
    <DataEditor
      key={`${row.objectId} ${name}`}
      name={name}
      field={field}
      value={row[name]}
      onClose={onClose}
      onSave={save}
    />
  )
}

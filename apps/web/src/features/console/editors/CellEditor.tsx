import type { WireFields } from '@countersign/protocol'
import type { Fields } from '../dataBrowser/dataValues.ts'
import type { SaveCell } from '../dataBrowser/useSaveCell.ts'
import { DataEditor } from './DataEditor.tsx'
import { RelationEditor } from './RelationEditor.tsx'

type Props = {
  className: string
  fields: Fields
  /** Row and name of the edited field. */
  row: WireFields
  name: string
  mayEdit: boolean
  onClose: () => void
  onSave: SaveCell
}

/** Editor for one field of one row. */
export function CellEditor({ className, fields, row, name, mayEdit, onClose, onSave }: Props) {
  const field = fields[name]
  const objectId = String(row.objectId)
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
      onSave={(value) => onSave(row, name, value)}
    />
  )
}

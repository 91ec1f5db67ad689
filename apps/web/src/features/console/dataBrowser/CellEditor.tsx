import type { WireFields } from '@countersign/protocol'
import { DataEditor } from './DataEditor.tsx'
import type { Fields } from './dataValues.ts'
import { RelationEditor } from './RelationEditor.tsx'
import type { SaveCell } from './useSaveCell.ts'

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

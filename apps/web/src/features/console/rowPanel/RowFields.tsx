import type { FieldRecord, WireFields } from '@countersign/protocol'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { type Fields, isJson, managed, orderColumns, showCell } from '../dataBrowser/dataValues.ts'
import { objectPath } from '../dataBrowser/schemas.ts'
import { type NamePointer, usePointerNames } from '../dataBrowser/usePointerNames.ts'
import type { SaveCell } from '../dataBrowser/useSaveCell.ts'
import { CellEditor } from '../editors/CellEditor.tsx'
import { FilePreview, isPicture, shortName } from '../FilePreview.tsx'

type Props = { className: string; fields: Fields; row: WireFields; mayEdit: boolean; onSave: SaveCell }

/** All fields of an object, each with the editor of its type. */
export function RowFields({ className, fields, row, mayEdit, onSave }: Props) {
  const [edited, setEdited] = useState<string>()
  const namePointer = usePointerNames(fields, [row])
  const names = orderColumns(fields).filter((name) => name !== 'password')
  return (
    <>
      <ul aria-label={t('Fields')} className="-my-3 divide-y divide-line text-sm">
        {names.map((name) => {
          const field = fields[name]
          if (!field) return null
          const isOpen = (mayEdit && !managed.has(name)) || field.type === 'Relation'
          return (
            <li key={name} data-field={name} className="flex items-start gap-2 py-2">
              <div className="min-w-0 flex-1 py-1">
                <p className="flex flex-wrap gap-x-2">
                  <bdi className="font-semibold wrap-anywhere">{name}</bdi>
                  <span className="text-muted">
                    {field.targetClass ? `${field.type} · ${field.targetClass}` : field.type}
                  </span>
                </p>
                <div className="mt-0.5 wrap-anywhere">
                  <FieldValue field={field} value={row[name]} namePointer={namePointer} />
                </div>
              </div>
              {isOpen && (
                <IconButton label={t('Edit {name}', { name })} onClick={() => setEdited(name)}>
                  <Pencil size={16} aria-hidden="true" />
                </IconButton>
              )}
            </li>
          )
        })}
      </ul>
      {edited !== undefined && (
        <CellEditor
          className={className}
          fields={fields}
          row={row}
          name={edited}
          mayEdit={mayEdit}
          onClose={() => setEdited(undefined)}
          onSave={onSave}
        />
      )}
    </>
  )
}

type ValueProps = { field: FieldRecord; value: WireFields[string] | undefined; namePointer: NamePointer }

function FieldValue({ field: { type }, value, namePointer }: ValueProps) {
  if (value === undefined || value === null) return <span className="text-muted">—</span>
  const { className, objectId, url, name } = Object(value) as { [part: string]: unknown }
  if (type === 'Pointer' && typeof className === 'string' && typeof objectId === 'string')
    return (
      <Link to={objectPath(className, objectId)} className="text-accent underline">
        <bdi>{namePointer(className, objectId) ?? `${className}:${objectId}`}</bdi>
      </Link>
    )
  if (type === 'File' && typeof url === 'string' && /^https?:/.test(new URL(url, window.location.href).protocol))
    return (
      <>
        {isPicture(String(name)) && <FilePreview name={String(name)} url={url} />}
        <a href={url} target="_blank" rel="noreferrer" className="text-accent underline">
          <bdi>{shortName(String(name))}</bdi>
        </a>
      </>
    )
  if (isJson(type) && type !== 'ACL')
    return (
      <pre dir="ltr" className="max-h-48 overflow-auto rounded-control bg-sunken p-2.5 text-xs">
        {JSON.stringify(value, undefined, 2).slice(0, 20_000)}
      </pre>
    )
  return <bdi className="whitespace-pre-wrap">{showCell(type, value)}</bdi>
}

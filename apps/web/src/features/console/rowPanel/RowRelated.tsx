import type { WireFields, WireWhere } from '@countersign/protocol'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { useAsk } from '../ask.ts'
import type { Fields } from '../dataBrowser/dataValues.ts'
import { findDisplayField, nameObject, objectPath, type Schemas, useSchemas } from '../dataBrowser/schemas.ts'
import { usePointerNames } from '../dataBrowser/usePointerNames.ts'
import { RelationEditor } from '../editors/RelationEditor.tsx'

/** Objects shown of each kind. */
const shown = 5
/** Fields of other classes that are looked through. */
const mostSources = 30

type Props = { className: string; fields: Fields; row: WireFields; mayEdit: boolean }

/** Objects that this one leads to, by pointer and relation, and those that lead to it. */
export function RowRelated({ className, fields, row, mayEdit }: Props) {
  const schemas = useSchemas()
  const namePointer = usePointerNames(fields, [row])
  const pointers = Object.keys(fields).flatMap((name) => {
    const { className: target, objectId } = Object(row[name]) as { className?: unknown; objectId?: unknown }
    const isPointer = fields[name]?.type === 'Pointer' && typeof target === 'string' && typeof objectId === 'string'
    return isPointer ? [{ name, target, objectId }] : []
  })
  const relations = Object.entries(fields).filter(([, { type }]) => type === 'Relation')
  const sources = listSources(schemas, className).slice(0, mostSources)
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="leads-to">
        <h3 id="leads-to" className="text-base">
          {t('This object points to')}
        </h3>
        <ul className="mt-2 flex flex-col gap-3 text-sm">
          {pointers.map(({ name, target, objectId }) => (
            <li key={name} className="flex flex-wrap items-baseline gap-x-2">
              <bdi className="font-semibold">{name}</bdi>
              <ObjectLink className={target} objectId={objectId} name={namePointer(target, objectId)} />
            </li>
          ))}
          {relations.map(([name, { targetClass = '' }]) => (
            <RelationList key={name} {...{ className, name, targetClass, mayEdit }} objectId={String(row.objectId)} />
          ))}
          {pointers.length + relations.length === 0 && <li className="text-muted">{t('No objects')}</li>}
        </ul>
      </section>
      <section aria-labelledby="led-from">
        <h3 id="led-from" className="text-base">
          {t('Objects that point to it')}
        </h3>
        <ul className="mt-2 flex flex-col gap-3 text-sm">
          {sources.map((source) => (
            <SourceList
              key={`${source.className} ${source.field}`}
              {...source}
              target={className}
              objectId={String(row.objectId)}
            />
          ))}
          {sources.length === 0 && <li className="text-muted">{t('No class has a pointer to this one.')}</li>}
        </ul>
      </section>
    </div>
  )
}

/** Pointers and relations of all classes that lead to a class. */
function listSources(schemas: Schemas, target: string): { className: string; field: string }[] {
  return [...schemas].flatMap(([className, fields]) =>
    Object.entries(fields)
      .filter(([, { type, targetClass }]) => targetClass === target && (type === 'Pointer' || type === 'Relation'))
      .map(([field]) => ({ className, field })),
  )
}

type LinkProps = { className: string; objectId: string; name?: string | undefined }

function ObjectLink({ className, objectId, name }: LinkProps) {
  return (
    <Link to={objectPath(className, objectId)} className="min-w-0 text-accent underline wrap-anywhere">
      <bdi>{name ?? `${className}:${objectId}`}</bdi>
    </Link>
  )
}

type FoundProps = { className: string; where: WireWhere; title: string; more: React.ReactNode }

/** The first objects of a question, and how many there are. */
function FoundList({ className, where, title, more }: FoundProps) {
  const fields = useSchemas().get(className)
  const keys = findDisplayField(fields) ?? 'objectId'
  const found = useAsk('findObjects', { className, where, keys, order: '-createdAt', limit: shown, count: 1 })
  const rows = (found.data?.results as WireFields[] | undefined) ?? []
  const count = found.data?.count ?? 0
  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <bdi className="font-semibold wrap-anywhere">{title}</bdi>
        {found.data && <span className="text-muted">{formatNumber(count)}</span>}
      </p>
      <ReadingStatus reading={found} failure={t('The objects could not be loaded')} bare />
      {rows.length > 0 && (
        <ul aria-label={title} className="mt-1 flex flex-col gap-1.5 ps-4">
          {rows.map((each) => (
            <li key={String(each.objectId)}>
              <ObjectLink className={className} objectId={String(each.objectId)} name={nameObject(fields, each)} />
            </li>
          ))}
        </ul>
      )}
      {count > 0 && <div className="mt-1">{more}</div>}
    </li>
  )
}

type SourceProps = { className: string; field: string; target: string; objectId: string }

function SourceList({ className, field, target, objectId }: SourceProps) {
  const where = { [field]: { __type: 'Pointer', className: target, objectId } } as unknown as WireWhere
  const filter = JSON.stringify([{ field, operator: 'equals', value: objectId }])
  return (
    <FoundList
      className={className}
      where={where}
      title={`${className}.${field}`}
      more={
        <ButtonLink
          look="ghost"
          to={`/admin/data/${encodeURIComponent(className)}?where=${encodeURIComponent(filter)}`}
        >
          {t('Show all')}
        </ButtonLink>
      }
    />
  )
}

type RelationProps = { className: string; objectId: string; name: string; targetClass: string; mayEdit: boolean }

function RelationList({ className, objectId, name, targetClass, mayEdit }: RelationProps) {
  const [isOpen, setOpen] = useState(false)
  const object = { __type: 'Pointer', className, objectId }
  const where = { $relatedTo: { object, key: name } } as unknown as WireWhere
  return (
    <>
      <FoundList
        key={String(isOpen)}
        className={targetClass}
        where={where}
        title={name}
        more={
          <Button look="ghost" onClick={() => setOpen(true)}>
            {t('Show all')}
          </Button>
        }
      />
      {isOpen && (
        <RelationEditor {...{ className, objectId, name, targetClass, mayEdit }} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

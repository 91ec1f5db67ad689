import type { ClassOperation, ClassPermissions, SchemaRecord, WireFields } from '@countersign/protocol'
import { Plus, Table2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../ui/DetailRow.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { type Asked, type Output, useAsk, useConsole } from './ask.ts'
import { sortClasses } from './dataBrowser/schemas.ts'
import { SchemaChange } from './SchemaChange.tsx'
import { SlowQueries, type SuggestedIndex } from './SlowQueries.tsx'
import { useChange } from './useChange.ts'

const operations: readonly ClassOperation[] = ['find', 'get', 'count', 'create', 'update', 'delete', 'addField']

/** Classes with their fields, indexes and permissions. */
export function Schema() {
  const schemas = useAsk('listSchemas', {})
  const slow = useAsk('listSlowQueries', {})
  const isAdmin = useConsole().role === 'admin'
  const [changed, setChanged] = useState<{ schema?: SchemaRecord; index?: SuggestedIndex }>()
  return (
    <>
      <PageHeader
        title={t('Schema')}
        aside={
          isAdmin &&
          schemas.data && (
            <Button onClick={() => setChanged({})}>
              <Plus size={18} aria-hidden="true" />
              {t('New class')}
            </Button>
          )
        }
      >
        {t('Fields, indexes and permissions of all classes.')}
      </PageHeader>
      <ReadingStatus reading={schemas} failure={t('The classes could not be loaded')} />
      {schemas.data && (
        <Card>
          <ul className="-my-3.5 divide-y divide-line">
            {sortClasses(schemas.data.results, ({ className }) => className).map((schema) => (
              <ClassRow
                key={schema.className}
                schema={schema}
                slow={slow}
                onChange={schemas.refetch}
                onEdit={(index) => setChanged({ schema, ...(index && { index }) })}
              />
            ))}
          </ul>
        </Card>
      )}
      {changed && schemas.data && (
        <SchemaChange
          {...changed}
          classNames={schemas.data.results.map(({ className }) => className)}
          onDone={() => {
            schemas.refetch()
            slow.refetch()
          }}
          onClose={() => setChanged(undefined)}
        />
      )}
    </>
  )
}

type RowProps = {
  schema: SchemaRecord
  slow: Asked<Output<'listSlowQueries'>>
  onChange: () => void
  onEdit: (index?: SuggestedIndex) => void
}

function ClassRow({ schema, slow, onChange, onEdit }: RowProps) {
  const isAdmin = useConsole().role === 'admin'
  const { className, fields, indexes = {} } = schema
  const isSlow = slow.data?.results.some((query) => query.className === className && query.index)
  const names = Object.keys(fields)
  return (
    <DetailRow
      icon={<RowIcon icon={Table2} />}
      heading="h2"
      title={className}
      aside={isSlow && <Badge tone="warn">{t('Index suggested')}</Badge>}
      facts={[names.slice(0, 8).join(', ') + (names.length > 8 ? ' …' : '')]}
    >
      <DetailList>
        {Object.entries(fields).map(([name, { type, targetClass, required }]) => (
          <Detail key={name} name={name}>
            {targetClass ? `${type} <${targetClass}>` : type} {required && <Badge>{t('Required')}</Badge>}
          </Detail>
        ))}
        {Object.entries(indexes).map(([name, keys]) => (
          <Detail key={`index ${name}`} name={t('Index {name}', { name })}>
            <code className="text-xs break-all">{JSON.stringify(keys)}</code>
          </Detail>
        ))}
      </DetailList>
      {isAdmin && (
        <Button
          look="secondary"
          className="mt-4"
          aria-label={t('Edit {name}', { name: className })}
          onClick={() => onEdit()}
        >
          {t('Edit class')}
        </Button>
      )}
      <SlowQueries className={className} slow={slow} onAdd={onEdit} />
      <Permissions schema={schema} onChange={onChange} />
    </DetailRow>
  )
}

function Permissions({ schema, onChange }: { schema: SchemaRecord; onChange: () => void }) {
  const { className, classLevelPermissions: given } = schema
  const isAdmin = useConsole().role === 'admin'
  const { pending, change } = useChange()
  const named = operations.flatMap((operation) => Object.keys(given[operation] ?? {}))
  const entities = [...new Set(['*', 'requiresAuthentication', ...named])].filter((name) => !/Fields$/.test(name))
  const toggle = async (operation: ClassOperation, entity: string) => {
    const { [entity]: was, ...rest } = given[operation] ?? {}
    const classLevelPermissions: ClassPermissions = { ...given, [operation]: was ? rest : { ...rest, [entity]: true } }
    const basedOn = { classLevelPermissions: given as WireFields }
    await change('updateSchema', { className, classLevelPermissions, basedOn }, t('Permissions changed'))
    // Also where somebody else was faster: what is there now is shown.
    onChange()
  }
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached with the keyboard
      tabIndex={0}
      aria-label={t('Permissions of {name}', { name: className })}
      className="relative mt-5 overflow-x-auto"
    >
      <table className="text-sm">
        <thead>
          <tr>
            <th scope="col" className="sticky start-0 bg-surface pe-4 text-start">
              {t('User or role')}
            </th>
            {operations.map((operation) => (
              <th key={operation} scope="col" className="px-2 font-mono text-xs">
                {operation}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entities.map((entity) => (
            <tr key={entity}>
              <th
                scope="row"
                className="sticky start-0 max-w-60 bg-surface pe-4 text-start font-normal wrap-anywhere max-sm:max-w-28"
              >
                {describeEntity(entity)}
              </th>
              {operations.map((operation) => (
                <td key={operation} className="text-center">
                  <label className="inline-grid size-11 place-items-center">
                    <span className="sr-only">
                      {operation}: {describeEntity(entity)}
                    </span>
                    <input
                      type="checkbox"
                      checked={given[operation]?.[entity] === true}
                      disabled={!isAdmin || pending}
                      onChange={() => void toggle(operation, entity)}
                      className="size-5"
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function describeEntity(entity: string): string {
  if (entity === '*') return t('Everyone')
  return entity === 'requiresAuthentication' ? t('Signed-in users') : entity
}

import { Table2 } from 'lucide-react'
import { useMemo } from 'react'
import { Link, Route, Routes, useParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { RowIcon } from '../../../ui/DetailRow.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useAsk } from '../ask.ts'
import { ClassObjects } from './ClassObjects.tsx'
import { SchemasContext, sortClasses } from './schemas.ts'

/** Objects of all classes: found, changed, added, deleted and taken along. */
export function DataBrowser() {
  return (
    <Routes>
      <Route index element={<ClassList />} />
      <Route path=":className" element={<ClassPage />} />
    </Routes>
  )
}

function ClassList() {
  const schemas = useAsk('listSchemas', {})
  return (
    <>
      <PageHeader title={t('Data')}>{t('Objects of all classes.')}</PageHeader>
      <ReadingStatus reading={schemas} failure={t('The classes could not be loaded')} always />
      {schemas.data && (
        <Card>
          <ul className="-my-3 divide-y divide-line">
            {sortClasses(schemas.data.results, ({ className: name }) => name).map(({ className, fields }) => (
              <li key={className} className="relative flex items-center gap-3.5 py-3 hover:bg-sunken/60">
                <RowIcon icon={Table2} />
                <Link
                  to={`/admin/data/${encodeURIComponent(className)}`}
                  className="min-w-0 flex-1 font-semibold wrap-anywhere after:absolute after:inset-0"
                >
                  <bdi>{className}</bdi>
                </Link>
                <Badge>
                  {t('{count, plural, one {# field} other {# fields}}', { count: Object.keys(fields).length })}
                </Badge>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function ClassPage() {
  const { className = '' } = useParams()
  const schema = useAsk('getSchema', { className })
  // All classes: pointers lead to them, and theirs lead here.
  const all = useAsk('listSchemas', {}).data
  const schemas = useMemo(
    () =>
      new Map(
        sortClasses(all?.results ?? [], ({ className: name }) => name).map(
          ({ className: name, fields }) => [name, fields] as const,
        ),
      ),
    [all],
  )
  if (!schema.data) return <ReadingStatus reading={schema} failure={t('The class could not be loaded')} />
  return (
    <SchemasContext value={schemas}>
      <ClassObjects key={className} schema={schema.data} />
    </SchemasContext>
  )
}

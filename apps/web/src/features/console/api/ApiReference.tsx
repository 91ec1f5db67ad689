import { Search } from 'lucide-react'
import { useState } from 'react'
import { Link, Route, Routes, useSearchParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { lazyPart } from '../../../ui/lazyPart.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { describeAccess, Method } from './ApiLabels.tsx'
import { type ApiEndpoint, useApiDescription } from './apiDescription.ts'
import { QueryPlayground } from './QueryPlayground.tsx'

const EndpointPage = lazyPart(async () => (await import('./ApiEndpointPage.tsx')).ApiEndpointPage)

/** Every endpoint of the server, from its own description, and a place to try queries. */
export function ApiReference() {
  return (
    <Routes>
      <Route index element={<Contents />} />
      <Route path=":name" element={<EndpointPage />} />
    </Routes>
  )
}

function Contents() {
  const [parameters] = useSearchParams()
  const shown = parameters.get('show') === 'query' ? 'query' : 'endpoints'
  return (
    <>
      <PageHeader title={t('API reference')} />
      <Tabs
        label={t('API reference')}
        current={shown}
        tabs={[
          { name: 'endpoints', label: t('Endpoints') },
          { name: 'query', label: t('Query playground') },
        ]}
      />
      {shown === 'endpoints' ? <Endpoints /> : <QueryPlayground />}
    </>
  )
}

function Endpoints() {
  const api = useApiDescription()
  const [search, setSearch] = useState('')
  if (api.status !== 'success')
    return <ReadingStatus reading={api} failure={t('The description could not be loaded')} always />
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = api.data.filter(({ name, method, path, summary }) => {
    const text = `${name} ${method} ${path} ${summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const resources = [...new Set(found.map(({ resource }) => resource))].sort()
  return (
    <>
      <input
        type="search"
        aria-label={t('Search endpoints')}
        placeholder={t('Search endpoints')}
        value={search}
        maxLength={200}
        onChange={(event) => setSearch(event.target.value)}
        className={`${inputClass} mt-6 mb-2`}
      />
      <p role="status" className="mb-4 text-sm text-muted">
        {t('{count, plural, one {# endpoint} other {# endpoints}}', { count: found.length })}
      </p>
      {found.length === 0 && (
        <Card>
          <EmptyState icon={Search} title={t('No endpoint matches')} />
        </Card>
      )}
      <div className="flex flex-col gap-6">
        {resources.map((resource) => (
          <Card key={resource} aria-labelledby={`resource-${resource}`}>
            <CardHeader id={`resource-${resource}`} title={`/${resource}`} />
            <ul className="-mb-3 divide-y divide-line">
              {found
                .filter((endpoint) => endpoint.resource === resource)
                .map((endpoint) => (
                  <EndpointRow key={endpoint.name} endpoint={endpoint} />
                ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  )
}

function EndpointRow({ endpoint: { name, method, path, summary, access } }: { endpoint: ApiEndpoint }) {
  return (
    <li className="relative py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Method name={method} />
        <Link
          to={`/admin/api/${name}`}
          dir="ltr"
          className="font-mono text-sm font-semibold wrap-anywhere after:absolute after:inset-0 hover:text-accent"
        >
          {path}
        </Link>
        {access !== 'anyone' && <Badge>{describeAccess(access)}</Badge>}
      </div>
      <p lang="en" dir="ltr" className="mt-1 text-sm text-muted">
        {summary}
      </p>
    </li>
  )
}

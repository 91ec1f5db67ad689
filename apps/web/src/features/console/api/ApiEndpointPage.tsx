import type { WireFields } from '@countersign/protocol'
import type { CountersignError } from '@countersign/react'
import { ArrowLeft, Search } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Detail, DetailList } from '../../../ui/DetailRow.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { describeError } from '../../../ui/forms/describeError.ts'
import { SwitchField } from '../../../ui/forms/SwitchField.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useConsole, useProve } from '../ask.ts'
import { CodeBox } from '../CodeBox.tsx'
import { formatDuration } from '../formats.ts'
import { type JsonSchema, listFields, writeType } from '../jsonSchema.ts'
import { SchemaForm } from '../SchemaForm.tsx'
import { describeRole } from '../users/describeUser.ts'
import { describeAccess, Method } from './ApiLabels.tsx'
import {
  type ApiEndpoint,
  inputOf,
  isSameOrigin,
  opensSession,
  type Tried,
  tryEndpoint,
  useApiDescription,
} from './apiDescription.ts'

/** One endpoint: its input, output and refusals, and a form that calls it. */
export function ApiEndpointPage() {
  const { name = '' } = useParams()
  const api = useApiDescription()
  const endpoint = api.data?.find((each) => each.name === name)
  return (
    <>
      <ButtonLink to="/admin/api" look="ghost" className="-ms-3 mb-2">
        <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
        {t('All endpoints')}
      </ButtonLink>
      <ReadingStatus reading={api} failure={t('The description could not be loaded')} always titled />
      {api.data && !endpoint && (
        <Card>
          <EmptyState icon={Search} title={t('No endpoint matches')} />
        </Card>
      )}
      {endpoint && <EndpointCards key={endpoint.name} endpoint={endpoint} />}
    </>
  )
}

function EndpointCards({ endpoint }: { endpoint: ApiEndpoint }) {
  const { name, method, path, summary, access, operators, parameters, body, status, output, reasons } = endpoint
  return (
    <>
      <PageHeader title={name}>
        <span className="inline-flex flex-wrap items-center gap-2">
          <Method name={method} />
          <code dir="ltr" className="text-sm wrap-anywhere">
            {path}
          </code>
          <CopyButton text={path} label={t('Copy: {name}', { name: path })} />
        </span>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Card aria-label={t('Details')}>
          <DetailList>
            <Detail name={t('Description')}>
              <span lang="en">{summary}</span>
            </Detail>
            <Detail name={t('Access')}>
              {describeAccess(access)}
              {operators && `: ${operators.map((role) => describeRole(role as 'admin')).join(', ')}`}
            </Detail>
            {Object.entries(reasons).map(([reason, sentence]) => (
              <Detail key={reason} name={reason}>
                <span lang="en">{sentence}</span>
              </Detail>
            ))}
          </DetailList>
        </Card>
        {parameters.length > 0 && (
          <Card aria-labelledby="parameters">
            <CardHeader id="parameters" title={t('Parameters')} />
            <ul className="-my-3 divide-y divide-line">
              {parameters.map((parameter) => (
                <SchemaRow
                  key={parameter.name}
                  name={parameter.name}
                  place={parameter.in}
                  schema={parameter.schema}
                  isRequired={parameter.required}
                />
              ))}
            </ul>
          </Card>
        )}
        {body && <SchemaCard id="input" title={t('Request body')} schema={body} />}
        <TryOut endpoint={endpoint} />
        <SchemaCard id="output" title={t('Response {status}', { status })} schema={output} />
      </div>
    </>
  )
}

function SchemaCard({ id, title, schema }: { id: string; title: string; schema: JsonSchema }) {
  const fields = listFields(schema)
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={title} />
      {fields.length === 0 && (
        <code dir="ltr" className="text-sm">
          {writeType(schema)}
        </code>
      )}
      <ul className="-my-3 divide-y divide-line">
        {fields.map((field) => (
          <SchemaRow key={field.name} {...field} />
        ))}
      </ul>
    </Card>
  )
}

/** As deep as anyone reads; the rest is the same again. */
const deepest = 6

type SchemaRowProps = { name: string; schema: JsonSchema; isRequired: boolean; place?: string; depth?: number }

function SchemaRow({ name, schema, isRequired, place, depth = 0 }: SchemaRowProps) {
  const inner = listFields(schema.type === 'array' ? (schema.items ?? {}) : schema)
  return (
    <li className="py-3 text-sm">
      <div dir="ltr" className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <code className="font-semibold">{name}</code>
        <code className="text-muted wrap-anywhere">{writeType(schema)}</code>
        {place && <Badge>{place}</Badge>}
        {isRequired && <Badge tone="accent">{t('Required')}</Badge>}
      </div>
      {schema.description && (
        <p lang="en" dir="ltr" className="mt-1 text-muted">
          {schema.description}
        </p>
      )}
      {inner.length > 0 && depth < deepest && (
        <ul className="mt-2 -mb-3 divide-y divide-line border-s border-line ps-4">
          {inner.map((field) => (
            <SchemaRow key={field.name} {...field} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  )
}

type Outcome = Tried | CountersignError

function TryOut({ endpoint }: { endpoint: ApiEndpoint }) {
  const isAdmin = useConsole().role === 'admin'
  const prove = useProve()
  const [asOperator, setAsOperator] = useState(true)
  const [pending, setPending] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const [waiting, setWaiting] = useState<WireFields>()
  const { method, path, access } = endpoint
  const isGuest = opensSession(endpoint)
  const refusal = !isSameOrigin()
    ? t('The server has a different origin. Open this page there to send requests.')
    : method !== 'GET' && !isAdmin
      ? t('Your console role is read-only.')
      : access === 'operator' && JSON.stringify(endpoint.output).includes('"sessionToken"')
        ? t('This would sign you out.')
        : undefined
  const send = async (input: WireFields) => {
    setWaiting(undefined)
    setPending(true)
    setOutcome(await prove(() => tryEndpoint(endpoint, input, asOperator)).catch((error: CountersignError) => error))
    setPending(false)
  }
  return (
    <Card aria-labelledby="try">
      <CardHeader id="try" title={t('Try it out')}>
        {refusal ?? (isGuest ? t('Sent without your session, so you stay signed in.') : t('Sent with your session.'))}
      </CardHeader>
      {!refusal && (
        <div className="flex flex-col gap-5">
          {!isGuest && (
            <SwitchField label={t('Use your operator access')} checked={asOperator} onChange={setAsOperator} />
          )}
          <SchemaForm
            schema={inputOf(endpoint)}
            submit={t('Send')}
            danger={method === 'DELETE'}
            pending={pending}
            onSubmit={(input) => (method === 'DELETE' ? setWaiting(input) : void send(input))}
          />
          {outcome && <Result outcome={outcome} />}
        </div>
      )}
      <ConfirmDialog
        open={waiting !== undefined}
        onOpenChange={() => setWaiting(undefined)}
        title={t('Delete permanently?')}
        description={`${method} ${path}`}
        confirm={t('Send')}
        danger
        onConfirm={() => waiting && void send(waiting)}
      />
    </Card>
  )
}

function Result({ outcome }: { outcome: Outcome }) {
  if ('code' in outcome) return <Alert tone="danger" title={describeError(outcome).message} />
  const { status, ms, text } = outcome
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="flex flex-wrap items-center gap-3 text-sm">
        <Badge tone={status < 300 ? 'ok' : 'warn'}>{formatNumber(status)}</Badge>
        {formatDuration(ms)}
      </p>
      <CodeBox label={t('Result')} text={text} />
    </div>
  )
}

import type { ConsoleFunctionRecord, WireFields } from '@countersign/protocol'
import type { CountersignError } from '@countersign/react'
import { SquareFunction } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { DetailRow, RowIcon } from '../../../ui/DetailRow.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { ask, useAsk, useConsole, useProve } from '../ask.ts'
import { CodeBox } from '../CodeBox.tsx'
import { DocsLink } from '../DocsLink.tsx'
import type { JsonSchema } from '../jsonSchema.ts'
import { SchemaForm } from '../SchemaForm.tsx'
import { Jobs } from './Jobs.tsx'
import { Logs } from './Logs.tsx'
import { Webhooks } from './Webhooks.tsx'

const tabs = ['functions', 'jobs', 'webhooks', 'logs'] as const

/** The application's code: functions and jobs, which can be run; webhooks, and the log of the server. */
export function Functions() {
  const [parameters] = useSearchParams()
  const shown = tabs.find((name) => name === parameters.get('show')) ?? 'functions'
  return (
    <>
      <PageHeader title={t('Functions and jobs')} />
      <Tabs
        label={t('Functions and jobs')}
        current={shown}
        tabs={[
          { name: 'functions', label: t('Functions') },
          { name: 'jobs', label: t('Jobs') },
          { name: 'webhooks', label: t('Webhooks') },
          { name: 'logs', label: t('Logs') },
        ]}
      />
      <div className="mt-6">
        {shown === 'functions' && <FunctionList />}
        {shown === 'jobs' && <Jobs />}
        {shown === 'webhooks' && <Webhooks />}
        {shown === 'logs' && <Logs />}
      </div>
    </>
  )
}

function FunctionList() {
  const functions = useAsk('listConsoleFunctions', {})
  if (!functions.data) return <ReadingStatus reading={functions} failure={t('The functions could not be loaded')} />
  return (
    <Card>
      {functions.data.results.length === 0 && (
        <EmptyState icon={SquareFunction} title={t('No functions')} actions={<DocsLink page="functions" />}>
          {t('Define functions in cloud code. Set its folder with “cloud” in the configuration.')}
        </EmptyState>
      )}
      <ul className="-my-3.5 divide-y divide-line">
        {functions.data.results.map((each) => (
          <FunctionRow key={each.name} known={each} />
        ))}
      </ul>
    </Card>
  )
}

function FunctionRow({ known: { name, input, requires, isRemote } }: { known: ConsoleFunctionRecord }) {
  const isAdmin = useConsole().role === 'admin'
  const schema = (input ?? {}) as JsonSchema
  return (
    <DetailRow
      icon={<RowIcon icon={SquareFunction} />}
      heading="h2"
      title={name}
      aside={isRemote && <Badge>{t('Runs on another server')}</Badge>}
      facts={[
        Object.keys(schema.properties ?? {}).join(', ') || t('Accepts any parameters'),
        ...requires.map(describeRequirement),
      ]}
    >
      {isAdmin ? (
        <RunForm name={name} schema={schema} />
      ) : (
        <CodeBox label={name} text={JSON.stringify(schema, null, 2)} />
      )}
    </DetailRow>
  )
}

function describeRequirement(requirement: string): string {
  if (requirement === 'user') return t('Signed-in users')
  return requirement === 'master' ? t('Master key') : requirement
}

type Outcome = { result: string } | { error: CountersignError }

function RunForm({ name, schema }: { name: string; schema: JsonSchema }) {
  const prove = useProve()
  const [pending, setPending] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const run = async (input: WireFields) => {
    setPending(true)
    const answered = await prove(() => ask('runFunction', { ...input, _function: name })).then(
      (answer) => answer && { result: JSON.stringify(answer.result ?? null, null, 2) },
      (error: CountersignError) => ({ error }),
    )
    setOutcome(answered)
    setPending(false)
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">{t('Runs with master key access.')}</p>
      <SchemaForm schema={schema} submit={t('Run')} pending={pending} onSubmit={(input) => void run(input)} />
      {outcome && 'result' in outcome && <CodeBox label={t('Result of {name}', { name })} text={outcome.result} />}
      {/* In the words of the application's own code, which no language here knows. */}
      {outcome && 'error' in outcome && (
        <Alert tone="danger" title={`${outcome.error.code}: ${outcome.error.message}`} />
      )}
    </div>
  )
}

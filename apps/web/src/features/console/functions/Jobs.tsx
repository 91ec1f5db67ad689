import type { ConsoleJobRecord, ConsoleScheduleRecord, ObjectRecord, WireFields } from '@countersign/protocol'
import { Plus, Timer } from 'lucide-react'
import { useState } from 'react'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { Detail, DetailList, DetailRow, Facts, RowIcon } from '../../../ui/DetailRow.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useAsk, useConsole } from '../ask.ts'
import { DocsLink } from '../DocsLink.tsx'
import { SchemaForm } from '../SchemaForm.tsx'
import { useChange } from '../useChange.ts'
import { ScheduleForm } from './ScheduleForm.tsx'

/** Milliseconds between two looks at what runs. */
const freshness = 5_000

/** Jobs with when they are due, and their latest runs. */
export function Jobs() {
  const jobs = useAsk('listConsoleJobs', {})
  const runs = useAsk('findObjects', { className: '_JobStatus', order: '-createdAt', limit: 20 }, { every: freshness })
  if (!jobs.data) return <ReadingStatus reading={jobs} failure={t('The jobs could not be loaded')} />
  return (
    <>
      <Card className="mb-6">
        {jobs.data.results.length === 0 && (
          <EmptyState icon={Timer} title={t('No jobs')} actions={<DocsLink page="jobs" />}>
            {t('Define jobs in cloud code, like functions.')}
          </EmptyState>
        )}
        <ul className="-my-3.5 divide-y divide-line">
          {jobs.data.results.map((job) => (
            <JobRow key={job.name} job={job} onStarted={runs.refetch} onChanged={jobs.refetch} />
          ))}
        </ul>
      </Card>
      {runs.data && runs.data.results.length > 0 && (
        <Card>
          <CardHeader title={t('Latest runs')} />
          <ul className="-mb-3.5 divide-y divide-line">
            {runs.data.results.map((entry) => (
              <JobRun key={entry.objectId} run={entry} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

type JobRowProps = { job: ConsoleJobRecord; onStarted: () => void; onChanged: () => void }

function JobRow({ job: { name, schedules }, onStarted, onChanged }: JobRowProps) {
  const isAdmin = useConsole().role === 'admin'
  const { pending, change } = useChange()
  const next = schedules
    .flatMap((schedule) => (schedule.next ? [schedule.next] : []))
    .sort()
    .at(0)
  const run = async (params: WireFields) => {
    if (await change('startJob', { ...params, jobName: name }, t('Job started'))) onStarted()
  }
  return (
    <DetailRow
      icon={<RowIcon icon={Timer} />}
      heading="h2"
      title={name}
      aside={schedules.length > 0 && <Badge>{t('Scheduled')}</Badge>}
      facts={[
        schedules.map(writeSchedule).join(', '),
        next && (
          <span key="next">
            {t('Next run:')} <RelativeTime date={new Date(next)} />
          </span>
        ),
      ]}
      actions={
        isAdmin && (
          <Button
            look="secondary"
            aria-label={t('Run {name}', { name })}
            pending={pending}
            onClick={() => void run({})}
          >
            {t('Run')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-6">
        <Schedules name={name} schedules={schedules} onChanged={onChanged} />
        {isAdmin && (
          <section aria-label={t('Run {name} with parameters', { name })}>
            <h3 className="mb-3 text-base">{t('Run with parameters')}</h3>
            <SchemaForm schema={{}} submit={t('Run')} pending={pending} onSubmit={(params) => void run(params)} />
          </section>
        )}
      </div>
    </DetailRow>
  )
}

function writeSchedule({ cron, timeZone, startAfter, repeatMinutes }: ConsoleScheduleRecord): string {
  if (cron !== undefined) return timeZone ? `${cron} (${timeZone})` : cron
  return repeatMinutes
    ? t('Every {count} min', { count: repeatMinutes })
    : startAfter
      ? formatTime(new Date(startAfter))
      : ''
}

type SchedulesProps = { name: string; schedules: ConsoleScheduleRecord[]; onChanged: () => void }

function Schedules({ name, schedules, onChanged }: SchedulesProps) {
  const isAdmin = useConsole().role === 'admin'
  const { pending, change } = useChange()
  const [edited, setEdited] = useState<ConsoleScheduleRecord | 'new'>()
  const remove = async (objectId: string) => {
    if (await change('deleteSchedule', { objectId }, t('Schedule deleted'))) onChanged()
  }
  return (
    <section aria-label={t('Schedules of {name}', { name })}>
      <h3 className="mb-2 text-base">{t('Schedules')}</h3>
      {schedules.length === 0 && <p className="text-sm text-muted">{t('Runs only when started.')}</p>}
      <ul className="divide-y divide-line text-sm">
        {schedules.map((schedule) => (
          <li key={schedule.objectId ?? 'code'} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <code dir="ltr">{writeSchedule(schedule)}</code>
            {schedule.objectId === undefined && <Badge>{t('In cloud code')}</Badge>}
            <span className="min-w-0 flex-1 basis-40 text-muted wrap-anywhere">
              <Facts
                items={[
                  schedule.description,
                  schedule.error ?? (schedule.next && <RelativeTime key="next" date={new Date(schedule.next)} />),
                ]}
              />
            </span>
            {isAdmin && schedule.objectId && (
              <span className="flex gap-1">
                <Button
                  look="ghost"
                  aria-label={t('Edit {name}', { name: writeSchedule(schedule) })}
                  onClick={() => setEdited(schedule)}
                >
                  {t('Edit')}
                </Button>
                <Button
                  look="ghost"
                  pending={pending}
                  aria-label={t('Delete {name}', { name: writeSchedule(schedule) })}
                  onClick={() => void remove(schedule.objectId as string)}
                >
                  {t('Delete')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {isAdmin && (
        <Button look="secondary" className="mt-3" onClick={() => setEdited('new')}>
          <Plus size={18} aria-hidden="true" />
          {t('New schedule')}
        </Button>
      )}
      {edited && (
        <ScheduleForm
          jobName={name}
          {...(edited !== 'new' && { schedule: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={onChanged}
        />
      )}
    </section>
  )
}

function JobRun({ run: { createdAt, jobName, status, message, ...rest } }: { run: ObjectRecord }) {
  return (
    <DetailRow
      icon={<RowIcon icon={Timer} />}
      title={String(jobName)}
      aside={
        <Badge tone={status === 'failed' ? 'warn' : status === 'succeeded' ? 'ok' : 'neutral'}>
          {describeRun(status)}
        </Badge>
      }
      facts={[typeof message === 'string' && message !== '' && <bdi key="message">{message}</bdi>]}
      minorFact={<RelativeTime date={new Date(createdAt)} />}
    >
      <DetailList>
        <Detail name={t('Time')}>{formatTime(new Date(createdAt))}</Detail>
        <Detail name={t('Details')}>
          <code className="text-xs break-all">{JSON.stringify(rest)}</code>
        </Detail>
      </DetailList>
    </DetailRow>
  )
}

function describeRun(status: unknown): string {
  switch (status) {
    case 'succeeded':
      return t('Succeeded')
    case 'failed':
      return t('Failed')
    case 'running':
      return t('Running')
    default:
      return String(status)
  }
}

import { CircleAlert, CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { type Output, useAsk, useConsole } from '../ask.ts'

/** Findings of `countersign doctor` on this server. */
export function Health() {
  const { role } = useConsole()
  const health = useAsk('listFindings', {}, { enabled: role !== 'support' })
  if (role === 'support') return null
  const findings = health.data?.results ?? []
  const wrong = findings.filter(({ status }) => status === 'fault' || status === 'warning')
  const passed = findings.filter(({ status }) => status === 'ok')
  return (
    <Card aria-labelledby="health">
      <CardHeader
        id="health"
        title={t('Health')}
        isNarrow
        aside={
          <IconButton label={t('Check again')} onClick={health.refetch}>
            <RefreshCw size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {health.data &&
          (wrong.length === 0
            ? t('{count, plural, one {# check passed} other {# checks passed}}', { count: passed.length })
            : t('{count, plural, one {# finding} other {# findings}}', { count: wrong.length }))}
      </CardHeader>
      <ReadingStatus reading={health} failure={t('The checks could not be run')} bare />
      {wrong.length > 0 && (
        <ul className="divide-y divide-line" aria-label={t('Health')}>
          {wrong.map((finding) => (
            <Wrong key={`${finding.area} ${finding.check}`} finding={finding} />
          ))}
        </ul>
      )}
      {passed.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="inline-flex min-h-11 items-center font-semibold text-accent">
            {t('Passed checks')}
          </summary>
          <ul dir="ltr" className="flex flex-col gap-1.5">
            {passed.map(({ area, check, message }) => (
              <li key={`${area} ${check}`} className="flex items-start gap-2">
                <CircleCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-ok" />
                <span className="min-w-0 wrap-anywhere">
                  <span className="text-muted">{area}:</span> {message}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

/** Texts of the doctor are in English, as in the terminal. */
function Wrong({
  finding: { area, status, message, meaning, fix },
}: {
  finding: Output<'listFindings'>['results'][number]
}) {
  const Icon = status === 'fault' ? CircleAlert : TriangleAlert
  return (
    <li className="flex items-start gap-3 py-3">
      <Icon
        size={20}
        aria-hidden="true"
        className={`mt-0.5 shrink-0 ${status === 'fault' ? 'text-danger' : 'text-warn'}`}
      />
      <div dir="ltr" lang="en" className="min-w-0 text-sm wrap-anywhere">
        <p className="font-semibold">
          <span className="sr-only">{status === 'fault' ? t('Fault') : t('Warning')}: </span>
          <span className="font-normal text-muted">{area}:</span> {message}
        </p>
        {meaning && <p className="mt-0.5 text-muted">{meaning}</p>}
        {fix && <p className="mt-0.5">{fix}</p>}
      </div>
    </li>
  )
}

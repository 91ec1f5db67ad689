import type { CountersignError } from '@countersign/react'
import type { ComponentProps } from 'react'
import { t } from '../../i18n/translate.ts'
import { Card } from '../Card.tsx'
import { LoadFailure } from './EmptyState.tsx'
import { RowsSkeleton } from './RowsSkeleton.tsx'

type Props = ComponentProps<typeof RowsSkeleton> & {
  reading: {
    readonly status: 'pending' | 'success' | 'error'
    readonly data?: unknown
    readonly error?: CountersignError | undefined
    readonly refetch: () => unknown
  }
  failure: string
  /** Reports a failure above data from before, too. */
  always?: boolean
}

/** Stands for data that is not there: a skeleton while it loads, or the reason why it could not be loaded. */
export function ReadingStatus({ reading, failure, always = false, label = t('Loading…'), ...skeleton }: Props) {
  const { status, data, error, refetch } = reading
  if (status === 'pending') return <RowsSkeleton label={label} {...skeleton} />
  if (!error || (data !== undefined && !always)) return null
  const shown = <LoadFailure title={failure} error={error} onRetry={() => void refetch()} />
  return skeleton.bare ? shown : <Card className={data === undefined ? undefined : 'mb-6'}>{shown}</Card>
}

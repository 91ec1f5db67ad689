import { t } from '../../i18n/translate.ts'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'

export function OverviewSkeleton() {
  return (
    <>
      <RowsSkeleton label={t('Loading…')} titled rows={2} />
      <RowsSkeleton titled rows={2} />
    </>
  )
}

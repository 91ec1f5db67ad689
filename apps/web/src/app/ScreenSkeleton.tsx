import { t } from '../i18n/translate.ts'
import { Skeleton } from '../ui/feedback/Skeleton.tsx'

/** While a screen's code is on its way for the first time. */
export function ScreenSkeleton() {
  return (
    <div role="status" className="mx-auto flex w-full max-w-2xl animate-wait flex-col gap-4 px-4 pt-8 sm:pt-16">
      <span className="sr-only">{t('Loading…')}</span>
      <Skeleton className="h-9 w-2/3" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="mt-4 h-40 w-full rounded-card" />
    </div>
  )
}

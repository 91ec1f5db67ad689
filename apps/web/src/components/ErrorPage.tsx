import { useRouteError } from 'react-router'
import { BootFailure } from './BootFailure.tsx'

/** A screen that broke, or whose code could not be fetched (after a new release, or offline). */
export function ErrorPage() {
  const error = useRouteError()
  const reason = error instanceof Error ? error.message : 'Something unexpected happened on this page.'
  return <BootFailure reason={reason} onRetry={() => window.location.reload()} />
}

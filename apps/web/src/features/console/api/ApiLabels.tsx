import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import type { ApiEndpoint } from './apiDescription.ts'

/** The method of a request, by color: reads, changes, removals. */
export function Method({ name }: { name: string }) {
  return <Badge tone={name === 'GET' ? 'ok' : name === 'DELETE' ? 'warn' : 'accent'}>{name}</Badge>
}

export function describeAccess(access: ApiEndpoint['access']): string {
  if (access === 'anyone') return t('Everyone')
  return access === 'master' ? t('Master key') : t('Operators')
}

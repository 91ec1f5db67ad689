import type { OperatorRole, UserStatus } from '@countersign/protocol'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'

export function describeRole(role: OperatorRole): string {
  if (role === 'admin') return t('Administrator')
  return role === 'support' ? t('Support') : t('Viewer')
}

/** Number of members, or the least number where not all were counted. */
export function describeMembers(count: number, isMore: boolean): string {
  if (isMore) return t('{count}+ members', { count: formatNumber(count) })
  return t('{count, plural, one {# member} other {# members}}', { count })
}

export function describeStatus(status: UserStatus): string {
  if (status === 'active') return t('Active')
  return status === 'disabled' ? t('Disabled') : t('Scheduled for deletion')
}

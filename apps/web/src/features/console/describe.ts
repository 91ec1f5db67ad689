import type { OperatorRole, UserStatus } from '@countersign/protocol'
import { byLocale, formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'

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

const bytes = byLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }),
)

export function formatSize(size: number): string {
  return bytes().format(size / 1_000_000)
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
const sizes = units.map((unit) =>
  byLocale(
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        maximumFractionDigits: 1,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
      }),
  ),
)

/** The size of a file, in the unit that fits it. */
export function formatBytes(size: number): string {
  const place = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(size, 1)) / 3))
  return sizes[place]?.().format(size / 1000 ** place) ?? String(size)
}

const minutes = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))

/** A day and a time of day without seconds, for lists and charts. */
export function formatMinute(date: Date): string {
  return minutes().format(date)
}

const milliseconds = byLocale((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' }))

export function formatDuration(ms: number): string {
  return milliseconds().format(ms)
}

import { byLocale } from '../../i18n/format.ts'

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

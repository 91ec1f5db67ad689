const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

export function formatDate(date: Date): string {
  return day.format(date)
}

/** A query put together by hand. */
export type Built = {
  table: string
  /** Function of the figure. */
  figure: 'rows' | 'count' | 'sum' | 'avg' | 'min' | 'max'
  field: string
  group: string
  /** Part of a time that is grouped by. */
  unit: 'hour' | 'day' | 'week' | 'month'
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The query as SQL, to run or to go on with. */
export function writeSelect({ table, figure, field, group, unit }: Built, typeOf: (name: string) => string): string {
  const from = `from ${quote(table)}`
  if (figure === 'rows') return `select *\n${from}\norder by "createdAt" desc\nlimit 100`
  const value = figure === 'count' ? 'count(*)' : `${figure}(${quote(field)})`
  if (group === '') return `select ${value} as value\n${from}`
  const isTime = typeOf(group) === 'timestamptz'
  const by = isTime ? `date_trunc('${unit}', ${quote(group)})` : quote(group)
  const order = isTime ? 'order by 1' : 'order by value desc'
  return `select ${by} as ${quote(isTime ? unit : group)}, ${value} as value\n${from}\ngroup by 1\n${order}\nlimit 100`
}

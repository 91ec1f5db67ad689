import { type Fragment, sql } from '../../../db/sql.ts'
import type { Operator, Write } from '../Operator.ts'
import { asDate, invalid, isObject, shown, type Value } from '../Value.ts'
import type { Place } from '../Work.ts'

const part = (field: string) => (local: Fragment) => sql`date_part('${sql.raw(field)}', ${local})`

const parts: { [name: string]: (local: Fragment) => Fragment } = {
  $year: part('year'),
  $month: part('month'),
  $dayOfMonth: part('day'),
  $dayOfYear: part('doy'),
  $hour: part('hour'),
  $minute: part('minute'),
  $second: (local) => sql`floor(date_part('second', ${local}))`,
  $millisecond: (local) => sql`mod(date_part('milliseconds', ${local})::numeric, 1000)::double precision`,
  // Sunday is the first day.
  $dayOfWeek: (local) => sql`(date_part('dow', ${local}) + 1)`,
  $week: (local) => sql`floor((date_part('doy', ${local}) + 6 - date_part('dow', ${local})) / 7)`,
  $isoDayOfWeek: part('isodow'),
  $isoWeek: part('week'),
  $isoWeekYear: part('isoyear'),
}

/** PostgreSQL format of each `$dateToString` directive. */
const directives: { [directive: string]: string } = {
  Y: 'YYYY',
  m: 'MM',
  d: 'DD',
  H: 'HH24',
  M: 'MI',
  S: 'SS',
  L: 'MS',
  j: 'DDD',
  G: 'IYYY',
  V: 'IW',
  u: 'ID',
  b: 'Mon',
  B: 'FMMonth',
}

const units = new Set(['millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])

export const dates: [string, Operator][] = [
  ...Object.entries(parts).map(([name, write]): [string, Operator] => [
    name,
    (place, argument, inner) => ({ sql: write(local(place, name, argument, inner)), type: 'number' }),
  ]),
  [
    '$dateToString',
    (place, argument, write) => {
      const format = isObject(argument) ? (argument.format ?? '%Y-%m-%dT%H:%M:%S.%LZ') : undefined
      if (typeof format !== 'string') throw invalid('$dateToString needs an object with date and a format.')
      return { sql: formatDate(local(place, '$dateToString', argument, write), format), type: 'text' }
    },
  ],
  [
    '$dateTrunc',
    (place, argument, write) => {
      const unit = isObject(argument) ? argument.unit : undefined
      if (typeof unit !== 'string' || !units.has(unit))
        throw invalid(`$dateTrunc needs a unit: ${[...units].join(', ')}.`)
      const piece = local(place, '$dateTrunc', argument, write)
      return { sql: sql`(date_trunc('${sql.raw(unit)}', ${piece}) at time zone ${zone(argument)})`, type: 'date' }
    },
  ],
]

/** The date as a clock on the wall of its time zone shows it. */
function local(place: Place, name: string, argument: unknown, write: Write): Fragment {
  const given = Array.isArray(argument) && argument.length === 1 ? argument[0] : argument
  const isNamed = isObject(given) && Object.hasOwn(given, 'date')
  if (isObject(given) && !isNamed && ['timezone', 'format', 'unit'].some((key) => Object.hasOwn(given, key))) {
    throw invalid(`${name} needs a date.`)
  }
  const value: Value = write(place, isNamed ? given.date : given)
  return sql`(${asDate(value)} at time zone ${zone(given)})`
}

function zone(argument: unknown): Fragment {
  const timezone = isObject(argument) && Object.hasOwn(argument, 'timezone') ? argument.timezone : 'UTC'
  if (typeof timezone === 'string') {
    // As an interval: as a text PostgreSQL would read the sign the other way round.
    const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(timezone) ?? []
    if (hours) return sql`${sql.param(`${hours}:${minutes}`)}::interval`
    if (isTimeZone(timezone)) return sql`${sql.param(timezone)}::text`
  }
  throw invalid(`Unknown time zone ${shown(timezone)}.`)
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function formatDate(piece: Fragment, format: string): Fragment {
  const pieces = [...format.matchAll(/%(.)|([^%]+|%$)/gsu)].map(([, directive, plain]) => {
    if (directive === undefined || directive === '%') return sql`${sql.param(directive ?? plain)}::text`
    if (!Object.hasOwn(directives, directive)) throw invalid(`$dateToString does not support %${shown(directive)}.`)
    return sql`to_char(${piece}, '${sql.raw(directives[directive] ?? '')}')`
  })
  return sql`(${sql.join([sql`''`, ...pieces], ' || ')})`
}

import { CountersignError, type WireDate } from '@countersign/protocol'

const second = 1000
const units = new Map([
  ['second', second],
  ['sec', second],
  ['minute', 60 * second],
  ['min', 60 * second],
  ['hour', 3600 * second],
  ['hr', 3600 * second],
  ['day', 86_400 * second],
  ['week', 7 * 86_400 * second],
  ['wk', 7 * 86_400 * second],
  ['month', 30 * 86_400 * second],
  ['year', 365 * 86_400 * second],
  ['yr', 365 * 86_400 * second],
])
const mend = `use "now", "in 2 days 1 hour" or "3 weeks ago"`

/** `2 days ago`, `in 1 hour 30 minutes`, `now`. */
export function readRelativeTime(text: unknown, now: Date): WireDate {
  const words = typeof text === 'string' && text.length < 200 ? text.toLowerCase().trim().split(/\s+/) : refuse()
  if (words.length === 1 && words[0] === 'now') return { __type: 'Date', iso: now.toISOString() }
  const ahead = words[0] === 'in'
  const ago = words.at(-1) === 'ago'
  if (ahead === ago) refuse()
  const parts = ahead ? words.slice(1) : words.slice(0, -1)
  if (parts.length === 0 || parts.length % 2 !== 0) refuse()
  let sum = 0
  for (let index = 0; index < parts.length; index += 2) {
    const unit = units.get((parts[index + 1] ?? '').replace(/s$/, '')) ?? refuse()
    if (!/^\d{1,6}$/.test(parts[index] ?? '')) refuse()
    sum += Number(parts[index]) * unit
  }
  const time = now.getTime() + (ahead ? sum : -sum)
  if (Math.abs(time) > 8e15) refuse()
  return { __type: 'Date', iso: new Date(time).toISOString() }
}

function refuse(): never {
  throw new CountersignError('InvalidJson', `bad $relativeTime value: ${mend}.`)
}

import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Pattern } from './patterns/Pattern.ts'
import { readPattern } from './patterns/readPattern.ts'
import type { Reading } from './Reading.ts'

/** `$regex` with its `$options`. */
export function readRegex(reading: Reading, source: WireValue, options: WireValue | undefined): Pattern {
  const { allowRegex, regexLength, regexCount } = reading.config.requestComplexity
  if (!allowRegex) throw new CountersignError('OperationForbidden', 'Queries with $regex are switched off here.')
  if (typeof source !== 'string') throw new CountersignError('InvalidJson', 'bad regex: should be a text')
  if (options !== undefined && (typeof options !== 'string' || !/^[imxsu]*$/.test(options))) {
    throw new CountersignError('InvalidQuery', `Bad $options value for query: ${String(options).slice(0, 20)}`)
  }
  const { patterns } = reading
  patterns.count++
  patterns.length += source.length
  // Each is tried on every row that the others leave, and on the embedded database nobody else is served meanwhile.
  if (patterns.count > regexCount)
    throw new CountersignError('InvalidQuery', `A query may have ${regexCount} patterns at most.`)
  if (patterns.length > 2 * regexLength)
    throw new CountersignError('InvalidQuery', `The patterns of a query may have ${2 * regexLength} letters in all.`)
  return readPattern(source, options ?? '', regexLength)
}

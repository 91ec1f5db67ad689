import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Pattern } from './patterns/Pattern.ts'
import { readPattern } from './patterns/readPattern.ts'
import type { Reading } from './Reading.ts'

/** `$regex` with its `$options`. */
export function readRegex(reading: Reading, source: WireValue, options: WireValue | undefined): Pattern {
  const { allowRegex, regexLength } = reading.config.requestComplexity
  if (!allowRegex) throw new CountersignError('OperationForbidden', 'Queries with $regex are switched off here.')
  if (typeof source !== 'string') throw new CountersignError('InvalidJson', 'bad regex: should be a text')
  if (options !== undefined && (typeof options !== 'string' || !/^[imxsu]*$/.test(options))) {
    throw new CountersignError('InvalidQuery', `Bad $options value for query: ${String(options).slice(0, 20)}`)
  }
  return readPattern(source, options ?? '', regexLength)
}

import { CountersignError, refuse } from '@countersign/protocol'

/** The refusal that an error stands for; `undefined` where it is a failure of ours. */
export function toCountersignError(error: unknown): CountersignError | undefined {
  if (error instanceof CountersignError) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return refuse('bodyTooLarge')
  }
  if (typeof code !== 'string') return undefined
  if (code.startsWith('FST_ERR_CTP') || code === 'FST_ERR_BAD_URL')
    return new CountersignError('InvalidJson', 'The request cannot be read.')
  // Our own functions in the database refuse with CS and the code.
  if (/^CS\d{3}$/.test(code)) return new CountersignError(Number(code.slice(2)), String(message))
  // Class 22: a value that the database cannot hold, such as a number out of range or half a surrogate pair.
  if (/^22...$/.test(code)) {
    return new CountersignError(
      'InvalidJson',
      'A value cannot be stored: a number is out of range, or a text is not valid Unicode.',
    )
  }
  // Nested deeper, or with more parts, than the database reads.
  if (code === '54001' || code === '54023') {
    return new CountersignError('InvalidQuery', 'The request is too complex. Ask for less at once.')
  }
  // Class 54: more than the database takes, such as a long text in a field that has an index.
  if (/^54...$/.test(code)) {
    return new CountersignError(
      'ObjectTooLarge',
      'A value is too large: a field with an index holds about 2,600 bytes at most.',
    )
  }
  return undefined
}

import { CountersignError } from '@countersign/protocol'

/** Bytes of JSON from outside, unless the operator says otherwise. */
const usualJsonLimit = 1024 * 1024

/** Maximum nesting of a request. */
export const deepestJson = 200

/** Shorter texts cannot hold enough to matter. */
const unchecked = 2_048

/**
 * Parses JSON from a stranger. The time of parsing depends on the number of values, and above all of names, not on
 * bytes: both are counted first, a millisecond per million bytes. Throws the errors of `JSON.parse`, and 107 if there
 * is too much.
 */
export function parseJson(text: string | Buffer, limit = usualJsonLimit): unknown {
  if (text.length > unchecked) checkJson(typeof text === 'string' ? Buffer.from(text) : text, limit)
  return JSON.parse(typeof text === 'string' ? text : text.toString('utf8'))
}

/** One value in twenty bytes, one name in a hundred: more than any honest request has by far, at the limit of its size. */
function checkJson(bytes: Buffer, limit = usualJsonLimit): void {
  const most = { values: Math.ceil(limit / 20), names: Math.ceil(limit / 100), depth: deepestJson }
  const exceeded = createJsonCounter(most)(bytes)
  if (exceeded === 'depth') throw tooMuch(`Values can be nested at most ${most.depth} levels deep.`)
  if (exceeded === 'values')
    throw tooMuch(`A request can have at most ${most.values} values. Split it into smaller requests.`)
  if (exceeded === 'names')
    throw tooMuch(`A request can have at most ${most.names} named values. Split it into smaller requests.`)
}

export type JsonLimits = { values: number; names: number; depth: number }

/** Counts what JSON holds while it arrives, chunk by chunk. Returns the limit that is exceeded, or undefined. */
export function createJsonCounter(most: JsonLimits): (bytes: Uint8Array) => keyof JsonLimits | undefined {
  let values = 0
  let names = 0
  let depth = 0
  let isText = false
  let isEscaped = false
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      if (isText) {
        // Skips a string: its content has no meaning here.
        for (; at < bytes.length; at++) {
          if (isEscaped) isEscaped = false
          else if (bytes[at] === backslash) isEscaped = true
          else if (bytes[at] === quote) break
        }
        if (at < bytes.length) isText = false
        continue
      }
      switch (bytes[at]) {
        case quote:
          isText = true
          break
        case comma:
          values++
          break
        case colon:
          names++
          break
        case openBracket:
        case openBrace:
          values++
          depth++
          if (depth > most.depth) return 'depth'
          break
        case closeBracket:
        case closeBrace:
          depth--
      }
      if (values > most.values) return 'values'
      if (names > most.names) return 'names'
    }
    return undefined
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a] as const
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d] as const

function tooMuch(message: string): CountersignError {
  return new CountersignError('InvalidJson', message)
}

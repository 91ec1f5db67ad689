import { CountersignError } from '@countersign/protocol'

/** Bytes of JSON from outside, unless the operator says otherwise. */
const usualJsonLimit = 1024 * 1024

/** What a request holds at most, however it is nested. */
export const deepestJson = 200

/** Shorter texts cannot hold enough to matter. */
const unchecked = 2_048

/**
 * Reads JSON that a stranger wrote. Parsing takes its time by the number of values, and above all of names, not by
 * bytes: both are counted first, which takes a millisecond for a million bytes. Throws what `JSON.parse` throws, and
 * 107 where there is too much.
 */
export function parseJson(text: string | Buffer, limit = usualJsonLimit): unknown {
  if (text.length > unchecked) checkJson(typeof text === 'string' ? Buffer.from(text) : text, limit)
  return JSON.parse(typeof text === 'string' ? text : text.toString('utf8'))
}

/** One value in twenty bytes, one name in a hundred: more than any honest request has by far, at the limit of its size. */
function checkJson(bytes: Buffer, limit = usualJsonLimit): void {
  const mostValues = Math.ceil(limit / 20)
  const mostNames = Math.ceil(limit / 100)
  let values = 0
  let names = 0
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case quote:
        // To its end: what stands in a text has no meaning.
        for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
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
        if (depth > deepestJson) throw tooMuch(`Values may be nested ${deepestJson} levels deep at most.`)
        break
      case closeBracket:
      case closeBrace:
        depth--
    }
    if (values > mostValues) throw tooMuch(`A request may hold ${mostValues} values at most. Send less at once.`)
    if (names > mostNames) throw tooMuch(`A request may hold ${mostNames} named values at most. Send less at once.`)
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a] as const
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d] as const

function tooMuch(message: string): CountersignError {
  return new CountersignError('InvalidJson', message)
}

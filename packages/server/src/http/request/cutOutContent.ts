import { setImmediate } from 'node:timers/promises'
import { CountersignError } from '@countersign/protocol'
import { tooLarge } from './createBodies.ts'

const [quote, backslash] = [0x22, 0x5c]

const name = Buffer.from('"base64"')

const beforeContent = /^\s*:\s*"/

/**
 * Takes the content out of a body in which an older client sends a file as base64 in JSON. What is left is small and
 * read like any other body; millions of letters are never parsed, only looked through for their end.
 */
export function cutOutContent(body: Buffer, limit: number): { rest: Buffer; content?: Buffer } {
  if (body.length <= limit) return { rest: body }
  let depth = 0
  let start = 0
  let end = 0
  for (let at = 0; at < body.length; at++) {
    if (at - (end - start) > limit) throw tooLarge()
    const byte = body[at]
    if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) depth--
    else if (byte === quote) {
      const colon = depth === 1 && startsWith(body, at, name) ? at + name.length : undefined
      const [opening] =
        colon === undefined ? [] : (beforeContent.exec(body.toString('latin1', colon, colon + 50)) ?? [])
      if (colon === undefined || opening === undefined) {
        for (at++; at < body.length && body[at] !== quote; at++) {
          if (body[at] === backslash) at++
          if (at - (end - start) > limit) throw tooLarge()
        }
        continue
      }
      // Of two that have this name the last counts, as everywhere in JSON.
      start = colon + opening.length
      end = body.indexOf(quote, start)
      if (end < 0 || body[end - 1] === backslash) throw notBase64()
      at = end
    }
  }
  const rest = Buffer.concat([body.subarray(0, start), body.subarray(end)])
  if (rest.length > limit) throw tooLarge()
  return { rest, content: body.subarray(start, end) }
}

function startsWith(body: Buffer, at: number, text: Buffer): boolean {
  return body.compare(text, 0, text.length, at, Math.min(at + text.length, body.length)) === 0
}

/** Letters that are decoded at once: about a millisecond of work. */
const step = 256 * 1024

/** Decodes base64 inside JSON, where a slash may be escaped. */
export async function* decodeContent(content: Buffer): AsyncGenerator<Buffer> {
  let length = content.length
  for (;;) {
    const last = content[length - 1]
    if (last === 0x20 || last === 0x0a || last === 0x0d) length--
    else if ((last === 0x6e || last === 0x72) && content[length - 2] === backslash) length -= 2
    else break
  }
  let left = ''
  for (let at = 0; at < length; at += step) {
    if (at > 0) await setImmediate()
    const isLast = at + step >= length
    const text = (left + content.toString('latin1', at, Math.min(at + step, length))).replaceAll('\\/', '/')
    const whole = isLast ? text.length : Math.floor((text.length - (text.endsWith('\\') ? 1 : 0)) / 4) * 4
    left = text.slice(whole)
    const taken = text.slice(0, whole)
    if (!(isLast ? /^[\w+/-]+={0,2}$/ : /^[\w+/-]*$/).test(taken)) throw notBase64()
    yield Buffer.from(taken, 'base64')
  }
}

export function notBase64(): CountersignError {
  return new CountersignError('FileSaveError', 'Invalid file upload.', { details: 'base64 must contain the content.' })
}

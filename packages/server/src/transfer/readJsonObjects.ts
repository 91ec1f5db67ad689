import { createByteQueue } from './createByteQueue.ts'
import { TransferError } from './Source.ts'

/** More than MongoDB keeps in one object, and than any server of Parse takes. */
const largest = 64 * 1024 * 1024

const [quote, backslash, open, close, listOpen, listClose] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/** `end` is where the object ends in the file; `value` is absent where it is not JSON. */
export type JsonObject = { value?: Record<string, unknown>; end: number }

/**
 * The objects of a list, of `{ "results": [ … ] }` or of lines, as their bytes come in. Only the ends of objects are
 * looked for; the rest is JSON.parse's work, which is far quicker than any parser that gives tokens. `from` is the end of
 * an object that was read before: the bytes are those that follow.
 */
export async function* readJsonObjects(bytes: AsyncIterable<Buffer>, from = 0): AsyncGenerator<JsonObject[]> {
  const queue = createByteQueue()
  let held = queue.bytes
  /** Offset of `held` in the file. */
  let base = from
  let at = 0
  let started = from > 0
  let ended = false
  let start = -1
  let depth = 0
  let inText = false

  for await (const chunk of bytes) {
    if (ended) break
    queue.append(chunk)
    held = queue.bytes
    if (!started) {
      const head = findHead(held)
      if (head === undefined && held.length < 4096) continue
      at = head ?? 0
      started = true
    }
    const found = scan()
    const keep = start < 0 ? at : start
    queue.drop(keep)
    held = queue.bytes
    base += keep
    at -= keep
    if (start >= 0) start = 0
    if (held.length > largest) throw new TransferError(`An object is larger than ${largest / 1024 / 1024} MiB.`)
    if (found.length > 0) yield found
  }
  if (!started && held.length > 0) {
    at = findHead(held) ?? 0
    const found = scan()
    if (found.length > 0) yield found
  }
  if (depth > 0) throw new TransferError('The file is incomplete: it ends in the middle of an object.')

  function scan(): JsonObject[] {
    const found: JsonObject[] = []
    const { length } = held
    while (at < length) {
      if (inText) {
        const end = held.indexOf(quote, at)
        if (end < 0) {
          at = length
          break
        }
        at = end + 1
        if (!isEscaped(held, end)) inText = false
        continue
      }
      const byte = held[at++]
      if (byte === quote) inText = depth > 0
      else if (byte === open || (byte === listOpen && depth > 0)) {
        if (depth++ === 0) start = at - 1
      } else if (depth > 0 && (byte === close || byte === listClose)) {
        if (--depth > 0) continue
        found.push({ ...parse(held.toString('utf8', start, at)), end: base + at })
        start = -1
      } else if (byte === listClose) {
        ended = true
        at = length
      }
    }
    return found
  }
}

/** Offset of the first object; `undefined` while unknown. */
function findHead(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1', 0, 4096)
  const mark = text.startsWith('\xef\xbb\xbf') ? 3 : 0
  const [wrapped] = /^\s*(?:\{\s*"results"\s*:\s*)?\[/.exec(text.slice(mark)) ?? []
  if (wrapped !== undefined) return mark + wrapped.length
  return /^\s*\{\s*"[^"r]/.test(text.slice(mark)) || /^\s*\{\s*\}/.test(text.slice(mark)) ? mark : undefined
}

/** A quote behind an odd number of backslashes belongs to the text. */
function isEscaped(bytes: Buffer, place: number): boolean {
  let count = 0
  while (bytes[place - 1 - count] === backslash) count++
  return count % 2 === 1
}

function parse(text: string): { value?: Record<string, unknown> } {
  try {
    return { value: JSON.parse(text) as Record<string, unknown> }
  } catch {
    return {}
  }
}

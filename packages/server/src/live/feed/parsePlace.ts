import type { Mark, Place } from './Place.ts'

/** As many as a database may have connections, and more; every one takes a few letters. */
const mostUnderWay = 10_000
const longest = 60_000

const pattern = /^([\w-]{8})\.([0-9a-z_]+)(?:\.([0-9a-z_]+)\.([0-9a-z]{1,11}))?$/

/** What a client gives back need not be what it was given: a place is exactly what `encodePlace` writes, or nothing. */
export function parsePlace(text: string): Place | undefined {
  if (text.length > longest) return undefined
  const [, incarnation, low, high, id] = pattern.exec(text) ?? []
  const lowMark = parseMark(low)
  if (incarnation === undefined || !lowMark) return undefined
  if (high === undefined) return { incarnation, low: lowMark }
  const highMark = parseMark(high)
  const number = parseNumber(id)
  return highMark && number !== undefined
    ? { incarnation, low: lowMark, part: { high: highMark, id: number } }
    : undefined
}

function parseMark(text: string | undefined): Mark | undefined {
  const numbers = text?.split('_').map(parseNumber) ?? []
  const [xmax, last, ...distances] = numbers
  if (xmax === undefined || xmax < 1 || last === undefined || distances.length > mostUnderWay) return undefined
  const underWay: number[] = []
  for (const distance of distances) {
    const xid = xmax - (distance ?? xmax)
    if (xid < 1 || xid >= xmax || xid <= (underWay.at(-1) ?? 0)) return undefined
    underWay.push(xid)
  }
  return { xmax, underWay, last }
}

function parseNumber(text: string | undefined): number | undefined {
  if (!text || text.length > 11) return undefined
  const number = Number.parseInt(text, 36)
  return Number.isSafeInteger(number) && number.toString(36) === text ? number : undefined
}

import type { WireValue } from '@countersign/protocol'

/** A parameter of an event, as an ABI writes it. */
export type EventInput = { name?: string; type: string; indexed?: boolean; components?: readonly EventInput[] }

/** Thrown for a log that does not match the event. Any contract may write any log. */
class Misfit extends Error {
  override readonly name = 'Misfit'
}

const word = 64

/** Larger whole numbers than this many bits are decimal text: a number of JSON would lose digits. */
export const exactBits = 48

/** Words that may still be read; values that refer to one another would grow without end otherwise. */
type Reading = { data: string; left: number }

/** Reads a value of one type. `at` and `base` count letters of the data, whose first two are `0x`. */
type Reader = {
  /** Digits that it takes where it stands. */
  size: number
  isDynamic: boolean
  /** Has no word of its own: its parts do. */
  isComposite?: true
  read(reading: Reading, at: number): WireValue
}

/** Reads the parameters of an event from a log; `undefined` where the log does not fit. */
export type EventReader = (log: { topics: readonly string[]; data: string }) => WireValue[] | undefined

/**
 * Written by hand: a library for every type and form costs ten times as much. Addresses and bytes are lower-case text,
 * tuples are objects.
 */
export function createEventReader(inputs: readonly EventInput[]): EventReader {
  const places = placesOf(inputs)
  const readers = inputs.map((input) => (input.indexed && !isElementary(input.type) ? hashReader : readerOf(input)))
  const topicCount = 1 + inputs.filter(({ indexed }) => indexed).length
  return ({ topics, data }) => {
    if (topics.length !== topicCount) return undefined
    // The amount read is limited by the size of the data: lists that point at one another must not multiply it.
    const reading: Reading = { data: data.toLowerCase(), left: data.length / word + 1_000 }
    const inTopic: Reading = { data: '', left: 0 }
    const values: WireValue[] = []
    try {
      let topic = 1
      for (let index = 0; index < readers.length; index++) {
        const [reader, place] = [readers[index] as Reader, places[index]]
        if (place === undefined) {
          const text = topics[topic++] ?? ''
          if (text.length !== start + word) return undefined
          inTopic.data = text.toLowerCase()
          values.push(reader.read(inTopic, start))
        } else values.push(readAt(reading, reader, place, start))
      }
      return values
    } catch (error) {
      if (error instanceof Misfit) return undefined
      throw error
    }
  }
}

/**
 * Returns true if data matches these types and no word is read many times. A library that copies each value would turn
 * a few hundred kilobytes from a stranger's contract into gigabytes.
 */
export function isFitting(types: readonly EventInput[], data: string): boolean {
  try {
    return createEventReader(types.map((type) => ({ ...type, indexed: false })))({ topics: [''], data }) !== undefined
  } catch {
    return false
  }
}

/** Data and topics begin with `0x`. */
const start = 2

/** Offset of each parameter that is not a topic. */
function placesOf(inputs: readonly EventInput[]): (number | undefined)[] {
  let at = start
  return inputs.map((input) => {
    if (input.indexed) return undefined
    const place = at
    const { isDynamic, size } = readerOf(input)
    at += isDynamic ? word : size
    return place
  })
}

/** Returns true for types of one word. The topic of longer ones is a hash. */
function isElementary(type: string): boolean {
  return !type.endsWith(']') && !/^(string|bytes|tuple)$/.test(type)
}

const hashReader: Reader = { size: word, isDynamic: false, read: ({ data }, at) => `0x${slice(data, at, word)}` }

function slice(data: string, at: number, length: number): string {
  const text = data.slice(at, at + length)
  if (text.length !== length) throw new Misfit()
  return text
}

function spend(reading: Reading, words: number): void {
  reading.left -= words
  if (reading.left < 0) throw new Misfit()
}

/** Reads a value at its place, or at the offset in its place, counted from `base`. */
function readAt(reading: Reading, reader: Reader, at: number, base: number): WireValue {
  if (reader.isDynamic || !reader.isComposite) spend(reading, 1)
  if (!reader.isDynamic) return reader.read(reading, at)
  return reader.read(reading, base + 2 * count(reading.data, at))
}

/** A length or an offset. */
function count(data: string, at: number): number {
  const text = slice(data, at, word)
  const zeros = countZeros(text)
  const number = zeros === word ? 0 : Number(`0x${text.slice(zeros)}`)
  // NaN for invalid text.
  if (!(number <= data.length)) throw new Misfit()
  return number
}

function countZeros(text: string): number {
  let zeros = 0
  while (text.charCodeAt(zeros) === 48) zeros++
  return zeros
}

function readerOf({ type, components = [] }: EventInput): Reader {
  const list = /^(.*)\[(\d*)\]$/.exec(type)
  if (list)
    return listReader(readerOf({ type: list[1] as string, components }), list[2] === '' ? undefined : Number(list[2]))
  if (type === 'tuple') return tupleReader(components)
  if (type === 'string' || type === 'bytes') return bytesReader(type === 'string')
  if (type === 'address') return elementary((text) => `0x${text.slice(24)}`)
  if (type === 'bool') return elementary((text) => countZeros(text) < word)
  const bytes = /^bytes(\d+)$/.exec(type)
  if (bytes) return elementary((text) => `0x${text.slice(0, 2 * Number(bytes[1]))}`)
  const number = /^(u?)int(\d*)$/.exec(type)
  if (number) return numberReader(number[1] === 'u', Number(number[2] || 256))
  // A pointer to a function: an address and a selector.
  if (type === 'function') return elementary((text) => `0x${text.slice(0, 48)}`)
  throw new Error(`the type ${type.slice(0, 50)} cannot be decoded.`)
}

function elementary(read: (text: string) => WireValue): Reader {
  return { size: word, isDynamic: false, read: ({ data }, at) => read(slice(data, at, word)) }
}

/** So many digits are a number that JavaScript has exactly. */
const exactDigits = 13

const wordPattern = /^[0-9a-f]{64}$/

function numberReader(isUnsigned: boolean, bits: number): Reader {
  const isExact = bits <= exactBits
  // With fewer digits than the type has, the sign is never set and nothing is cut off.
  const shortDigits = Math.min(exactDigits, Math.ceil(bits / 4) - 1)
  return elementary((text) => {
    const zeros = countZeros(text)
    if (word - zeros <= shortDigits) {
      const number = zeros === word ? 0 : Number(`0x${text.slice(zeros)}`)
      if (Number.isNaN(number)) throw new Misfit()
      return isExact ? number : String(number)
    }
    if (!wordPattern.test(text)) throw new Misfit()
    const number = BigInt(`0x${text}`)
    const value = isUnsigned ? BigInt.asUintN(bits, number) : BigInt.asIntN(bits, number)
    return isExact ? Number(value) : value.toString()
  })
}

function bytesReader(isText: boolean): Reader {
  return {
    size: word,
    isDynamic: true,
    read(reading, at) {
      const { data } = reading
      const text = slice(data, at + word, 2 * count(data, at))
      // By its length: a thousand offsets that lead to one long text would make a thousand copies of it.
      spend(reading, Math.floor(text.length / word))
      // PostgreSQL keeps no zero bytes.
      return isText ? Buffer.from(text, 'hex').toString('utf8').replaceAll('\0', '') : `0x${text}`
    },
  }
}

function listReader(item: Reader, length: number | undefined): Reader {
  if (length === 0 || item.size === 0) throw new Error('an empty list cannot be decoded.')
  const step = item.isDynamic ? word : item.size
  const readItems = (reading: Reading, at: number, items: number): WireValue => {
    if (at + items * step > reading.data.length) throw new Misfit()
    return Array.from({ length: items }, (_, index) => readAt(reading, item, at + index * step, at))
  }
  if (length === undefined)
    return {
      size: word,
      isDynamic: true,
      read: (reading, at) => readItems(reading, at + word, count(reading.data, at)),
    }
  return {
    size: step * length,
    isDynamic: item.isDynamic,
    isComposite: true,
    read: (reading, at) => readItems(reading, at, length),
  }
}

function tupleReader(components: readonly EventInput[]): Reader {
  if (components.length === 0) throw new Error('an empty tuple cannot be decoded.')
  const readers = components.map(readerOf)
  const places: number[] = []
  let size = 0
  for (const { isDynamic, size: own } of readers) {
    places.push(size)
    size += isDynamic ? word : own
  }
  const names = components.map(({ name }, index) => name || String(index))
  return {
    size,
    isDynamic: readers.some(({ isDynamic }) => isDynamic),
    isComposite: true,
    read: (reading, at) =>
      Object.fromEntries(
        readers.map((reader, index) => [names[index], readAt(reading, reader, at + (places[index] as number), at)]),
      ),
  }
}

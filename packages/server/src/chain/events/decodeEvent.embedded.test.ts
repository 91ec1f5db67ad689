import type { WireValue } from '@countersign/protocol'
import {
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  keccak256,
  parseAbiItem,
  parseAbiParameters,
  stringToBytes,
} from 'viem'
import { expect, test } from 'vitest'
import { createRandom } from '../../testing/createRandom.ts'
import { toPlain } from '../reads/abi.ts'
import { createEventReader, type EventInput } from './decodeEvent.ts'

type Input = EventInput & { name: string }

const { below } = createRandom(11)
const digits = (count: number) => Array.from({ length: count }, () => below(16).toString(16)).join('')

const simple = [
  'uint8',
  'uint32',
  'uint48',
  'uint56',
  'uint256',
  'int8',
  'int40',
  'int256',
  'address',
  'bool',
  'bytes1',
  'bytes32',
  'bytes',
  'string',
]

function makeType(depth: number): Pick<Input, 'type' | 'components'> {
  const kind = below(depth > 2 ? 1 : 4)
  if (kind === 2) {
    const { type, components } = makeType(depth + 1)
    return { type: `${type}[${below(2) ? '' : 1 + below(3)}]`, ...(components && { components }) }
  }
  if (kind === 3) return { type: 'tuple', components: makeInputs(depth + 1, 1 + below(3)) }
  return { type: simple[below(simple.length)] as string }
}

const makeInputs = (depth: number, count: number): Input[] =>
  Array.from({ length: count }, (_, index) => ({ name: `p${index}`, ...makeType(depth) }))

/** A value as viem takes it. */
function makeValue({ type, components = [] }: Pick<Input, 'type'> & { components?: readonly EventInput[] }): unknown {
  const list = /^(.*)\[(\d*)\]$/.exec(type)
  if (list) {
    const length = list[2] ? Number(list[2]) : below(4)
    return Array.from({ length }, () => makeValue({ type: list[1] as string, components }))
  }
  if (type === 'tuple') return Object.fromEntries(components.map((part) => [part.name, makeValue(part)]))
  if (type === 'address') return `0x${digits(40)}`
  if (type === 'bool') return below(2) === 1
  if (type === 'string') return ['', 'plain', 'ünï ©ôdé 🎈', 'x'.repeat(70)][below(4)]
  if (type === 'bytes') return `0x${digits(2 * below(80))}`
  const bytes = /^bytes(\d+)$/.exec(type)
  if (bytes) return `0x${digits(2 * Number(bytes[1]))}`
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  // Short ones and zero too: most numbers on a chain are.
  const whole = BigInt(`0x${digits(1 + below(64))}`) * BigInt(below(8) === 0 ? 0 : 1)
  const value = unsigned ? BigInt.asUintN(Number(bits), whole) : BigInt.asIntN(Number(bits), whole)
  return Number(bits) <= 48 ? Number(value) : value
}

/** The same value as it is kept: numbers of at most 48 bits are numbers. */
function expected({ type, components = [] }: EventInput, value: unknown): unknown {
  const list = /^(.*)\[\d*\]$/.exec(type)
  if (list) return (value as unknown[]).map((each) => expected({ type: list[1] as string, components }, each))
  if (type === 'tuple') {
    return Object.fromEntries(
      components.map((part) => [part.name, expected(part, (value as Record<string, unknown>)[part.name ?? ''])]),
    )
  }
  return typeof value === 'bigint' ? toPlain(value) : value
}

test('decodes every event to its written values, with any types', () => {
  for (let round = 0; round < 400; round++) {
    const inputs = makeInputs(0, 1 + below(5))
    const values = inputs.map(makeValue)
    const data = encodeAbiParameters(inputs as never, values as never)
    const read = createEventReader(inputs)({ topics: ['0x00'], data })
    expect(read).toEqual(inputs.map((input, index) => expected(input, values[index])))
    // A truncated log is not an event.
    const short = createEventReader(inputs)({ topics: ['0x00'], data: data.slice(0, 2 + 64 * below(data.length / 64)) })
    if (short !== undefined) expect(short).toHaveLength(inputs.length)
    expect(createEventReader(inputs)({ topics: ['0x00', `0x${'0'.repeat(64)}`], data })).toBeUndefined()
  }
})

test('indexed parameters are read from topics; of texts and lists the hash is kept', () => {
  const item = parseAbiItem(
    'event E(address indexed who, string indexed tag, uint256 amount, int16 indexed small, (uint8 a, bool b) pair)',
  )
  const args = { who: `0x${'ab'.repeat(20)}`, tag: 'sale', small: -3 } as never
  const topics = encodeEventTopics({ abi: [item], args }) as Hex[]
  const data = encodeAbiParameters(
    item.inputs.filter((input) => !('indexed' in input && input.indexed)) as never,
    [2n ** 200n, { a: 7, b: true }] as never,
  )
  const read = createEventReader(item.inputs as readonly EventInput[])({ topics, data })
  const tag = keccak256(stringToBytes('sale'))
  expect(read).toEqual([`0x${'ab'.repeat(20)}`, tag, String(2n ** 200n), -3, { a: 7, b: true }] as WireValue[])
})

test('a log whose words are no digits is left out', () => {
  for (const type of ['uint256', 'uint8', 'uint256[]'])
    for (const text of ['zz', '0x1', 'g'.repeat(64), '1g'])
      expect(
        createEventReader([{ name: 'a', type }])({ topics: ['0x00'], data: `0x${text.padStart(64, '0')}` }),
      ).toBeUndefined()
})

test('a log that refers to itself again and again is left out in time', () => {
  // Lists of lists of lists, each of whose entries leads to the same place.
  const inputs = [{ name: 'a', type: 'uint256[][][][][]' }]
  const words = (count: number, word: bigint) => word.toString(16).padStart(64, '0').repeat(count)
  const level = words(1, 40n) + words(40, 0n)
  const data = `0x${words(1, 32n)}${level}${level}${level}`
  const began = performance.now()
  createEventReader(inputs)({ topics: ['0x00'], data })
  const lie = `0x${words(1, 32n)}${words(1, 2n ** 40n)}`
  expect(createEventReader([{ name: 'a', type: 'uint256[]' }])({ topics: ['0x00'], data: lie })).toBeUndefined()
  expect(performance.now() - began).toBeLessThan(60_000)
})

const wordOf = (number: number) => number.toString(16).padStart(64, '0')

/** A list of so many texts, all of which are one and the same long one. */
const repeated = (count: number, length: number) =>
  `0x${wordOf(32)}${wordOf(count)}${wordOf(count * 32).repeat(count)}${wordOf(length)}${'61'.repeat(length)}`

test('SEC-29: a long text that a log refers to many times is not copied as often', () => {
  for (const type of ['string[]', 'bytes[]']) {
    const read = createEventReader([{ name: 'a', type }])
    expect(read({ topics: ['0x00'], data: repeated(1, 100_000) })).toHaveLength(1)
    expect(read({ topics: ['0x00'], data: repeated(3_000, 100_000) })).toBeUndefined()
  }
})

test('a long list of small structures is read whole', () => {
  const [item] = parseAbiParameters('(address a)[] list')
  const values = Array.from({ length: 5_000 }, () => ({ a: `0x${'ab'.repeat(20)}` as const }))
  const data = encodeAbiParameters([item], [values])
  const read = createEventReader([item as EventInput])({ topics: ['0x00'], data })
  expect(read?.[0]).toHaveLength(5_000)
})

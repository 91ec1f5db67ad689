import { z } from 'zod'
import { makeComparable } from './makeComparable.ts'
import { typed } from './typeNames.ts'

type Hex = `0x${string}`

const lower = (text: string) => text.toLowerCase() as Hex

export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
  .transform(lower)

export const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a hash: 0x and 64 hex digits')
  .transform(lower)

const blockText = /^(0|[1-9]\d{0,14}|0x[0-9a-fA-F]{1,12})$/

/** The number of a block: decimal or hex, as number or text. */
export const blockNumber = z
  .union([z.number().int().min(0).max(1e15), z.string().regex(blockText, 'must be the number of a block')], {
    error: 'must be the number of a block',
  })
  .transform(Number)
  .describe('The number of a block')

export const blockTag = z
  .union([z.literal('latest'), blockNumber], { error: 'must be the number of a block, or latest' })
  .default('latest')
  .transform((block): number | 'latest' => block)
  .describe('The number of a block, or latest')

/** A block as it is looked up: by number, by hash, the head or the newest that is final. */
export const anyBlock = z
  .union([z.enum(['latest', 'finalized']), hash, blockNumber], {
    error: 'must be a number, a hash, latest or finalized',
  })
  .describe('A number, a hash, `latest` or `finalized`')

export const date = z
  .union([z.number(), z.string().min(1).max(100)], { error: 'must be a date' })
  .transform((value) => new Date(/^-?\d{9,14}$/.test(String(value)) ? toMilliseconds(Number(value)) : value))
  .refine((value) => !Number.isNaN(value.getTime()), 'must be a date: ISO text, or seconds or milliseconds since 1970')
  .describe('A date: ISO text, or seconds or milliseconds since 1970')

/** Older clients send either. Milliseconds below a hundred thousand million are a time before 1973, of which no chain is. */
const toMilliseconds = (value: number) => (Math.abs(value) < 1e11 ? value * 1000 : value)

const mostId = 2n ** 256n

const idText = /^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/
const mustBeId = 'must be a whole number, decimal or hex'

/** The id of a collectible: decimal or hex. */
export const tokenId = z
  .union([z.number().int().min(0).max(Number.MAX_SAFE_INTEGER), z.string().regex(idText, mustBeId)], {
    error: mustBeId,
  })
  .transform((id) => BigInt(id).toString())
  .refine((id) => BigInt(id) < mostId, 'must be below 2^256')
  .describe('Token ID of an NFT, decimal or hex')

export const text = z
  .union([z.string().max(500), z.number()], { error: 'must be a text' })
  .transform(String)
  .refine((value) => value.length > 0 && value.length <= 500, 'must be a text of at most 500 characters')

export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .transform((value) => value === true || value === 'true')

const mostInList = 100

/** Several: a JSON list, or text with commas between. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  typed('string', z.preprocess(readList, z.array(item).min(1).max(mostInList))).describe(
    'List separated by commas; at most 100',
  )

/** Letters of a list as text: more is not looked through. */
const longestList = 100_000

function readList(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > longestList) return value
  return value.trim().startsWith('[') ? readJson(value) : value.split(',').map((each) => each.trim())
}

/** Returns the text itself if it is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (key, value) => {
      makeComparable(key, value)
      return value
    })
  } catch {
    return text
  }
}

export const mostRows = 500
const count = z
  .union([z.number(), z.string().regex(/^\d{1,9}$/, 'must be a whole number')], { error: 'must be a whole number' })
  .transform(Number)

export const page = {
  limit: count
    .refine((value) => Number.isInteger(value) && value >= 1, 'must be a whole number above 0')
    .transform((value) => Math.min(value, mostRows))
    .default(mostRows)
    .describe('Rows per page; at most 500'),
  cursor: z.string().max(500).optional().describe('Cursor of the previous page'),
  offset: count
    .refine((value) => Number.isInteger(value) && value >= 0 && value <= 10_000, 'must be a whole number up to 10,000')
    .optional()
    .describe('Rows to skip; a cursor is faster'),
}

export const order = z.enum(['asc', 'desc']).default('desc').describe('By block')

export const range = {
  fromBlock: blockNumber.optional(),
  toBlock: blockNumber.optional(),
  fromDate: date.optional(),
  toDate: date.optional(),
}

/** An ABI as compilers write it; errors inside are found when it is read. */
export const abi = typed(
  'unknown',
  z.union([z.string().max(500_000), z.array(z.looseObject({})).max(10_000), z.looseObject({})], {
    error: 'must be the JSON of a contract',
  }),
).describe('The JSON of a contract')

/** Parameters of a contract function. */
export const callParams = typed(
  'unknown',
  z.union([z.array(z.unknown()).max(1_000), z.record(z.string(), z.unknown())], {
    error: 'must be a list, or an object of names',
  }),
)
  .default({})
  .describe('By name or in order')

const topic = z.union([z.literal('').transform(() => null), z.null(), hash, z.array(hash).min(1).max(100)], {
  error: 'must be topics: 0x and 64 hex digits each',
})

export const topics = typed(
  'string',
  z.preprocess((value) => (typeof value === 'string' ? readTopics(value) : value), z.array(topic).max(4)),
).describe('Up to four topics separated by commas; an empty one matches any')

function readTopics(value: string): unknown {
  if (value.length > longestList) return value
  return value.startsWith('[') ? readJson(value) : value.split(',')
}

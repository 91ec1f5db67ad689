import { CountersignError } from '@countersign/protocol'
import { parseJson } from '../../encoding/parseJson.ts'
import { isFitting } from '../events/decodeEvent.ts'
import type { Abi, AbiEvent, AbiParameter } from '../evm.ts'
import type { CallResult, Hex } from '../nodes/Chain.ts'

/** Calls of the standards, coded by hand: there are many of them, and a coder of ABIs is slow and large. */
export const selectors = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  totalSupply: '0x18160ddd',
  balanceOf: '0x70a08231',
  allowance: '0xdd62ed3e',
  supportsInterface: '0x01ffc9a7',
  tokenURI: '0xc87b56dd',
  uri: '0x0e89341c',
  ownerOf: '0x6352211e',
  balanceOfId: '0x00fdd58e',
  getEthBalance: '0x4d2301cc',
  token0: '0x0dfe1681',
  token1: '0xd21220a7',
  getReserves: '0x0902f1ac',
  getPair: '0xe6a43905',
  getPool: '0x1698ee82',
  slot0: '0x3850c7bd',
  liquidity: '0x1a686502',
  resolver: '0x0178b8bf',
  addr: '0x3b3b57de',
  ensName: '0x691f3431',
  text: '0x59d1d43c',
} as const satisfies Record<string, Hex>

/** A call: the selector and its words. Addresses, hashes and numbers take one word each. */
export function encodeCall(selector: Hex, ...words: (string | bigint)[]): Hex {
  let data: Hex = selector
  for (const word of words)
    data = `${data}${(typeof word === 'bigint' ? word.toString(16) : word.slice(2)).padStart(64, '0')}`
  return data
}

/** Word at a place of a result, as a number; undefined if the call failed or there is none. */
export function findUint({ success, data }: CallResult, place = 0): bigint | undefined {
  const word = success ? data.slice(2 + place * 64, 66 + place * 64) : ''
  return word.length === 64 ? BigInt(`0x${word}`) : undefined
}

/** Address at a place of a result; undefined if there is none, or it is zero. */
export function findAddress(result: CallResult, place = 0): Hex | undefined {
  const number = findUint(result, place)
  if (number === undefined || number === 0n || number >> 160n) return undefined
  return `0x${number.toString(16).padStart(40, '0')}`
}

/** A text: as the standard has it, or in 32 bytes as tokens from before it. */
export function findText({ success, data }: CallResult): string | undefined {
  if (!success || data.length < 66) return undefined
  const bytes = Buffer.from(data.slice(2), 'hex')
  if (bytes.length === 32) return readUtf8(bytes.subarray(0, firstZero(bytes)))
  const offset = wordAt(bytes, 0)
  const length = wordAt(bytes, offset)
  if (Number.isNaN(length) || offset + 32 + length > bytes.length) return undefined
  return readUtf8(bytes.subarray(offset + 32, offset + 32 + length))
}

const firstZero = (bytes: Buffer) => {
  const at = bytes.indexOf(0)
  return at === -1 ? bytes.length : at
}

const wordAt = (bytes: Buffer, at: number) => {
  if (!(at >= 0) || at + 32 > bytes.length) return Number.NaN
  const number = BigInt(`0x${bytes.subarray(at, at + 32).toString('hex')}`)
  return number > 1_000_000n ? Number.NaN : Number(number)
}

/** Removes zero bytes, which PostgreSQL rejects, and invalid characters. */
const readUtf8 = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '').replaceAll('�', '')

type Kind = 'function' | 'event'

/** Functions and events of ERC-20, 721, 1155, 2612 and wrapped ether. Not made by a parser: viem is loaded on use. */
const signatures: readonly [Kind, string, string][] = [
  ['function', 'transfer', 'address to, uint256 value'],
  ['function', 'approve', 'address spender, uint256 value'],
  ['function', 'transferFrom', 'address from, address to, uint256 value'],
  [
    'function',
    'permit',
    'address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s',
  ],
  ['function', 'safeTransferFrom', 'address from, address to, uint256 tokenId'],
  ['function', 'safeTransferFrom', 'address from, address to, uint256 tokenId, bytes data'],
  ['function', 'setApprovalForAll', 'address operator, bool approved'],
  ['function', 'safeTransferFrom', 'address from, address to, uint256 id, uint256 value, bytes data'],
  ['function', 'safeBatchTransferFrom', 'address from, address to, uint256[] ids, uint256[] values, bytes data'],
  ['function', 'deposit', ''],
  ['function', 'withdraw', 'uint256 wad'],
  ['event', 'Transfer', 'address indexed from, address indexed to, uint256 value'],
  ['event', 'Transfer', 'address indexed from, address indexed to, uint256 indexed tokenId'],
  ['event', 'Approval', 'address indexed owner, address indexed spender, uint256 value'],
  ['event', 'Approval', 'address indexed owner, address indexed approved, uint256 indexed tokenId'],
  ['event', 'ApprovalForAll', 'address indexed owner, address indexed operator, bool approved'],
  [
    'event',
    'TransferSingle',
    'address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value',
  ],
  [
    'event',
    'TransferBatch',
    'address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values',
  ],
  ['event', 'URI', 'string value, uint256 indexed id'],
  ['event', 'Deposit', 'address indexed dst, uint256 wad'],
  ['event', 'Withdrawal', 'address indexed src, uint256 wad'],
  ['event', 'Sync', 'uint112 reserve0, uint112 reserve1'],
]

const readParameters = (text: string): (AbiParameter & { indexed?: boolean })[] =>
  text
    .split(', ')
    .filter(Boolean)
    .map((parameter) => {
      const words = parameter.split(' ')
      const [type = '', name = ''] = [words[0], words.at(-1)]
      return words.length === 3 ? { type, name, indexed: true } : { type, name }
    })

const standardAbi = signatures.map(([type, name, inputs]) =>
  type === 'function'
    ? { type, name, inputs: readParameters(inputs), outputs: [], stateMutability: 'nonpayable' }
    : { type, name, inputs: readParameters(inputs) },
) as Abi

const kinds = new Set(['function', 'event', 'error', 'constructor', 'fallback', 'receive'])

/** An ABI as callers send it: a list of JSON items, one item, or text of either. */
export async function readAbi(value: unknown): Promise<Abi> {
  const given = typeof value === 'string' ? parse(value) : value
  const items = Array.isArray(given) ? given : [given]
  const good = items.length > 0 && items.length <= 2_000 && items.every(isItem)
  if (!good)
    throw new CountersignError(
      'InvalidValue',
      'abi must be the JSON of a contract: a list of its functions and events.',
    )
  // Fields that older compilers omit.
  return items.map((item) => ({ type: 'function', inputs: [], outputs: [], ...item })) as unknown as Abi
}

const nameOfItem = /^[A-Za-z_$][\w$]{0,199}$/

/** Deeper than any contract goes: what reads types calls itself for each level. */
const deepest = 16

const typeOf = /^[a-z][a-z0-9]{0,31}(\[\d{0,9}\]){0,16}$/

function isItem(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const { type = 'function', name, inputs = [], outputs = [] } = item as Record<string, unknown>
  if (typeof type !== 'string' || !kinds.has(type)) return false
  const named = type === 'function' || type === 'event' || type === 'error'
  return (
    (!named || (typeof name === 'string' && nameOfItem.test(name))) && areParameters(inputs) && areParameters(outputs)
  )
}

const areParameters = (list: unknown, depth = 0): boolean =>
  Array.isArray(list) &&
  depth < deepest &&
  list.every((each) => {
    const { type, name = '', components } = (each ?? {}) as Record<string, unknown>
    if (typeof type !== 'string' || !typeOf.test(type) || typeof name !== 'string') return false
    return type.startsWith('tuple') ? areParameters(components, depth + 1) : true
  })

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Decodes a call, by an ABI or the token standards; undefined if none fits. */
export async function decodeCall(input: Hex, abi: Abi = standardAbi): Promise<Decoded | undefined> {
  if (input.length < 10) return undefined
  const { decodeFunctionData, toFunctionSelector, toFunctionSignature } = await import('../evm.ts')
  for (const item of abi) {
    if (item.type !== 'function' || toFunctionSelector(item) !== input.slice(0, 10)) continue
    try {
      const { args = [] } = decodeFunctionData({ abi: [item] as Abi, data: input })
      const params = item.inputs.map(({ name = '', type }, place) => ({ name, type, value: args[place] }))
      return { label: item.name, signature: toFunctionSignature(item), params }
    } catch {}
  }
  return undefined
}

export type Decoded = {
  /** `Transfer` */
  label: string
  /** `Transfer(address,address,uint256)` */
  signature: string
  /** In their order; numbers are bigint. */
  params: { name: string; type: string; value: unknown }[]
}

/** Decodes an event, by an ABI or the token standards; undefined if none fits. */
export async function decodeLog(
  { topics, data }: { topics: readonly Hex[]; data: Hex },
  abi: Abi = standardAbi,
): Promise<Decoded | undefined> {
  const { decodeEventLog, toEventSelector, toEventSignature } = await import('../evm.ts')
  for (const item of abi) {
    if (item.type !== 'event' || toEventSelector(item) !== topics[0]) continue
    // Transfer of ERC-20 and of ERC-721 have one signature; which it is shows in how many topics there are.
    if (item.inputs.filter(({ indexed }) => indexed).length !== topics.length - 1) continue
    if (
      !isFitting(
        item.inputs.filter(({ indexed }) => !indexed),
        data,
      )
    )
      continue
    const args = tryDecode(() => decodeEventLog({ abi: [item] as Abi, topics: topics as [Hex, ...Hex[]], data }).args)
    if (args === undefined) continue
    return { label: item.name, signature: toEventSignature(item), params: named(item, args) }
  }
  return undefined
}

function named({ inputs }: AbiEvent, args: unknown): Decoded['params'] {
  const byName = args as Record<string, unknown>
  return inputs.map(({ name = '', type }, place) => ({
    name,
    type,
    value: Array.isArray(args) ? args[place] : byName[name],
  }))
}

function tryDecode(decode: () => unknown): unknown {
  try {
    return decode() ?? []
  } catch {
    return undefined
  }
}

/** A decoded value as JSON can carry it: whole numbers of any size as decimal text, bytes as they are. */
export function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toPlain(each)]))
  return value
}

const longest = 200

/** Nothing is seen of these. Variation selectors, joiners and tags are parts of emoji and of some scripts. */
const unseen = /(?![\u200c-\u200d]|\ufe0e|\ufe0f|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu

/**
 * Variation selectors where they select nothing: only a sign that is a picture on demand, or a keycap, takes one. Marks of
 * annotations are never seen.
 */
const strayMarks =
  /(?<!(?!\p{Emoji_Presentation})\p{Extended_Pictographic})(?<![0-9#*](?=\ufe0f\u20e3))\ufe0f|[\ufe0e\ufff9-\ufffb]/gu

/** Joiners where nothing can be joined. */
const strayJoiners = /(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\s])[\u200c\u200d]+/gu

/** Tags with the flag that they belong to. As a whole: to look back for the flag from each would take long for many. */
const tags = /\u{1f3f4}?[\u{e0020}-\u{e007f}]+/gu

const flag = '\u{1f3f4}'

const blanks = /[\s\p{Cc}\p{Zl}\p{Zp}\u2800]+/gu

const noText = /[\p{Cs}\p{Co}\p{Cn}]/gu

const piledMarks = /(\p{M}{4})\p{M}+/gu

/**
 * A name that a stranger chose, as one short line that reads as it is written; undefined where nothing is left. Signs
 * that turn the direction round would make another name of it before a reader's eyes, unseen ones a twin of another.
 */
export function plainText(text: string | undefined): string | undefined {
  const plain = text
    ?.slice(0, longest * 10)
    .replace(unseen, '')
    .replace(strayMarks, '')
    .replace(tags, (found) => (found.startsWith(flag) ? found : ''))
    .replace(blanks, ' ')
    .replace(noText, '')
    .replace(strayJoiners, '')
    .replace(piledMarks, '$1')
    .trim()
  return [...(plain ?? '')].slice(0, longest).join('').trimEnd() || undefined
}

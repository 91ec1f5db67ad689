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

/** The word at a place of an answer, as a number; undefined where the call failed or there is none. */
export function findUint({ success, data }: CallResult, place = 0): bigint | undefined {
  const word = success ? data.slice(2 + place * 64, 66 + place * 64) : ''
  return word.length === 64 ? BigInt(`0x${word}`) : undefined
}

/** The address at a place of an answer; undefined where there is none, or where it is nobody's. */
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

/** PostgreSQL keeps no zero bytes, and nobody reads what is not text. */
const readUtf8 = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '').replaceAll('�', '')

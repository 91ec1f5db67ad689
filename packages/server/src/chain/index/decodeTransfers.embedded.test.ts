import {
  concat,
  encodeAbiParameters,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbiParameters,
  toHex,
} from 'viem'
import { expect, test } from 'vitest'
import { mayHoldTransfers } from './readBlocks.ts'
import { decodeTransfers, type RpcLog, transferTopics } from './Transfer.ts'

const [a, b, c] = [
  '0x00000000000000000000000000000000000000aa',
  '0x00000000000000000000000000000000000000bb',
  '0x00000000000000000000000000000000000000cc',
] as const
const [transfer, single, batch] = transferTopics as [Hex, Hex, Hex]
const largest = 2n ** 256n - 1n

const logOf = (topics: Hex[], data: Hex): RpcLog => ({
  address: c,
  topics,
  data,
  blockNumber: '0x10',
  blockHash: `0x${'ab'.repeat(32)}`,
  transactionHash: `0x${'cd'.repeat(32)}`,
  transactionIndex: '0x2',
  logIndex: '0x3',
})
const word = (value: bigint) => numberToHex(value, { size: 32 })
const decode = (...logs: RpcLog[]) =>
  decodeTransfers(logs).map(({ kind, from, to, tokenId, amount, sub }) => ({ kind, from, to, tokenId, amount, sub }))

test('the topics are those of the events', () => {
  expect(transferTopics).toEqual([
    keccak256(toHex('Transfer(address,address,uint256)')),
    keccak256(toHex('TransferSingle(address,address,address,uint256,uint256)')),
    keccak256(toHex('TransferBatch(address,address,address,uint256[],uint256[])')),
  ])
})

test.each([0n, 1n, 2n ** 52n - 1n, 2n ** 52n, 2n ** 53n + 1n, 10n ** 18n, largest])('an amount of %s', (amount) => {
  expect(decode(logOf([transfer, pad(a), pad(b)], word(amount)))).toEqual([
    { kind: 'erc20', from: a, to: b, tokenId: undefined, amount: String(amount), sub: 0 },
  ])
})

test('collectibles: by the standard, and from before it', () => {
  const expected = { kind: 'erc721', from: a, to: b, tokenId: String(largest), amount: '1', sub: 0 }
  expect(decode(logOf([transfer, pad(a), pad(b), word(largest)], '0x'))).toEqual([expected])
  expect(decode(logOf([transfer], concat([pad(a), pad(b), word(largest)])))).toEqual([expected])
})

test('ERC-1155: one, and several at once', () => {
  const topics = (first: Hex): Hex[] => [first, pad(c), pad(a), pad(b)]
  expect(decode(logOf(topics(single), concat([word(7n), word(9n)])))).toEqual([
    { kind: 'erc1155', from: a, to: b, tokenId: '7', amount: '9', sub: 0 },
  ])
  const lists = encodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), [
    [1n, largest],
    [5n, 6n],
  ])
  expect(decode(logOf(topics(batch), lists))).toEqual([
    { kind: 'erc1155', from: a, to: b, tokenId: '1', amount: '5', sub: 0 },
    { kind: 'erc1155', from: a, to: b, tokenId: String(largest), amount: '6', sub: 1 },
  ])
  const [log] = decodeTransfers([logOf(topics(single), concat([word(7n), word(9n)]))])
  expect(log).toMatchObject({ operator: c, token: c, block: 16, transactionIndex: 2, logIndex: 3 })
})

test('logs that only look like transfers, and lie about their lengths, are left out', () => {
  const topics: Hex[] = [batch, pad(c), pad(a), pad(b)]
  const uneven = encodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), [[1n, 2n], [5n]])
  expect(
    decode(
      logOf([transfer], '0x'),
      logOf([transfer, pad(a)], word(1n)),
      logOf([transfer, pad(a), pad(b)], '0x'),
      logOf([], '0x'),
      logOf([single, pad(c), pad(a), pad(b)], word(1n)),
      logOf(topics, uneven),
      logOf(topics, '0x'),
      logOf(topics, concat([word(largest), word(64n)])),
      logOf(topics, concat([word(64n), word(64n), word(largest)])),
      logOf(topics, concat([word(64n), word(64n), word(2n ** 40n)])),
      logOf(topics, concat([word(33n), word(64n), word(0n)])),
      { ...logOf([transfer, pad(a), pad(b)], word(1n)), address: "0x{},'" },
      { ...logOf([transfer, pad(a), pad(b)], word(1n)), blockNumber: 'nonsense' },
    ),
  ).toEqual([])
})

test('an address is in lower case, with any spelling of the node', () => {
  const [log] = decodeTransfers([{ ...logOf([transfer, pad(a), pad(b)], word(1n)), address: getAddress(c) }])
  expect(log?.token).toBe(c)
})

test('the bloom of a header says whether there may be transfers', () => {
  const bloomOf = (topic: Hex): string => {
    const bits = new Uint8Array(256)
    const hash = keccak256(topic, 'bytes')
    for (const at of [0, 2, 4]) {
      const bit = (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2047
      const byte = 255 - (bit >> 3)
      bits[byte] = (bits[byte] as number) | (1 << (bit & 7))
    }
    return toHex(bits)
  }
  for (const topic of transferTopics)
    expect(mayHoldTransfers({ isEmpty: false, logsBloom: bloomOf(topic as Hex) })).toBe(true)
  expect(mayHoldTransfers({ isEmpty: false, logsBloom: bloomOf(keccak256(toHex('Approval'))) })).toBe(false)
  const none = `0x${'0'.repeat(512)}`
  expect(mayHoldTransfers({ isEmpty: true, logsBloom: none })).toBe(false)
  expect(mayHoldTransfers({ isEmpty: false, logsBloom: none })).toBe(true)
  expect(mayHoldTransfers({ isEmpty: false, logsBloom: '' })).toBe(true)
})

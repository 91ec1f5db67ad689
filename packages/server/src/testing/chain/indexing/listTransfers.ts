import { decodeEventLog, type Hex, parseAbi } from 'viem'
import type { Chain } from '../Chain.ts'

type Log = {
  address: string
  topics: [Hex, ...Hex[]]
  data: Hex
  blockHash: string
  logIndex: Hex
  transactionHash: string
}

const coins = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const collectibles = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'])
const badges = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])

/** Every transfer of the chain as it is now, as lines of text: read from the chain itself and read by another library. */
export async function listTransfers(chain: Chain, from = 0): Promise<string[]> {
  const range = { fromBlock: `0x${from.toString(16)}`, toBlock: 'latest' }
  const logs = (await chain.request('eth_getLogs', [range])) as Log[]
  return logs.flatMap((log) => read(log)).sort()
}

function read(log: Log): string[] {
  const line = (kind: string, from: string, to: string, id: unknown, amount: unknown, sub = 0) =>
    [kind, log.address, from, to, id, amount, log.blockHash, log.transactionHash, Number(log.logIndex), sub]
      .join(' ')
      .toLowerCase()
  const { topics, data } = log
  for (const [kind, abi] of [
    ['erc20', coins],
    ['erc721', collectibles],
  ] as const) {
    const found = attempt(() => decodeEventLog({ abi, topics, data, strict: true }))
    if (!found) continue
    const { from, to } = found.args
    if ('value' in found.args) return [line(kind, from, to, '-', found.args.value)]
    return [line(kind, from, to, found.args.tokenId, 1)]
  }
  const found = attempt(() => decodeEventLog({ abi: badges, topics, data, strict: true }))
  if (!found) return []
  if (found.eventName === 'TransferSingle') {
    const { from, to, id, value } = found.args
    return [line('erc1155', from, to, id, value)]
  }
  const { from, to, ids, values } = found.args
  return ids.map((id, sub) => line('erc1155', from, to, id, values[sub], sub))
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

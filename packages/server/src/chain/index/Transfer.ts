export const transferKinds = ['erc20', 'erc721', 'erc1155'] as const

export type TransferKind = (typeof transferKinds)[number]

/** A transfer as read from a log. Numbers that a contract chose are decimal text; addresses and hashes are lower case. */
export type Transfer = {
  kind: TransferKind
  token: string
  from: string
  to: string
  operator: string | undefined
  tokenId: string | undefined
  amount: string
  block: number
  blockHash: string
  transaction: string
  transactionIndex: number
  logIndex: number
  /** Index within a log that contains several transfers. */
  sub: number
}

/** A log as a node returns it. */
export type RpcLog = {
  address: string
  topics: string[]
  data: string
  blockNumber: string
  blockHash: string
  blockTimestamp?: string
  transactionHash: string
  transactionIndex: string
  logIndex: string
}

export const zeroAddress = `0x${'0'.repeat(40)}`

/**
 * The same for the same transfer, however often it is read: nothing is ever kept twice. Begins with chain and
 * block, so that neighbours on the chain are neighbours in the index too.
 */
export function transferId(chain: number, { block, blockHash, logIndex, sub }: Transfer): string {
  const place = block.toString(36).padStart(7, '0')
  return `${chain.toString(36)}-${place}-${blockHash.slice(2, 18)}-${logIndex.toString(36)}-${sub.toString(36)}`
}

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** `TransferSingle(address,address,address,uint256,uint256)` of ERC-1155. */
export const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'

/** `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155. */
export const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

export const transferTopics = [transferTopic, singleTopic, batchTopic]

const word = 64

const hash = /^0x[0-9a-f]{64}$/

const address = /^0x[0-9a-f]{40}$/

const hexData = /^0x[0-9a-f]*$/

/**
 * Decodes the transfers of logs. Written by hand: a library for every event costs ten times as much. Logs that only
 * look like a transfer are left out, since any contract may write any log.
 */
export function decodeTransfers(logs: readonly RpcLog[]): Transfer[] {
  const transfers: Transfer[] = []
  for (const log of logs) decodeLog(log, transfers)
  return transfers
}

function decodeLog(log: RpcLog, transfers: Transfer[]): void {
  const { topics } = log
  const data = log.data.toLowerCase()
  const place = placeOf(log)
  if (!place || !hexData.test(data) || topics.some((topic) => topic.length !== 66)) return
  const add = (kind: TransferKind, parts: Pick<Transfer, 'from' | 'to' | 'operator' | 'tokenId' | 'amount'>, sub = 0) =>
    transfers.push({ kind, ...parts, ...place, sub })
  const topic = topics[0]?.toLowerCase()
  if (topic === transferTopic) {
    if (topics.length === 3 && data.length >= 2 + word) {
      const [from, to] = [addressIn(topics[1]), addressIn(topics[2])]
      add('erc20', { from, to, operator: undefined, tokenId: undefined, amount: decimal(data, 0) })
    } else if (topics.length === 4) {
      const [from, to, tokenId] = [addressIn(topics[1]), addressIn(topics[2]), decimal(topics[3] ?? '', 0)]
      add('erc721', { from, to, operator: undefined, tokenId, amount: '1' })
    } else if (topics.length === 1 && data.length === 2 + 3 * word) {
      // Collectibles from before the standard index nothing.
      const [from, to, tokenId] = [wordAddress(data, 0), wordAddress(data, 1), decimal(data, 2)]
      add('erc721', { from, to, operator: undefined, tokenId, amount: '1' })
    }
    return
  }
  if (topics.length !== 4) return
  const parties = { operator: addressIn(topics[1]), from: addressIn(topics[2]), to: addressIn(topics[3]) }
  if (topic === singleTopic && data.length >= 2 + 2 * word) {
    add('erc1155', { ...parties, tokenId: decimal(data, 0), amount: decimal(data, 1) })
  } else if (topic === batchTopic) {
    const ids = listIn(data, 0)
    const amounts = listIn(data, 1)
    if (!ids || !amounts || ids.length !== amounts.length) return
    for (const [sub, tokenId] of ids.entries()) {
      add('erc1155', { ...parties, tokenId, amount: amounts[sub] ?? '0' }, sub)
    }
  }
}

function placeOf(log: RpcLog) {
  const token = log.address.toLowerCase()
  const blockHash = log.blockHash.toLowerCase()
  const transaction = log.transactionHash.toLowerCase()
  if (!address.test(token) || !hash.test(transaction) || !hash.test(blockHash)) return undefined
  const block = Number(log.blockNumber)
  const transactionIndex = Number(log.transactionIndex)
  const logIndex = Number(log.logIndex)
  if (!Number.isSafeInteger(block + transactionIndex + logIndex)) return undefined
  return { token, block, blockHash, transaction, transactionIndex, logIndex }
}

function addressIn(topic = ''): string {
  return `0x${topic.slice(26).toLowerCase()}`
}

function wordAddress(data: string, at: number): string {
  return `0x${data.slice(2 + at * word + 24, 2 + (at + 1) * word)}`
}

/** The number in a word of the data. */
function decimal(data: string, at: number): string {
  const text = data.slice(2 + at * word, 2 + (at + 1) * word)
  let start = 0
  while (start < text.length - 1 && text.charCodeAt(start) === 48) start++
  const digits = text.slice(start)
  return digits.length <= 13 ? String(Number.parseInt(digits, 16)) : BigInt(`0x${digits}`).toString()
}

/** Reads a list of numbers by its offset. A contract may lie about offset and length. */
function listIn(data: string, at: number): string[] | undefined {
  const words = Math.floor((data.length - 2) / word)
  if (at >= words) return undefined
  const start = Number(decimal(data, at)) / 32
  if (!Number.isInteger(start) || start >= words) return undefined
  const length = Number(decimal(data, start))
  if (start + 1 + length > words) return undefined
  return Array.from({ length }, (_, index) => decimal(data, start + 1 + index))
}

export type TransferKind = 'erc20' | 'erc721' | 'erc1155'

/** A transfer as a log told it. Numbers that a contract chose are decimal text; addresses and hashes are lower case. */
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
  /** Counts within a log that tells of several. */
  sub: number
}

/** A log as a node answers it. */
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

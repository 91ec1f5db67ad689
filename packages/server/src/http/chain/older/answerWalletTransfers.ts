import { transferTopic } from '../../../chain/index/topics.ts'
import type { Hex } from '../../../chain/nodes/Chain.ts'
import type { Log } from '../../../chain/reads/Block.ts'
import { listLogPage } from '../listLogPage.ts'
import { readRange } from '../readRange.ts'
import { readTokens } from '../readTokens.ts'
import type { OlderRequest } from './defineOlder.ts'
import { mapWalletTransfer, type OlderTransfer } from './mapTransfer.ts'
import { rangeFrom } from './olderFields.ts'

/** `Approval(address,address,uint256)` */
const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const nobody: Hex = `0x${'0'.repeat(64)}`

const topicsOf = {
  transfer: [transferTopic as Hex],
  mint: [transferTopic as Hex, nobody],
  burn: [transferTopic as Hex, null, nobody],
  approval: [approvalTopic],
} as const

type Input = Parameters<typeof rangeFrom>[0] & {
  contract_addresses?: readonly Hex[] | undefined
  exclude_contracts?: readonly Hex[] | undefined
  wallet_addresses?: readonly Hex[] | undefined
  exclude_wallets?: readonly Hex[] | undefined
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
}

/** Transfers, mints, burns or approvals of ERC-20 tokens by contract and wallet, straight from the node. */
export async function answerWalletTransfers(
  { context, chain }: OlderRequest,
  input: Input,
  kind: keyof typeof topicsOf,
): Promise<{ cursor: string; result: object[] }> {
  const { contract_addresses, exclude_contracts, wallet_addresses, exclude_wallets, limit, cursor, offset } = input
  const keep = (log: Log) => {
    // Collectibles have the same events, with one topic more.
    if (log.topics.length !== 3 || log.data.length < 66 || exclude_contracts?.includes(log.address)) return false
    const parties = [partyOf(log, 1), partyOf(log, 2)]
    if (exclude_wallets?.some((each) => parties.includes(each))) return false
    return !wallet_addresses || wallet_addresses.some((each) => parties.includes(each))
  }
  const found = await listLogPage(chain, {
    ...(await readRange(chain, rangeFrom(input))),
    ...(contract_addresses && { address: contract_addresses }),
    ...{ topics: topicsOf[kind], limit, cursor, offset, keep },
  })
  const rows = found.rows.map(
    (log): OlderTransfer => ({
      kind: 'erc20',
      token: log.address,
      from: partyOf(log, 1),
      to: partyOf(log, 2),
      operator: null,
      tokenId: null,
      amount: BigInt(log.data.slice(0, 66)).toString(),
      block: log.blockNumber,
      blockHash: log.blockHash,
      blockTime: new Date(log.block.timestamp * 1000),
      transaction: log.transactionHash,
      transactionIndex: log.transactionIndex,
      logIndex: log.logIndex,
      sub: 0,
    }),
  )
  const tokens = await readTokens(context, chain, [...new Set(rows.map(({ token }) => token as Hex))])
  const byAddress = new Map(tokens.map((token) => [token.address as string, token]))
  return { cursor: found.cursor ?? '', result: rows.map((row) => mapWalletTransfer(row, byAddress.get(row.token))) }
}

const partyOf = ({ topics }: Log, place: number): Hex => `0x${(topics[place] ?? '').slice(26)}`

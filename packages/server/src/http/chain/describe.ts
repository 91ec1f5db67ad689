import type {
  ChainBlockRef,
  DecodedRecord,
  LogRecord,
  NftHoldingRecord,
  NftRecord,
  TransactionRecord,
} from '@countersign/protocol'
import type { HoldingRow } from '../../chain/index/queries/listHoldings.ts'
import type { Page, WrittenPage } from '../../chain/index/queries/Page.ts'
import type { BlockRef } from '../../chain/nodes/Chain.ts'
import { type Decoded, decodeCall, decodeLog, toPlain } from '../../chain/reads/abi.ts'
import type { Log, Transaction } from '../../chain/reads/blocks.ts'
import type { NftDetails, NftRow } from './NftDetails.ts'

/** A block, as named in responses. */
export const describeBlockRef = ({ number, hash, timestamp }: BlockRef | NamedBlock): ChainBlockRef => ({
  number,
  hash,
  timestamp: toIso(timestamp),
})

type NamedBlock = { number: number; hash: string; timestamp: number }

/** The time of a block, which is in seconds. */
export const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString()

export const describeNft = ({ token, tokenId, kind }: NftRow, details: NftDetails | undefined): NftRecord => {
  const { name, symbol, uri, metadata, normalized } = details ?? {}
  return {
    token,
    tokenId,
    kind,
    ...(name !== undefined && { name }),
    ...(symbol !== undefined && { symbol }),
    ...(uri !== undefined && { uri }),
    ...(metadata !== undefined && { metadata }),
    ...(normalized && { normalized }),
  }
}

export const describeHolding = (row: HoldingRow, details: NftDetails | undefined): NftHoldingRecord => ({
  ...describeNft(row, details),
  owner: row.owner,
  amount: row.amount,
  sinceBlock: row.block,
  ...(row.minted !== null && { mintedBlock: row.minted }),
})

export type PageInput = { limit: number; cursor?: string | undefined; offset?: number | undefined }

export type PagePlace = { total?: number; page: number; page_size: number; cursor?: string }

/** A page in its response form. */
export function describePage<Row, Shown>(
  { rows, cursor, page, total }: Page<Row>,
  { limit, offset }: PageInput,
  show: (row: Row, place: number) => Shown,
) {
  return { ...placeOf({ cursor, page, total }, limit, offset), result: rows.map(show) }
}

/** The same for rows that are written already. */
export function describeWrittenPage(
  { written, ...page }: WrittenPage,
  { limit, offset }: PageInput,
): PagePlace & { written: string } {
  return { ...placeOf(page, limit, offset), written }
}

/**
 * Position of a page for older clients, which take a page without a cursor for the last one only if `page` has reached
 * the end of `total`; otherwise they continue by offset, from the beginning. Callers by offset get no cursor, which
 * would count differently.
 */
function placeOf(
  { cursor, page, total }: { cursor: string | undefined; page: number; total: number | undefined },
  limit: number,
  offset: number | undefined,
): PagePlace {
  const counted = total === undefined ? {} : { total }
  if (offset !== undefined && offset > 0) {
    const at = Math.floor(offset / limit)
    return { ...counted, page: cursor ? at : lastOf(total, limit, at), page_size: limit }
  }
  if (cursor) return { ...counted, page, page_size: limit, cursor }
  return { ...counted, page: lastOf(total, limit, page), page_size: limit }
}

const lastOf = (total: number | undefined, limit: number, page: number) =>
  Math.max(page, Math.ceil((total ?? 0) / limit) - 1)

/** A transaction without its block and logs, as a list has it. */
export function describePlainTransaction(transaction: Transaction): Omit<TransactionRecord, 'block'> {
  const { hash, from, to, value, nonce, gas, gasPrice, input, index, receipt } = transaction
  return {
    hash,
    from,
    ...(to && { to }),
    value: value.toString(),
    nonce,
    gas: gas.toString(),
    gasPrice: (receipt?.effectiveGasPrice ?? gasPrice).toString(),
    input,
    ...(index !== undefined && { index }),
    ...(receipt && {
      ...(receipt.status !== undefined && { status: receipt.status ? ('success' as const) : ('failed' as const) }),
      gasUsed: receipt.gasUsed.toString(),
      cumulativeGasUsed: receipt.cumulativeGasUsed.toString(),
      ...(receipt.contractAddress && { contract: receipt.contractAddress }),
    }),
  }
}

/** A transaction with its logs, its call and events in words where they are known. */
export async function describeTransaction(transaction: Transaction): Promise<TransactionRecord> {
  const { block, receipt, input } = transaction
  const call = await decodeCall(input)
  return {
    ...describePlainTransaction(transaction),
    ...(block && { block: describeBlockRef(block) }),
    ...(call && { call: describeDecoded(call) }),
    ...(receipt && {
      logs: await Promise.all(receipt.logs.map(async (log) => describePlainLog(log, await decodeLog(log)))),
    }),
  }
}

function describePlainLog(
  { address, topics, data, logIndex, transactionHash, transactionIndex }: Log,
  decoded?: Decoded,
): Omit<LogRecord, 'block'> {
  return {
    address,
    topics,
    data,
    logIndex,
    transaction: transactionHash,
    transactionIndex,
    ...(decoded && { decoded: describeDecoded(decoded) }),
  }
}

export const describeLog = ({ block, ...log }: Log & { block: BlockRef }, decoded?: Decoded): LogRecord => ({
  ...describePlainLog(log, decoded),
  block: describeBlockRef(block),
})

const describeDecoded = ({ label, signature, params }: Decoded): DecodedRecord => ({
  label,
  signature,
  params: params.map(({ name, type, value }) => ({ name, type, value: plainValue(value) })),
})

/** A whole number of the smallest unit as a decimal number, exactly. */
export function formatUnits(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${whole}${part && `.${part}`}`
}

/** A decoded value in its response form: numbers as decimal text, addresses in lower case. */
export function plainValue(value: unknown): unknown {
  return lowerAddresses(toPlain(value))
}

function lowerAddresses(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map(lowerAddresses)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lowerAddresses(each)]))
  return value
}

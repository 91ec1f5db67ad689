import { type CountersignError, errorCodes } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import { toCountersignError } from '../../errors/errors.ts'
import { request } from '../../session/request.ts'
import { checksumAddress } from '../../values/checksumAddress.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import type { ChainResultPage } from './ChainData.ts'
import { findTarget, missingAddress } from './findTarget.ts'
import type { ChainEndpoint } from './ChainData.ts'

const amounts = new Set(['balance', 'amount', 'value', 'gas', 'gasPrice', 'gasUsed', 'cumulativeGasUsed'])

const addresses = new Set(['address', 'contract', 'from', 'operator', 'owner', 'pool', 'quote', 'to', 'token'])

const raw = new Set(['metadata', 'normalized', 'call', 'logs'])

/** Endpoints whose result may be missing without being a failure. */
const mayLack = new Set<ChainEndpoint>(['getNameOf', 'resolveName', 'getTokenPrice'])

export async function askChain(
  client: Client,
  name: ChainEndpoint,
  input: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { isMissing, ...target } = findTarget(client, name, input)
  if (isMissing) throw missingAddress()
  const given = Object.entries(input).flatMap(([field, value]) => (value === undefined ? [] : [[field, toText(value)]]))
  const asked: Record<string, unknown> = { ...Object.fromEntries(given), ...target }
  try {
    const answer: unknown = await request(client, name, asked as never, signal ? { signal } : {})
    return readWire(name === 'listChains' ? Object(answer).results : answer)
  } catch (error) {
    if (mayLack.has(name) && (error as CountersignError).code === errorCodes.ObjectNotFound) return null
    throw error
  }
}

function toText(value: unknown): unknown {
  return Array.isArray(value) ? value.join() : value
}

/** A chain's records as an application gets them; see `FromWire`. */
function readWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(readWire))
  const fields = Object.entries(value).map(([name, item]) => [name, readField(name, item)] as const)
  return Object.freeze(Object.fromEntries(fields))
}

function readField(name: string, value: unknown): unknown {
  if (raw.has(name)) return value
  if (typeof value !== 'string') return readWire(value)
  if (amounts.has(name)) return BigInt(value)
  if (addresses.has(name)) return checksumAddress(value)
  return name === 'timestamp' ? new Date(value) : value
}

export type Pages<Row> = ChainResultPage<Row> & {
  /** Why the next page could not be read; those before it are there. */
  readonly moreError?: CountersignError
}

export type PagesMemo<Row> = {
  known?: { readonly owner: string | undefined; readonly pages: Pages<Row> }
  /** True while only new rows are read. */
  isReadingNew: boolean
}

type Run<Row> = {
  readonly memo: PagesMemo<Row>
  readonly owner: string | undefined
  /** Pages shown for the owner, and the same for the next page. */
  readonly before: Pages<Row> | undefined
  readonly from: Pages<Row> | undefined
}

/** Reads the next page, the new rows, or as many rows as before. */
export async function readPages<Row>(
  client: Client,
  name: ChainEndpoint,
  input: object,
  { signal }: ActionOptions,
  { memo, owner, before, from }: Run<Row>,
): Promise<Pages<Row>> {
  const wanted = from ? from.result.length + 1 : (before?.result.length ?? 0)
  const show = (pages: Pages<Row>) => {
    if (!signal?.aborted) memo.known = { owner, pages }
    return pages
  }
  let rows = from?.result ?? []
  let cursor = from?.cursor
  for (;;) {
    const asked = { ...input, ...(cursor !== undefined && { cursor }) }
    let page: ChainResultPage<Row>
    try {
      page = (await askChain(client, name, asked, signal)) as ChainResultPage<Row>
    } catch (cause) {
      const error = toCountersignError(cause)
      client.internal.watchError?.(error)
      if (from) return show({ ...from, moreError: error })
      throw error
    }
    const first = before?.result[0]
    const met = memo.isReadingNew && first ? page.result.findIndex((row) => isSame(row, first)) : -1
    if (before && met >= 0) {
      const { cursor: _, ...rest } = page
      const result = Object.freeze([...page.result.slice(0, met), ...before.result])
      return show({ ...rest, result, ...(before.cursor !== undefined && { cursor: before.cursor }) })
    }
    memo.isReadingNew = false
    rows = [...rows, ...page.result]
    cursor = page.cursor
    if (cursor === undefined || rows.length >= wanted) return show({ ...page, result: Object.freeze(rows) })
  }
}

/** Rows of a list are distinguished by where on the chain they are. */
function isSame(one: unknown, other: unknown): boolean {
  return ['transaction', 'logIndex', 'tokenId'].every((field) => Object(one)[field] === Object(other)[field])
}

/** Chain reads in one chunk, loaded by one request. */
export const asking = { askChain, readPages }

import { listHoldings } from '../../../chain/index/queries/listHoldings.ts'
import { needCoverage, type Wanted } from '../needCoverage.ts'
import { readNftDetails } from '../readNftDetails.ts'
import type { OlderRequest } from './defineOlder.ts'
import { mapHolding, type NftFormat } from './mapNft.ts'
import { toOlderPage } from './olderPage.ts'

type Input = NftFormat & {
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
  disable_total: boolean
}

/** Collectibles with their owners, from the index, with what contracts and metadata say of them. */
export async function answerHoldings(
  { context, caller, chain }: OlderRequest,
  input: Input,
  filter: { owner?: string; tokens?: readonly string[] | undefined; tokenId?: string },
) {
  const wanted: Wanted[] = filter.owner ? [{ kind: 'address', address: filter.owner }] : []
  if (filter.tokens?.length === 1 && filter.tokens[0]) wanted.push({ kind: 'contract', address: filter.tokens[0] })
  const { status } = await needCoverage(context, chain, wanted)
  const { limit, cursor, offset } = input
  const query = { ...filter, limit, cursor, offset, count: !input.disable_total, chain: chain.id }
  const found = await listHoldings(context, query)
  const details = await readNftDetails(context, caller, chain, found.rows)
  return { status, ...toOlderPage(found, input, (row, place) => mapHolding(row, details[place], input)) }
}

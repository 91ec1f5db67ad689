import { type ChainRecord, CountersignError, type ValueHistoryRecord } from '@countersign/protocol'
import { type IndexStatus, listIndexStatus } from '../../chain/index/listIndexStatus.ts'
import { findCoverage } from '../../chain/index/queries/findCoverage.ts'
import { listTokenIds, listTouchedTokens } from '../../chain/index/queries/listHoldings.ts'
import { getNftPicture } from '../../chain/nft/getPicture.ts'
import type { Chain, Hex } from '../../chain/nodes/Chain.ts'
import { getChains } from '../../chain/nodes/getChains.ts'
import { decodeLog, readAbi } from '../../chain/reads/abi.ts'
import { listPastBlocks } from '../../chain/reads/blocks.ts'
import { callContract } from '../../chain/reads/callContract.ts'
import { chooseEvent } from '../../chain/reads/getLogs.ts'
import { getValueAt, type Value } from '../../chain/reads/prices.ts'
import { getNftContracts } from '../../chain/reads/tokens.ts'
import { followTransaction } from '../../chain/sent/followTransaction.ts'
import type { Context } from '../../context/Context.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { answerFromIndex, answerFromNode, describeFailure, requireIndexCoverage } from '../chain/answers.ts'
import { checkChainAccess, defineChainRead } from '../chain/defineChainRead.ts'
import { describeBlockRef, describeLog, describeNft, describePage, formatUnits, plainValue } from '../chain/describe.ts'
import { areSettled, getNft, readNftDetails } from '../chain/getNft.ts'
import { type LogQuery, listLogPage } from '../chain/listLogPage.ts'
import { accountFunctions } from '../chain/moralisCompat/account.ts'
import { costs } from '../chain/moralisCompat/defineCompatFunction.ts'
import { nativeFunctions } from '../chain/moralisCompat/native.ts'
import { nftFunctions } from '../chain/moralisCompat/nfts.ts'
import { missingFunctions, otherFunctions } from '../chain/moralisCompat/others.ts'
import { tokenFunctions } from '../chain/moralisCompat/tokens.ts'
import { askerOf, readRange } from '../chain/ranges.ts'
import { addressReadEndpoints } from '../chain/rest/addresses.ts'
import { blockEndpoints } from '../chain/rest/blocks.ts'
import { listEndpoints } from '../chain/rest/lists.ts'
import { portfolioEndpoints } from '../chain/rest/portfolio.ts'
import { tokenEndpoints } from '../chain/rest/tokens.ts'
import { defineBuiltIn } from '../defineBuiltIn.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

const chainListEndpoints: Endpoint[] = [
  defineEndpoint('followTransaction', {
    async handle({ context, caller, params: { chain, hash }, input: { data } }) {
      checkChainAccess(context, caller)
      const { userId } = requireSession(caller)
      return followTransaction(context, userId, getChains(context).get(chain), { hash, data })
    },
  }),
  defineEndpoint('listChains', {
    async handle({ context, caller }) {
      checkChainAccess(context, caller)
      const statuses = await listIndexStatus(context)
      const results = await Promise.all(
        getChains(context)
          .all()
          // Public nodes are asked for what somebody wants to know, not for a list.
          .map((chain) => describeChain(context, chain, statuses, isOwn(context, chain))),
      )
      return { results }
    },
  }),
  defineChainRead('getChain', {
    read: async ({ context, chain }) => describeChain(context, chain, await listIndexStatus(context), true),
  }),
]

const isOwn = ({ config }: Context, { id }: Chain) => config.chains.some((each) => each.id === id)

async function describeChain(
  context: Context,
  chain: Chain,
  statuses: readonly IndexStatus[],
  withHead: boolean,
): Promise<ChainRecord> {
  const { id, name, aliases, nativeCurrency, explorer, settings } = chain
  const status = statuses.find((each) => each.chain === id)
  const mode = settings.index?.mode
  return {
    id,
    name,
    aliases: [...aliases],
    nativeCurrency,
    ...(explorer && { explorer }),
    ...(withHead && (await describeHead(context, chain))),
    ...(status &&
      mode &&
      mode !== 'off' && {
        index: {
          mode,
          status: status.status,
          block: status.block,
          progress: status.progress,
          ...(status.secondsLeft !== undefined && { secondsLeft: status.secondsLeft }),
        },
      }),
  }
}

async function describeHead(
  context: Context,
  chain: Chain,
): Promise<Pick<ChainRecord, 'head' | 'finalized' | 'error'>> {
  try {
    return { head: describeBlockRef(await chain.head()), finalized: await chain.finalized() }
  } catch (error) {
    return describeFailure(context, error)
  }
}

const count = 24

/** Tokens of one owner that are looked at, at each block: who was sent more than that was sent rubbish. */
const mostTokens = 300

const valueEndpoints: Endpoint[] = [
  defineChainRead('getValueHistory', {
    cost: 20,
    async read({ context, chain, key }, { address: owner, days: back }) {
      const { wrapped, v2, v3 } = chain.contracts
      if (!wrapped || v2.length + v3.length === 0)
        throw new CountersignError('CommandUnavailable', `No exchange is known on ${chain.name}, and so no price.`)
      const coverage = await findCoverage(context, chain.id, owner, 'address')
      const isKnown = Boolean(coverage?.followed)
      const isComplete = isKnown && coverage?.status === 'SYNCED'
      // While older blocks are read, tokens come to light without a new block.
      const kept = isKnown && !isComplete ? undefined : `${key} ${coverage?.block.hash ?? ''}`
      return answerFromNode(chain, kept, async () => {
        const tokens = isKnown ? ((await listTouchedTokens(context, chain.id, owner, mostTokens)) as Hex[]) : []
        const since = new Date(context.clock.now().getTime() - back * 86_400_000)
        const blocks = await listPastBlocks(chain, { since, count })
        const final = isComplete || !isKnown ? await chain.finalized() : -1
        const values = await Promise.all(
          blocks.map((block) => readValue(chain, { owner, tokens, block, isKnown, final: block <= final })),
        )
        const head = values[values.length - 1] as Value
        const points = values.map(({ block, usd, unpriced }) => ({
          block: describeBlockRef(block),
          usd: formatUnits(usd, 18),
          unpriced,
        }))
        const result: ValueHistoryRecord = { points, complete: isComplete }
        return { block: head.block, result }
      })
    },
  }),
]

/** What is past stays as it was: a token that came later was not there then. */
async function readValue(
  chain: Chain,
  {
    owner,
    tokens,
    block,
    isKnown,
    final,
  }: { owner: Hex; tokens: Hex[]; block: number; isKnown: boolean; final: boolean },
): Promise<Value> {
  const { value } = await chain.remember(`value ${owner} ${block} ${isKnown}`, async () => ({
    value: await getValueAt(chain, { owner, tokens, block }),
    final,
    size: 300,
  }))
  return value
}

const nftEndpoints: Endpoint[] = [
  defineChainRead('getCollection', {
    read: ({ chain, key }, { token }) =>
      answerFromNode(chain, key, async () => {
        const [found] = await getNftContracts(chain, [token])
        if (!found || (found.kind === undefined && found.name === undefined))
          throw new CountersignError('ObjectNotFound', `There is no NFT contract at ${token}.`)
        const { name, symbol, kind } = found
        return { block: await chain.head(), result: { token, kind, name, symbol } }
      }),
  }),
  defineChainRead('listTokenIds', {
    async read({ context, caller, chain, key }, { token, ...input }) {
      const coverage = await requireIndexCoverage(context, chain, [{ kind: 'contract', address: token }])
      return answerFromIndex(context, chain, coverage, key, async () => {
        const { limit, cursor, offset } = input
        const found = await listTokenIds(context, { chain: chain.id, token, limit, cursor, offset, count: true })
        const rows = found.rows.map((row) => ({ ...row, token }))
        const details = await readNftDetails(context, caller, chain, rows)
        const show = (row: (typeof rows)[number], place: number) => ({
          ...describeNft(row, details[place]),
          amount: row.amount,
        })
        return { ...describePage({ ...found, rows }, input, show), settled: areSettled(details) }
      })
    },
  }),
  defineChainRead('getNftPicture', {
    cost: 2,
    async read({ context, caller, chain }, { token, id }) {
      const picture = await getNftPicture(
        context,
        chain,
        { token, tokenId: BigInt(id), kind: 'erc721' },
        askerOf(caller),
      )
      const result = { type: picture.type, base64: picture.bytes.toString('base64') }
      return answerFromNode(chain, undefined, async () => ({ block: await chain.head(), result }))
    },
  }),
  defineChainRead('getNft', {
    async read({ context, caller, chain }, { token, id }) {
      const nft = await getNft(context, caller, chain, { token, tokenId: id })
      // Not kept: the metadata that is fetched meanwhile makes it another answer.
      const block = await chain.head()
      const result = { ...describeNft(nft, nft.details), owner: nft.owner }
      return answerFromNode(chain, undefined, async () => ({ block, result }))
    },
  }),
]

const contractEndpoints: Endpoint[] = [
  defineChainRead('listLogs', {
    cost: 10,
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { address: contract, topics } = input
        const query: LogQuery = { ...input, ...(await readRange(chain, input)), address: contract, topics } as LogQuery
        const found = await listLogPage(chain, query)
        return { block: found.block, ...describePage(found, input, (log) => describeLog(log)) }
      }),
  }),
  defineChainRead('listEvents', {
    cost: 10,
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { toEventSelector } = await import('../../chain/evm.ts')
        const item = await chooseEvent(await readAbi(input.abi), input.event)
        const { order: way, limit, cursor, offset } = input
        const found = await listLogPage(chain, {
          ...(await readRange(chain, input)),
          ...{ limit, cursor, offset, order: way, address: input.address, topics: [toEventSelector(item)] },
        })
        const decoded = await Promise.all(found.rows.map((log) => decodeLog(log, [item])))
        return { block: found.block, ...describePage(found, input, (log, place) => describeLog(log, decoded[place])) }
      }),
  }),
  defineChainRead('callContract', {
    read: ({ chain, key }, { function: functionName, from, ...input }) =>
      answerFromNode(chain, key, async () => {
        const { value, block } = await callContract(chain, { ...input, functionName, ...(from && { from }) })
        return { block, result: plainValue(value) ?? null }
      }),
  }),
]

const working = [...nativeFunctions, ...accountFunctions, ...tokenFunctions, ...nftFunctions, ...otherFunctions]

/** The data API of the older clients: functions by their older names. */
export const olderFunctions: Endpoint[] = [
  ...working,
  ...missingFunctions,
  defineBuiltIn('endpointWeights', {
    name: 'web3Api_endpointWeights',
    handle: async () => ({
      result: working.map(({ path }) => ({
        endpoint: path.slice('/functions/'.length),
        path,
        rateLimitWeight: String(costs.get(path) ?? 1),
        price: '0',
      })),
    }),
  }),
]

export const chainEndpoints: Endpoint[] = [
  ...chainListEndpoints,
  ...blockEndpoints,
  ...addressReadEndpoints,
  ...tokenEndpoints,
  ...nftEndpoints,
  ...listEndpoints,
  ...contractEndpoints,
  ...portfolioEndpoints,
  ...valueEndpoints,
  ...olderFunctions,
]

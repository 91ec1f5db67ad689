import type { ChainRecord } from '@countersign/protocol'
import { type IndexStatus, listIndexStatus } from '../../../chain/index/listIndexStatus.ts'
import type { Chain } from '../../../chain/nodes/Chain.ts'
import { getChains } from '../../../chain/nodes/getChains.ts'
import { followTransaction } from '../../../chain/sent/followTransaction.ts'
import type { Context } from '../../../context/Context.ts'
import { defineEndpoint } from '../../../endpoint/defineEndpoint.ts'
import { requireSession } from '../../../users/sessions/sessions.ts'
import { describeFailure } from '../answers.ts'
import { checkChainAccess, defineChainRead } from '../defineChainRead.ts'
import { describeBlockRef } from '../describe.ts'

export const followTransactionEndpoint = defineEndpoint('followTransaction', {
  async handle({ context, caller, params: { chain, hash }, input: { data } }) {
    await checkChainAccess(context, caller)
    const { userId } = requireSession(caller)
    return followTransaction(context, userId, getChains(context).get(chain), { hash, data })
  },
})

export const listChainsEndpoint = defineEndpoint('listChains', {
  async handle({ context, caller }) {
    await checkChainAccess(context, caller)
    const statuses = await listIndexStatus(context)
    const results = await Promise.all(
      getChains(context)
        .all()
        // Public nodes are not asked for a list.
        .map((chain) => describeChain(context, chain, statuses, isOwn(context, chain))),
    )
    return { results }
  },
})

export const getChainEndpoint = defineChainRead('getChain', {
  read: async ({ context, chain }) => describeChain(context, chain, await listIndexStatus(context), true),
})

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

import { CountersignError } from '@countersign/protocol'
import { listTokenIds } from '../../../chain/index/queries/listTokenIds.ts'
import { getNftPicture } from '../../../chain/nft/getNftPicture.ts'
import { getNftContracts } from '../../../chain/reads/getNftContracts.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { answerFromIndex } from '../answerFromIndex.ts'
import { answerFromNode } from '../answerFromNode.ts'
import { askerOf } from '../askerOf.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { describeNft } from '../describeNft.ts'
import { describePage } from '../describePage.ts'
import { getNft } from '../getNft.ts'
import { needCoverage } from '../needCoverage.ts'
import { areSettled, readNftDetails } from '../readNftDetails.ts'

export const nftEndpoints: Endpoint[] = [
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
      const coverage = await needCoverage(context, chain, [{ kind: 'contract', address: token }])
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

import { CountersignError } from '@countersign/protocol'
import { listTokenIds } from '../../../chain/index/queries/listHoldings.ts'
import { getNftPicture } from '../../../chain/nft/getPicture.ts'
import { getNftContracts } from '../../../chain/reads/tokens.ts'
import { answerFromIndex, answerFromNode, requireIndexCoverage } from '../answers.ts'
import { askerOf } from '../askerOf.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { describeNft, describePage } from '../describe.ts'
import { areSettled, getNft, readNftDetails } from '../getNft.ts'

export const getCollectionEndpoint = defineChainRead('getCollection', {
  read: ({ chain, key }, { token }) =>
    answerFromNode(chain, key, async () => {
      const [found] = await getNftContracts(chain, [token])
      if (!found || (found.kind === undefined && found.name === undefined))
        throw new CountersignError('ObjectNotFound', `There is no NFT contract at ${token}.`)
      const { name, symbol, kind } = found
      return { block: await chain.head(), result: { token, kind, name, symbol } }
    }),
})

export const listTokenIdsEndpoint = defineChainRead('listTokenIds', {
  async read({ context, caller, chain, key }, { token, ...input }) {
    const coverage = await requireIndexCoverage({ context, caller, chain }, [{ kind: 'contract', address: token }])
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
})

export const getNftPictureEndpoint = defineChainRead('getNftPicture', {
  cost: 2,
  async read({ context, caller, chain }, { token, id }) {
    const picture = await getNftPicture(context, chain, { token, tokenId: BigInt(id), kind: 'erc721' }, askerOf(caller))
    const result = { type: picture.type, base64: picture.bytes.toString('base64') }
    return answerFromNode(chain, undefined, async () => ({ block: await chain.head(), result }))
  },
})

export const getNftEndpoint = defineChainRead('getNft', {
  async read({ context, caller, chain }, { token, id }) {
    const nft = await getNft(context, caller, chain, { token, tokenId: id })
    // Not cached: metadata that is being fetched changes the response.
    const block = await chain.head()
    const result = { ...describeNft(nft, nft.details), owner: nft.owner }
    return answerFromNode(chain, undefined, async () => ({ block, result }))
  },
})

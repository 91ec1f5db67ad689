import { CountersignError } from '@countersign/protocol'
import { getNamePicture } from '../../../chain/nft/getNamePicture.ts'
import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { readHex, readNumber, toQuantity } from '../../../chain/nodes/quantities.ts'
import { resolveName } from '../../../chain/reads/ens/resolveName.ts'
import { getNativeBalance } from '../../../chain/reads/getNativeBalance.ts'
import { getNativeBalances } from '../../../chain/reads/getNativeBalances.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { answerFromNode } from '../answerFromNode.ts'
import { askerOf } from '../askerOf.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { address, blockTag, listOf, text } from '../fields.ts'
import { findNameOf } from '../findNameOf.ts'
import { needCoverage } from '../needCoverage.ts'
import { readTokenBalances } from '../readTokenBalances.ts'
import { describeToken } from '../readTokens.ts'

export const addressReadEndpoints: Endpoint[] = [
  defineChainRead('getAddress', {
    summary: 'Balance, nonce, name and avatar of an address, and whether it is a contract.',
    input: { address },
    read: ({ chain, key }, { address: wanted }) =>
      answerFromNode(chain, key, async () => {
        const { balance, block } = await getNativeBalance(chain, { address: wanted })
        const [account, named] = await Promise.all([
          readAccount(chain, wanted, block.number),
          findNameOf(chain, wanted),
        ])
        return { block, result: { address: wanted, balance: balance.toString(), ...account, ...named } }
      }),
  }),
  defineChainRead('getNativeBalance', {
    summary: "What an address has of the chain's own currency, now or at a block.",
    input: { address, block: blockTag },
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { balance, block } = await getNativeBalance(chain, input)
        const { decimals, symbol } = chain.nativeCurrency
        const final = input.block !== 'latest' && block.number <= (await chain.finalized())
        return { block, final, result: { balance: balance.toString(), decimals, symbol } }
      }),
  }),
  defineChainRead('listNativeBalances', {
    summary: "What several addresses have of the chain's own currency, all at one block.",
    input: { addresses: listOf(address), block: blockTag },
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { balances, block } = await getNativeBalances(chain, input)
        const result = input.addresses.map((each, place) => ({ address: each, balance: String(balances[place]) }))
        return { block, result }
      }),
  }),
  defineChainRead('listTokenBalances', {
    summary: 'The ERC-20 tokens of an address: of given tokens, or of all that the index knows it to have touched.',
    input: { address, tokens: listOf(address).optional(), block: blockTag },
    async read({ context, chain, key }, input) {
      const { address: owner, tokens } = input
      const coverage = tokens ? undefined : await needCoverage(context, chain, [{ kind: 'address', address: owner }])
      // Which tokens there are may change without a new block, while older ones are read.
      const kept = coverage ? (coverage.status === 'SYNCED' ? `${key} ${coverage.block.hash}` : undefined) : key
      return answerFromNode(chain, kept, async () => {
        const { tokens: found, block } = await readTokenBalances(context, chain, { owner, tokens, block: input.block })
        const result = found.map(({ balance, ...token }) => ({ ...describeToken(token), balance: balance.toString() }))
        return { block, result, ...(coverage && { status: coverage.status }) }
      })
    },
  }),
  defineChainRead('getNameOf', {
    summary: 'The name of an address, which leads back to it, and its avatar.',
    input: { address },
    read: ({ chain, key }, { address: wanted }) =>
      answerFromNode(chain, key, async () => {
        const found = await findNameOf(chain, wanted)
        if (!found) throw new CountersignError('ObjectNotFound', 'The address has no name.')
        return { block: await chain.head(), result: found }
      }),
  }),
  defineChainRead('resolveName', {
    summary: 'The address that a name stands for.',
    input: { name: text },
    read: ({ chain, key }, { name }) =>
      answerFromNode(chain, key, async () => {
        const found = await resolveName(chain, name)
        if (!found) throw new CountersignError('ObjectNotFound', 'The name stands for nobody.')
        return { block: found.block, result: { name: found.name, address: found.address } }
      }),
  }),
  defineChainRead('getNamePicture', {
    summary: 'The picture that a name shows of itself, fetched by the server.',
    input: { name: text },
    cost: 2,
    async read({ context, caller, chain }, { name }) {
      const { type, bytes } = await getNamePicture(context, chain, name, askerOf(caller))
      const result = { type, base64: bytes.toString('base64') }
      return answerFromNode(chain, undefined, async () => ({ block: await chain.head(), result }))
    },
  }),
]

async function readAccount(chain: Chain, address: Hex, block: number) {
  const [nonce, code] = await Promise.all([
    chain.request('eth_getTransactionCount', [address, toQuantity(block)]),
    chain.request('eth_getCode', [address, toQuantity(block)]),
  ])
  return { nonce: readNumber(nonce), isContract: readHex(code) !== '0x' }
}

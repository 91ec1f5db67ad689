import { type AvatarRecord, CountersignError } from '@countersign/protocol'
import { getNamePicture } from '../../../chain/nft/getPicture.ts'
import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { readHex, readNumber, toQuantity } from '../../../chain/nodes/quantities.ts'
import { findAvatar, resolveName, reverseName } from '../../../chain/reads/ens.ts'
import { getNativeBalance, getNativeBalances } from '../../../chain/reads/nativeBalances.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { answerFromNode, requireIndexCoverage } from '../answers.ts'
import { askerOf } from '../askerOf.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { describeToken, readTokenBalances } from '../readTokens.ts'

export const addressReadEndpoints: Endpoint[] = [
  defineChainRead('getAddress', {
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
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { balance, block } = await getNativeBalance(chain, input)
        const { decimals, symbol } = chain.nativeCurrency
        const final = input.block !== 'latest' && block.number <= (await chain.finalized())
        return { block, final, result: { balance: balance.toString(), decimals, symbol } }
      }),
  }),
  defineChainRead('listNativeBalances', {
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { balances, block } = await getNativeBalances(chain, input)
        const result = input.addresses.map((each, place) => ({ address: each, balance: String(balances[place]) }))
        return { block, result }
      }),
  }),
  defineChainRead('listTokenBalances', {
    async read({ context, caller, chain, key }, input) {
      const { address: owner, tokens } = input
      const coverage = tokens
        ? undefined
        : await requireIndexCoverage({ context, caller, chain }, [{ kind: 'address', address: owner }])
      // The list of tokens may change without a new block while older blocks are read.
      const kept = coverage ? (coverage.status === 'SYNCED' ? `${key} ${coverage.block.hash}` : undefined) : key
      return answerFromNode(chain, kept, async () => {
        const { tokens: found, block } = await readTokenBalances(context, chain, { owner, tokens, block: input.block })
        const result = found.map(({ balance, ...token }) => ({ ...describeToken(token), balance: balance.toString() }))
        return { block, result, ...(coverage && { status: coverage.status }) }
      })
    },
  }),
  defineChainRead('getNameOf', {
    read: ({ chain, key }, { address: wanted }) =>
      answerFromNode(chain, key, async () => {
        const found = await findNameOf(chain, wanted)
        if (!found) throw new CountersignError('ObjectNotFound', 'The address has no name.')
        return { block: await chain.head(), result: found }
      }),
  }),
  defineChainRead('listNames', {
    cost: 5,
    read: ({ chain, key }, { addresses }) =>
      answerFromNode(chain, key, async () => {
        if (!chain.contracts.ensRegistry) return { block: await chain.head(), result: [] }
        const unique = [...new Set(addresses)]
        const found = await Promise.all(unique.map((each) => reverseName(chain, each)))
        const result = found.flatMap((each, place) =>
          each ? [{ address: String(unique[place]), name: each.name }] : [],
        )
        return { block: await chain.head(), result }
      }),
  }),
  defineChainRead('resolveName', {
    read: ({ chain, key }, { name }) =>
      answerFromNode(chain, key, async () => {
        const found = await resolveName(chain, name)
        if (!found) throw new CountersignError('ObjectNotFound', 'The name does not resolve to an address.')
        return { block: found.block, result: { name: found.name, address: found.address } }
      }),
  }),
  defineChainRead('getNamePicture', {
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

/** Name of an address and its avatar; undefined if it has none, or the chain has no names. */
async function findNameOf(chain: Chain, address: Hex): Promise<{ name: string; avatar?: AvatarRecord } | undefined> {
  if (!chain.contracts.ensRegistry) return undefined
  const found = await reverseName(chain, address)
  if (!found) return undefined
  const avatar = await findAvatar(chain, found.name)
  if (!avatar) return { name: found.name }
  const { name } = found
  if (avatar.kind === 'url') return { name, avatar: { url: avatar.url } }
  return { name, avatar: { token: avatar.token, tokenId: avatar.tokenId.toString(), uri: avatar.uri } }
}

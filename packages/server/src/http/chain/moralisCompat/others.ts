import { CountersignError, refuse } from '@countersign/protocol'
import { describeMissing, unavailableFunctions } from '@countersign/protocol/contract'
import type { BlockTag, Chain } from '../../../chain/nodes/Chain.ts'
import { dateToBlock } from '../../../chain/reads/blocks.ts'
import { resolveName, reverseName } from '../../../chain/reads/ens.ts'
import { getPairAddress, getPairReserves } from '../../../chain/reads/pairs.ts'
import type { Caller } from '../../../context/Caller.ts'
import type { Context } from '../../../context/Context.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { addToIpfs } from '../../../files/addToIpfs.ts'
import { checkUploader } from '../../../files/StoredFile.ts'
import { type BuiltInInput, defineBuiltIn } from '../../../functions/defineBuiltIn.ts'
import { version } from '../../../version.ts'
import { readTokens } from '../readTokens.ts'
import { defineCompatFunction } from './defineCompatFunction.ts'
import { mapToken } from './map.ts'

/** Adds files to IPFS as one folder and pins it, by the node that the operator configured. */
async function uploadFolder(
  context: Context,
  caller: Caller,
  { abi, data }: BuiltInInput<'uploadFolder'>,
): Promise<{ path: string }[]> {
  await checkUploader(context, caller)
  const { ipfs } = context.config
  if (!ipfs)
    throw new CountersignError(
      'CommandUnavailable',
      'uploadFolder is not available here: no IPFS node is configured.',
      {
        details: 'The operator can set a node in ipfs.url.',
      },
    )
  const files = abi ?? data
  if (!files)
    throw refuse('invalidInput', { field: 'abi', problem: 'is required' }, { sentence: describeMissing('abi') })
  if (new Set(files.map((file) => file.path)).size !== files.length)
    throw refuse('invalidInput', { field: abi ? 'abi' : 'data', problem: 'may have each path once' })
  const parts = files.map((file) => ({ name: file.path, content: [readContent(file.content)] }))
  try {
    const folder = await addToIpfs(ipfs, parts, { inFolder: true })
    const at = `${ipfs.gateway.replace(/\/*$/, '/')}${folder}`
    return files.map((file) => ({ path: `${at}/${file.path.split('/').map(encodeURIComponent).join('/')}` }))
  } catch (cause) {
    context.log.warn({ err: cause }, 'a folder could not be pinned to IPFS')
    throw new CountersignError('FileSaveError', 'The folder could not be saved to IPFS. Try again later.', { cause })
  }
}

/** Base64, with or without what data URIs have before it, or JSON. */
function readContent(content: unknown): Buffer {
  if (typeof content !== 'string') return Buffer.from(JSON.stringify(content))
  return Buffer.from(content.replace(/^data:[^,]*;base64,/, ''), 'base64')
}

const resolve = async (chain: Chain, domain: string) => {
  const found = await resolveName(chain, domain)
  if (!found) throw new CountersignError('ObjectNotFound', 'The name does not resolve to an address.')
  return { address: found.address }
}

export const otherFunctions: Endpoint[] = [
  ...(['resolveDomain', 'resolveENSDomain'] as const).map((name) =>
    defineCompatFunction(name, {
      holds: true,
      run: ({ chain }, { domain }) => resolve(chain, domain),
    }),
  ),
  defineCompatFunction('resolveAddress', {
    holds: true,
    async run({ chain }, { address: wanted }) {
      const found = await reverseName(chain, wanted)
      if (!found) throw new CountersignError('ObjectNotFound', 'The address has no name.')
      return { name: found.name }
    },
  }),
  defineCompatFunction('getPairReserves', {
    holds: true,
    async run({ chain }, { pair_address: pair, to_block, to_date }) {
      const { reserve0, reserve1 } = await getPairReserves(chain, {
        pair,
        block: await blockAt(chain, to_block, to_date),
      })
      return { reserve0: reserve0.toString(), reserve1: reserve1.toString() }
    },
  }),
  defineCompatFunction('getPairAddress', {
    holds: true,
    async run({ context, chain }, { token0_address: tokenA, token1_address: tokenB, exchange, to_block, to_date }) {
      const block = await blockAt(chain, to_block, to_date)
      const { pair, token0, token1 } = await getPairAddress(chain, { tokenA, tokenB, exchange, block })
      const [first, second] = await readTokens(context, chain, [token0, token1])
      return {
        token0: mapToken(first ?? { address: token0 }),
        token1: mapToken(second ?? { address: token1 }),
        pairAddress: pair,
      }
    },
  }),
  defineBuiltIn('uploadFolder', {
    name: 'web3Api_uploadFolder',
    handle: async ({ context, caller, input }) => ({ result: await uploadFolder(context, caller, input) }),
  }),
  defineBuiltIn('web3ApiVersion', {
    name: 'web3Api_web3ApiVersion',
    handle: async () => ({ result: { version } }),
  }),
]

async function blockAt(chain: Chain, block: BlockTag, day: Date | undefined): Promise<BlockTag> {
  return block === 'latest' && day ? (await dateToBlock(chain, day)).number : block
}

export const missingFunctions: Endpoint[] = Object.entries(unavailableFunctions).map(([name, { summary }]) =>
  defineBuiltIn(name as keyof typeof unavailableFunctions, {
    name: `web3Api_${name}`,
    async handle() {
      throw new CountersignError('CommandUnavailable', summary.replace('Not available', `${name} is not available`), {
        details: 'See docs/chain-data.md.',
      })
    },
  }),
)

import { CountersignError } from '@countersign/protocol'
import type { Config } from '../config/Config.ts'
import { hashPersonalMessage } from './recoverSigner.ts'

type Chain = Config['chains'][number]
export type ContractKind = 'contract' | 'delegated'

/** Ends a signature of an account that is not deployed yet (ERC-6492). */
const undeployedMark = '6492649264926492649264926492649264926492649264926492649264926492'

/**
 * Whether the contract at an address accepts the signature, on the chain that the message names: deployed
 * (ERC-1271), not deployed yet (ERC-6492) or delegated (EIP-7702). Only calls, never a transaction. A node
 * that fails or speaks for another chain is no answer; without enough answers nobody gets in.
 */
export async function verifyContractSignature(
  { chains, wallet }: Config,
  { chainId, address, text, signature }: { chainId: number; address: string; text: string; signature: string },
): Promise<ContractKind | undefined> {
  const chain = chains.find(({ id }) => id === chainId)
  if (!chain) throw unchecked(chainId, 'No node of that chain is configured.')
  const kinds: (ContractKind | undefined)[] = []
  let failure: unknown
  for (const url of chain.rpcUrls) {
    if (kinds.length === chain.quorum) break
    try {
      kinds.push(await askNode(chain, url, wallet.nodeTimeout, { address, text, signature }))
    } catch (error) {
      failure = error
    }
  }
  if (kinds.length < chain.quorum) throw unchecked(chainId, 'Its nodes did not answer as they should.', failure)
  // All that were asked must agree; one that says no is enough to refuse.
  return kinds.every((kind) => kind !== undefined) ? kinds[0] : undefined
}

async function askNode(
  chain: Chain,
  url: string,
  timeout: number,
  { address, text, signature }: { address: string; text: string; signature: string },
): Promise<ContractKind | undefined> {
  // Loaded on use: most people sign in with a plain key, and this is a large library.
  const { createPublicClient, http } = await import('viem')
  const client = createPublicClient({ transport: http(url, { timeout, retryCount: 0 }) })
  const hex = (value: string) => value as `0x${string}`
  const [id, code] = await Promise.all([client.getChainId(), client.getCode({ address: hex(address) })])
  if (id !== chain.id) throw new Error(`the node speaks for chain ${id}`)
  const undeployed = signature.toLowerCase().endsWith(undeployedMark)
  if (code === undefined && !undeployed) return undefined
  const hash = hex(`0x${Buffer.from(hashPersonalMessage(text)).toString('hex')}`)
  const valid = await client.verifyHash({ address: hex(address), hash, signature: hex(signature) })
  if (!valid) return undefined
  return code?.startsWith('0xef0100') ? 'delegated' : 'contract'
}

function unchecked(chainId: number, why: string, cause?: unknown): CountersignError {
  return new CountersignError(
    'ConnectionFailed',
    `The signature could not be checked on chain ${chainId}. ${why} Nobody was signed in.`,
    {
      details:
        'Contract accounts are checked on the chain that the message names; see "chains" in docs/configuration.md.',
      cause,
    },
  )
}

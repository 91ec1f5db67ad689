import { concat, type Hex, hashMessage, type LocalAccount } from 'viem'
import type { DeployedSafe } from './deploySafe.ts'

/** Each owner signs the hash of the text as a message of this Safe; the Safe wants them in the order of their addresses. */
export async function signAsSafe(
  { address, chainId }: DeployedSafe,
  owners: readonly LocalAccount[],
  text: string,
): Promise<Hex> {
  const sorted = owners.toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  const signatures = await Promise.all(
    sorted.map((owner) =>
      owner.signTypedData({
        domain: { chainId, verifyingContract: address },
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage',
        message: { message: hashMessage(text) },
      }),
    ),
  )
  return concat(signatures)
}

import { CountersignError } from '@countersign/protocol'
import type { Hex } from '../../nodes/Chain.ts'

const root: Hex = `0x${'0'.repeat(64)}`

/** A name in its one right spelling (ENSIP-15), its hash, and those of its parents. Look-alikes and odd characters are refused. */
export async function nameHash(text: string): Promise<{ name: string; node: Hex; parents: Hex[] }> {
  const { concat, keccak256 } = await import('viem')
  const { labelhash, normalize } = await import('viem/ens')
  const given = text.trim()
  try {
    if (given.length > 255 || !given.includes('.') || given.split('.').includes('')) throw new Error('no name')
    const name = normalize(given)
    // From the root on, each from the one before: a hundred labels must not cost ten thousand hashes.
    const nodes: Hex[] = []
    for (const label of name.split('.').reverse())
      nodes.unshift(keccak256(concat([nodes[0] ?? root, labelhash(label)])))
    const [node = root, ...parents] = nodes
    return { name, node, parents }
  } catch {
    throw new CountersignError('InvalidValue', 'domain must be a name such as alice.eth.')
  }
}

import { CountersignError } from '@countersign/protocol'
import type { Hex } from '../../nodes/Chain.ts'

/** A name in its one right spelling (ENSIP-15), and its hash. Look-alikes and odd characters are refused. */
export async function nameHash(text: string): Promise<{ name: string; node: Hex }> {
  const { namehash, normalize } = await import('viem/ens')
  const given = text.trim()
  try {
    if (given.length > 255 || !given.includes('.') || given.split('.').includes('')) throw new Error('no name')
    const name = normalize(given)
    return { name, node: namehash(name) }
  } catch {
    throw new CountersignError('InvalidValue', 'domain must be a name such as alice.eth.')
  }
}

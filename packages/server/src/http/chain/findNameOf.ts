import type { AvatarRecord } from '@countersign/protocol'
import type { Chain, Hex } from '../../chain/nodes/Chain.ts'
import { findAvatar } from '../../chain/reads/ens/findAvatar.ts'
import { reverseName } from '../../chain/reads/ens/reverseName.ts'

/** The name of an address and what the name shows of itself; undefined where it has none, or where the chain has no names. */
export async function findNameOf(
  chain: Chain,
  address: Hex,
): Promise<{ name: string; avatar?: AvatarRecord } | undefined> {
  if (!chain.contracts.ensRegistry) return undefined
  const found = await reverseName(chain, address)
  if (!found) return undefined
  const avatar = await findAvatar(chain, found.name)
  if (!avatar) return { name: found.name }
  const { name } = found
  if (avatar.kind === 'url') return { name, avatar: { url: avatar.url } }
  return { name, avatar: { token: avatar.token, tokenId: avatar.tokenId.toString(), uri: avatar.uri } }
}

import { type Address, encodeEventTopics, getAddress, pad, toHex, zeroAddress } from 'viem'
import { getArtifact } from '../chain/getArtifact.ts'
import type { Actor } from './createActor.ts'
import type { Api } from './createApi.ts'
import { giveWelcome, welcomeBadge } from './giveWelcome.ts'
import { people } from './people.ts'
import type { Node } from './startNode.ts'
import type { World } from './World.ts'

const pause = 1_000

export type Watched = { guests: Address[]; stop(): void }

/** Looks for wallets that were linked, and welcomes each once. */
export function watchWallets(
  { node, actor, world, api }: { node: Node; actor: Actor; world: World; api: Api },
  onWelcome: (address: Address) => void,
): Watched {
  const seen = new Set<Address>()
  const guests: Address[] = []
  let stopped = false

  const look = async () => {
    for (const address of await listLinked(api)) {
      if (seen.has(address) || stopped) continue
      seen.add(address)
      guests.push(address)
      if (people.some(({ account }) => account.address === address)) continue
      if (await wasWelcomed(node, world, address)) continue
      await giveWelcome(actor, world, address)
      onWelcome(address)
    }
  }
  const go = async () => {
    while (!stopped) {
      // The server may be stopping, or busy: the next look finds what this one missed.
      await look().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, pause).unref())
    }
  }
  void go()
  return {
    guests,
    stop() {
      stopped = true
    },
  }
}

async function listLinked(api: Api): Promise<Address[]> {
  const found: Address[] = []
  for (let skip = 0; ; skip += 1000) {
    const { results } = await api.ask<{ results: { objectId: string }[] }>(
      'GET',
      `/classes/_EthAddress?limit=1000&skip=${skip}`,
      undefined,
      { master: true },
    )
    found.push(...results.map(({ objectId }) => getAddress(objectId)))
    if (results.length < 1000) return found
  }
}

/** By the log of its badge, which stays when the badge is given away. */
async function wasWelcomed(node: Node, world: World, address: Address): Promise<boolean> {
  const [topic] = encodeEventTopics({ abi: getArtifact('Badges').abi, eventName: 'TransferSingle' })
  const topics = [topic, null, pad(zeroAddress), pad(address)]
  const logs = (await node.request('eth_getLogs', [{ address: world.badges, fromBlock: '0x0', topics }])) as {
    data: string
  }[]
  return logs.some(({ data }) => data.startsWith(pad(toHex(welcomeBadge))))
}

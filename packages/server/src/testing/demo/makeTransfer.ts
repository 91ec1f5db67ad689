import { type Address, formatUnits, parseEther } from 'viem'
import type { Random } from '../createRandom.ts'
import type { Actor } from './createActor.ts'
import { ada, people } from './people.ts'
import type { World } from './World.ts'

/** Somebody gives somebody something. `guests` get more than their share, since they are watching. */
export async function makeTransfer(
  actor: Actor,
  world: World,
  random: Random,
  guests: readonly Address[] = [],
): Promise<string> {
  const from = random.below(4) === 0 ? ada : random.pick(people)
  const others = people.filter((person) => person !== from)
  const receiver = random.below(4) === 0 && from !== ada ? ada : random.pick(others)
  const to = guests.length > 0 && random.below(2) === 0 ? random.pick(guests) : receiver.account.address
  const giver = from.account.address
  const kind = random.below(20)
  if (kind === 0) {
    const value = parseEther(`0.${1 + random.below(8)}`)
    await actor.pay(giver, to, value)
    return `${from.name} sent ${formatUnits(value, 18)} ETH`
  }
  if (kind < 4) {
    const moved = await movePicture(actor, world, random, to)
    if (moved) return moved
  }
  if (kind < 6) {
    const id = BigInt(1 + random.below(3))
    const badges = { contract: 'Badges', address: world.badges } as const
    const has = (await actor.read({ ...badges, name: 'balanceOf', args: [giver, id] })) as bigint
    if (has > 0n) {
      await actor.send({ ...badges, name: 'safeTransferFrom', args: [giver, to, id, 1n, '0x'], from: giver })
      return `${from.name} sent a badge`
    }
  }
  const token = random.pick(world.tokens)
  const coin = { contract: 'Token', address: token.address } as const
  const has = (await actor.read({ ...coin, name: 'balanceOf', args: [giver] })) as bigint
  const amount = (has * BigInt(1 + random.below(80))) / 1000n || (has > 0n ? 1n : 0n)
  await actor.send({ ...coin, name: 'transfer', args: [to, amount], from: giver })
  return `${from.name} sent ${formatUnits(amount, token.decimals)} ${token.symbol}`
}

/** Ada keeps the first of each collection, and what guests have is theirs. */
async function movePicture(actor: Actor, world: World, random: Random, to: Address): Promise<string | undefined> {
  const { address, count, name } = random.pick(world.collections)
  const id = BigInt(2 + random.below(count - 1))
  const pictures = { contract: 'Pictures', address } as const
  const owner = (await actor.read({ ...pictures, name: 'ownerOf', args: [id] })) as Address
  const person = people.find(({ account }) => account.address === owner)
  if (!person || owner === to) return undefined
  await actor.send({ ...pictures, name: 'transferFrom', args: [owner, to, id], from: owner })
  return `${person.name} sent ${name} #${id}`
}

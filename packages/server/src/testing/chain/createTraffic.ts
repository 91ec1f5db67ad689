import { type Abi, type Address, encodeFunctionData } from 'viem'
import type { Chain } from './Chain.ts'
import { createWallet } from './createWallet.ts'
import { deployContract } from './deployContract.ts'
import { deployer } from './deployer.ts'
import { getArtifact } from './getArtifact.ts'

export type Traffic = {
  token: Address
  pictures: Address
  badges: Address
  /** Senders and recipients, in lower case. */
  people: Address[]
  /** How many pictures were ever made. */
  minted(): number
  /** Sends so many transactions, one block each: coins, pictures and badges are made, moved and burnt. */
  send(count: number): Promise<void>
  /** Makes coins, pictures and badges for an address, in so many transactions. */
  give(to: string, count: number): Promise<void>
}

/** Contracts of each kind, and people who use them; their acts follow from the seed. */
export async function createTraffic(chain: Chain, seed = 1): Promise<Traffic> {
  const [Token, Pictures, Badges] = [getArtifact('Token'), getArtifact('Pictures'), getArtifact('Badges')]
  const token = await deployContract(chain, Token, ['Token', 'TOK', 18])
  const pictures = await deployContract(chain, Pictures, ['Pictures', 'PIC'])
  const badges = await deployContract(chain, Badges, ['Badges', 'BDG', 'data:,'])
  const people = Array.from({ length: 6 }, () => createWallet().address.toLowerCase() as Address)
  for (const person of people) {
    await chain.request('hardhat_impersonateAccount', [person])
    await chain.request('hardhat_setBalance', [person, '0xffffffffffffffffffff'])
  }
  let state = seed
  // A small generator of pseudo-random numbers (mulberry32), so that a failure can be repeated.
  const random = (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  const anyone = () => people[random(people.length)] as Address
  const act = async (from: Address, to: Address, abi: Abi, functionName: string, args: unknown[]) => {
    const data = encodeFunctionData({ abi, functionName, args })
    await chain.request('eth_sendTransaction', [{ from, to, data, gas: '0x4c4b40' }])
  }
  const read = async (to: Address, abi: Abi, functionName: string, args: unknown[]) => {
    const data = encodeFunctionData({ abi, functionName, args })
    return String(await chain.request('eth_call', [{ to, data }, 'latest']).catch(() => '0x'))
  }
  let minted = 0

  const movePicture = async () => {
    const id = BigInt(random(Math.max(minted, 1)))
    const owner = `0x${(await read(pictures, Pictures.abi, 'ownerOf', [id])).slice(26)}` as Address
    if (!people.includes(owner)) return mintPicture()
    if (random(6) === 0) return act(owner, pictures, Pictures.abi, 'burn', [id])
    return act(owner, pictures, Pictures.abi, 'transferFrom', [owner, anyone(), id])
  }
  const mintPicture = () => act(deployer.address, pictures, Pictures.abi, 'mint', [anyone(), BigInt(minted++), ''])
  const moveBadge = async () => {
    const [from, id] = [anyone(), BigInt(random(4))]
    const held = BigInt((await read(badges, Badges.abi, 'balanceOf', [from, id])) || 0)
    if (held === 0n) return mintBadges()
    return act(from, badges, Badges.abi, 'safeTransferFrom', [from, anyone(), id, (held + 1n) / 2n, '0x'])
  }
  const mintBadges = () => {
    const ids = [0n, 1n, 2n, 3n].slice(0, 1 + random(4))
    return act(deployer.address, badges, Badges.abi, 'mintBatch', [anyone(), ids, ids.map((id) => id + 5n)])
  }
  const mintTokens = () =>
    act(deployer.address, token, Token.abi, 'mint', [anyone(), BigInt(random(1_000) + 1) * 10n ** 18n])
  const moveTokens = async () => {
    const from = anyone()
    const held = BigInt((await read(token, Token.abi, 'balanceOf', [from])) || 0)
    if (held === 0n) return mintTokens()
    return act(from, token, Token.abi, 'transfer', [anyone(), held / 3n])
  }
  const acts = [mintPicture, movePicture, movePicture, moveBadge, mintBadges, mintTokens, moveTokens, moveTokens]

  return {
    token: token.toLowerCase() as Address,
    pictures: pictures.toLowerCase() as Address,
    badges: badges.toLowerCase() as Address,
    people,
    minted: () => minted,
    async give(to, count) {
      for (let given = 0; given < count; given++) {
        if (given % 3 === 0) await act(deployer.address, token, Token.abi, 'mint', [to, BigInt(given + 1)])
        else if (given % 3 === 1)
          await act(deployer.address, pictures, Pictures.abi, 'mint', [to, BigInt(minted++), ''])
        else await act(deployer.address, badges, Badges.abi, 'mintBatch', [to, [0n, 1n], [1n, 2n]])
      }
    },
    async send(count) {
      for (let sent = 0; sent < count; sent++) await acts[random(acts.length)]?.()
    },
  }
}

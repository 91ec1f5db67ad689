import { type Address, encodeDeployData, encodeFunctionData, type Hex, toHex } from 'viem'
import { deployer } from '../chain/deployer.ts'
import { type Artifact, type ArtifactName, getArtifact } from '../chain/getArtifact.ts'
import { readValue } from './readValue.ts'
import type { Node } from './startNode.ts'

export type Call = {
  contract: ArtifactName
  address: Address
  name: string
  args?: readonly unknown[]
  from?: Address
}

export type Actor = {
  deploy(contract: ArtifactName, args?: readonly unknown[]): Promise<Address>
  /** Calls a contract in a transaction, from any address: on this chain they are all at hand. */
  send(call: Call): Promise<void>
  pay(from: Address, to: Address, value: bigint): Promise<void>
  read(call: Call): Promise<unknown>
  /** The time of the next block, in seconds; those after it follow by twelve. Undefined: the time that it is. */
  setTime(time: number | undefined): void
}

// Named, so that a block does not depend on what the EVM would guess.
const fees = { maxFeePerGas: toHex(3_000_000_000n), maxPriorityFeePerGas: toHex(1_000_000_000n) }
const gas = toHex(6_000_000)
const blockTime = 12

/** Actions of people on the chain. */
export function createActor({ request }: Node): Actor {
  const artifacts = new Map<ArtifactName, Artifact>()
  const artifactOf = (name: ArtifactName) => {
    const found = artifacts.get(name) ?? getArtifact(name)
    artifacts.set(name, found)
    return found
  }
  let next: number | undefined
  const owned = new Set<Address>([deployer.address])
  const transact = async (from: Address, fields: { to?: Address; data?: Hex; value?: Hex }) => {
    if (!owned.has(from)) await request('hardhat_impersonateAccount', [from])
    owned.add(from)
    if (next !== undefined) await request('evm_setNextBlockTimestamp', [next])
    if (next !== undefined) next += blockTime
    return (await request('eth_sendTransaction', [{ from, gas, ...fees, ...fields }])) as Hex
  }

  return {
    async deploy(contract, args = []) {
      const { abi, bytecode } = artifactOf(contract)
      const hash = await transact(deployer.address, { data: encodeDeployData({ abi, bytecode, args }) })
      const receipt = (await request('eth_getTransactionReceipt', [hash])) as { contractAddress: Address }
      return receipt.contractAddress
    },
    async send({ contract, address, name, args = [], from = deployer.address }) {
      const data = encodeFunctionData({ abi: artifactOf(contract).abi, functionName: name, args })
      await transact(from, { to: address, data })
    },
    async pay(from, to, value) {
      await transact(from, { to, value: toHex(value) })
    },
    read: ({ contract, address, name, args = [] }) =>
      readValue(request, { abi: artifactOf(contract).abi, address, name, args }),
    setTime(time) {
      next = time
    },
  }
}

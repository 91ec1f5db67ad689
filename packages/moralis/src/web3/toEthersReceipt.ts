import { type Abi, decodeEventLog, getAddress, type Hex, toEventSignature } from 'viem'
import type { Loose } from '../Loose.ts'
import { BigNumber } from './BigNumber.ts'
import { toEthersList } from './toEthersValue.ts'

/** A receipt in the form of ethers 5, from the node's response. With an ABI its events are decoded. */
export function toEthersReceipt(raw: Loose, latest: number, abi?: unknown): Loose {
  const blockNumber = Number(raw.blockNumber)
  const logs = raw.logs.map((log: Loose) => toEthersLog(log))
  return {
    to: toAddress(raw.to),
    from: toAddress(raw.from),
    contractAddress: toAddress(raw.contractAddress),
    transactionIndex: Number(raw.transactionIndex),
    gasUsed: BigNumber.from(raw.gasUsed),
    cumulativeGasUsed: BigNumber.from(raw.cumulativeGasUsed),
    effectiveGasPrice: BigNumber.from(raw.effectiveGasPrice ?? 0),
    logsBloom: raw.logsBloom,
    blockHash: raw.blockHash,
    transactionHash: raw.transactionHash,
    blockNumber,
    confirmations: Math.max(latest - blockNumber + 1, 1),
    status: Number(raw.status),
    type: Number(raw.type ?? 0),
    byzantium: true,
    logs,
    ...(Array.isArray(abi) && { events: logs.map((log: Loose) => ({ ...log, ...readEvent(log, abi as Abi) })) }),
  }
}

export function toEthersLog(raw: Loose): Loose {
  return {
    ...raw,
    address: toAddress(raw.address),
    blockNumber: Number(raw.blockNumber),
    transactionIndex: Number(raw.transactionIndex),
    logIndex: Number(raw.logIndex),
  }
}

export function toAddress(address: Loose): string | null {
  return address ? getAddress(address) : null
}

function readEvent({ data, topics }: { data: Hex; topics: [Hex, ...Hex[]] }, abi: Abi): object {
  try {
    const { eventName, args } = decodeEventLog({ abi, data, topics }) as { eventName: string; args: Loose }
    const event: Loose = abi.find((item) => item.type === 'event' && item.name === eventName)
    const values = event.inputs.map(({ name }: { name?: string }, index: number) => args[name || index])
    return { event: eventName, eventSignature: toEventSignature(event), args: toEthersList(event.inputs, values) }
  } catch {
    // Another contract's event, which this ABI does not know.
    return {}
  }
}

import type { Abi, Address, ContractEventArgs, ContractEventName, Hash, Log } from 'viem'
import type { ChainOptions } from './ChainOptions.ts'

export type WaitForReceiptInput = ChainOptions & {
  readonly hash: Hash
  /** Blocks that must hold the transaction; default 1. */
  readonly confirmations?: number
  /** Milliseconds to wait; default ten minutes. */
  readonly timeout?: number
}

export type ContractEventsInput<
  Interface extends Abi | readonly unknown[] = Abi,
  Name extends ContractEventName<Interface> = ContractEventName<Interface>,
> = ChainOptions & {
  readonly address: Address
  readonly abi: Interface
  readonly eventName: Name
  /** Values of indexed parameters to filter by. */
  readonly args?: ContractEventArgs<Interface, Name>
  /** First block; default the latest, so that only new events are read. */
  readonly fromBlock?: bigint
  /** Last block; default the latest. */
  readonly toBlock?: bigint
}

/** A decoded event of a contract. */
export type ContractEvent<
  Interface extends Abi | readonly unknown[] = Abi,
  Name extends ContractEventName<Interface> = ContractEventName<Interface>,
> = Log<bigint, number, false, undefined, true, Interface extends Abi ? Interface : Abi, Name & string>

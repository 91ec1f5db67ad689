import type { Abi, Address, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import type { ChainOptions, SendTransactionInput } from './ChainOptions.ts'

export type Reads = 'pure' | 'view'
export type Writes = 'nonpayable' | 'payable'

/** A function by its name, or by `name(type,type)` where there are several of the name. */
export type FunctionName<Interface extends Abi | readonly unknown[], Kind extends Reads | Writes = Reads | Writes> =
  | ContractFunctionName<Interface, Kind>
  | `${string}(${string})`

/** In their order, or by their names. */
export type FunctionArgs<
  Interface extends Abi | readonly unknown[],
  Name extends string,
  Kind extends Reads | Writes = Reads | Writes,
> =
  Name extends ContractFunctionName<Interface, Kind>
    ? ContractFunctionArgs<Interface, Kind, Name> | NamedArgs<Interface, Name>
    : readonly unknown[] | AnyNamed

/** Optional if there are none. */
export type WithArgs<Interface extends Abi | readonly unknown[], Name extends string, Kind extends Reads | Writes> =
  readonly [] extends FunctionArgs<Interface, Name, Kind>
    ? { readonly args?: FunctionArgs<Interface, Name, Kind> }
    : { readonly args: FunctionArgs<Interface, Name, Kind> }

type AnyNamed = { readonly [name: string]: unknown }
type NamedArgs<Interface extends Abi | readonly unknown[], Name extends string> = string extends Name
  ? AnyNamed
  : Extract<Interface[number], { readonly type: 'function'; readonly name: Name }> extends infer Known
    ? [Known] extends [never]
      ? AnyNamed
      : ByName<Known>
    : never
/** By the names of each function of the name; values may be written in more ways than the ABI's own types. */
type ByName<Known> = Known extends { readonly inputs: readonly { readonly name: infer Names extends string }[] }
  ? [Names] extends [never]
    ? never
    : { readonly [Name in Names]: unknown }
  : never

export type FunctionResult<Interface extends Abi | readonly unknown[], Name extends string> =
  Name extends ContractFunctionName<Interface, Reads> ? ContractFunctionReturnType<Interface, Reads, Name> : unknown

export type ReadContractInput<
  Interface extends Abi | readonly unknown[] = readonly unknown[],
  Name extends FunctionName<Interface, Reads> = FunctionName<Interface, Reads>,
> = Omit<ChainOptions, 'account'> & {
  /** The account that calls; the wallet's own by default. `null`: none, the result is the same for everyone. */
  readonly account?: Address | null
  readonly address: Address
  readonly abi: Interface
  readonly functionName: Name
  /** The number of a block, or `latest` (default), `pending`, `safe`, `finalized`, `earliest`. */
  readonly block?: bigint | number | 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest'
} & WithArgs<Interface, Name, Reads>

export type WriteContractInput<
  Interface extends Abi | readonly unknown[] = readonly unknown[],
  Name extends FunctionName<Interface, Writes> = FunctionName<Interface, Writes>,
> = Omit<SendTransactionInput, 'to' | 'data'> & {
  readonly address: Address
  readonly abi: Interface
  readonly functionName: Name
} & WithArgs<Interface, Name, Writes>

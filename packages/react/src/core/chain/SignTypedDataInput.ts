import type { TypedData, TypedDataDefinition } from 'viem'
import type { ChainOptions } from './ChainOptions.ts'

/** Typed data (EIP-712) to sign. The wallet must be on the chain of `domain.chainId` or `chainId`. */
export type SignTypedDataInput<
  Types extends TypedData | Record<string, unknown> = TypedData,
  Primary extends keyof Types | 'EIP712Domain' = keyof Types,
> = ChainOptions & TypedDataDefinition<Types, Primary>

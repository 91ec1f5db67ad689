import type { ChainId } from './ChainTypes.ts'

type AmountField = 'balance' | 'amount' | 'value' | 'gas' | 'gasPrice' | 'gasUsed' | 'cumulativeGasUsed'

/** What others wrote, or what a contract was called with: left as it came. */
type RawField = 'metadata' | 'normalized' | 'call' | 'logs'

/** What a chain's records are for an application: amounts are bigint, times are dates, and nothing can be changed. */
export type FromWire<Value> = Value extends readonly (infer Item)[]
  ? readonly FromWire<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: FieldFromWire<Field, Value[Field]> }
    : Value

type FieldFromWire<Field, Value> = Field extends RawField
  ? Value
  : Field extends AmountField
    ? Value extends string
      ? bigint
      : Value
    : Field extends 'timestamp'
      ? Date
      : Field extends 'chain'
        ? ChainId
        : FromWire<Value>

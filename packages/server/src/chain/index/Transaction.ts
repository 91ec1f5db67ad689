/** A transaction with what became of it. Numbers of any size are decimal text. */
export type Transaction = {
  block: number
  index: number
  hash: string
  blockHash: string
  /** In seconds. */
  time: number
  from: string
  to: string | null
  value: string
  nonce: string
  gas: string
  gasPrice: string
  input: string
  status: number | null
  gasUsed: string | null
  cumulativeGasUsed: string | null
  /** The contract that it made. */
  contract: string | null
}

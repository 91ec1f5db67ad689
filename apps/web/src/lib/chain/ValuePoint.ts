/** What something was worth at a time, and the blocks that tell it, where blocks do. */
export type ValuePoint = {
  time: number
  value: bigint
  blocks?: readonly { chain: number; block: number }[]
}

import { batchTopic, singleTopic, transferTopic, transferTopics } from './topics.ts'
import type { Work } from './Work.ts'

export type LogFilter = { address?: readonly string[]; topics: (string | string[] | null)[] }

/** The questions for logs that together tell of all transfers that are wanted. */
export function logFilters({ kind, addresses }: Pick<Work, 'kind' | 'addresses'>): LogFilter[] {
  if (kind === 'contract') return [{ address: addresses, topics: [transferTopics] }]
  if (kind !== 'address') return [{ topics: [transferTopics] }]
  const parties = addresses.map((address) => `0x${address.slice(2).padStart(64, '0')}`)
  // Who sent is the first that ERC-20 and ERC-721 index and the second of ERC-1155, after the operator.
  return [
    { topics: [transferTopic, parties] },
    { topics: [transferTopics, null, parties] },
    { topics: [[singleTopic, batchTopic], null, null, parties] },
  ]
}

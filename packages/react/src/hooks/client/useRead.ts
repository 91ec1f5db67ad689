'use client'

import { defineSharedReading } from '../../core/readings/defineReading.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseAsync, useReading } from './useReading.ts'

type Read<Data> = (options: { readonly signal?: AbortSignal | undefined }) => Promise<Data>

const anyReading = /*#__PURE__*/ defineSharedReading(
  ({ key }: { readonly key: unknown; readonly read: Read<unknown> }) => ({ read: key }),
  (_, { read }, options) => read(options),
)

/**
 * Reads from your own source with the behavior of the other hooks: components with the same `key` share one reading,
 * temporary failures are retried, and data is dropped when another user signs in. Keys are compared by value.
 *
 * @example
 * const { data } = useRead(['block', hash], ({ signal }) => request(client, 'getBlock', { chain: '1', block: hash }, { signal }))
 */
export function useRead<Data, Selected = Data>(
  key: unknown,
  read: Read<Data>,
  options?: ReadOptions<Data, Selected>,
): UseAsync<Selected> {
  return useReading(anyReading(useClient(), { key, read }), options as ReadOptions<unknown, Selected>)
}

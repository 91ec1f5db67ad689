import { useMoralis } from '../hooks/useMoralis.ts'
import { type UseResolveCallOptions, useResolveCall } from '../hooks/useResolveCall.ts'
import type { Attributes, Loose } from '../Loose.ts'
import { loadLater } from '../loadLater.ts'
import type { Plugin } from './runPlugin.ts'

/**
 * A hook of a plugin of the older server; its function is named `as` in the hook's result. The services behind the
 * plugins have ended; a server function of the same name is called instead.
 */
export function createPluginHook<Params extends object, const As extends string>(
  plugin: Plugin,
  name: string,
  as: As,
  { autoFetch: isFetched = false, initialData = null as Loose } = {},
) {
  return (params?: Params, { autoFetch = isFetched }: UseResolveCallOptions & { disableTriggers?: boolean } = {}) => {
    const { Moralis, isInitialized, account } = useMoralis()
    const {
      fetch,
      setData: _,
      ...state
    } = useResolveCall<Loose, Attributes>({
      call: async (input) => (await loadLater()).runPlugin(Moralis, plugin, name, input),
      initialData,
      params,
      autoFetch,
      isReady: isInitialized,
      key: account,
    })
    return { [as]: fetch, ...state } as typeof state & { [Name in As]: typeof fetch }
  }
}

import { useMoralis } from '../hooks/useMoralis.ts'
import { type ResolveCall, type UseResolveCallOptions, useResolveCall } from '../hooks/useResolveCall.ts'
import type { Attributes, Loose } from '../Loose.ts'
import type { Plugin } from './runPlugin.ts'

type Wish = {
  readonly plugin: Plugin
  readonly name: string
  readonly params: Attributes
  readonly initialData?: Loose
  readonly autoFetch?: boolean
  readonly validate?: () => string | undefined
}

/**
 * A call of a plugin of the older server. The services behind the plugins are gone; where the server has a function of
 * the same name, that is called.
 */
export function usePluginCall(
  wish: Wish,
  options: UseResolveCallOptions = {},
): Omit<ResolveCall<Loose, Loose>, 'setData'> {
  const { plugin, name, params, initialData = null, validate } = wish
  const { Moralis, isInitialized } = useMoralis()
  const { setData: _, ...call } = useResolveCall<Loose, Attributes>({
    async call(input) {
      const { runPlugin } = await import('./runPlugin.ts')
      return runPlugin(Moralis, plugin, name, input)
    },
    initialData,
    params,
    autoFetch: options.autoFetch ?? wish.autoFetch ?? false,
    isReady: isInitialized,
    ...(validate && { validate }),
  })
  return call
}

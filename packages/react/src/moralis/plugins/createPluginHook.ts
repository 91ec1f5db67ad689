import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import type { Attributes } from '../Loose.ts'
import type { Plugin } from './runPlugin.ts'
import { usePluginCall } from './usePluginCall.ts'

/** A hook of a plugin: its function is called `<plugin>_<name>` on the server, and `as` in what the hook answers. */
export function createPluginHook<Params extends object, const As extends string>(
  plugin: Plugin,
  name: string,
  as: As,
  defaults: Attributes,
) {
  return (params: Params, options?: UseResolveCallOptions) => {
    const { fetch, ...state } = usePluginCall({ plugin, name, params: { ...defaults, ...params } }, options)
    return { [as]: fetch, ...state } as typeof state & { [Name in As]: typeof fetch }
  }
}

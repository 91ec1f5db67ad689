import type { Context } from '../context/Context.ts'
import type { HookHandler, HookName } from '../context/Registry.ts'

/** The application's hooks of this kind; `undefined` where there is none, which costs one look-up. */
export function findHooks(
  { registry }: Context,
  hook: HookName,
  className: string,
): readonly HookHandler[] | undefined {
  return registry.hooks.size === 0 ? undefined : registry.hooks.get(`${hook} ${className}`)
}

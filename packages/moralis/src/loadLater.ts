import { loadOnce } from '@countersign/react/adapter'
import type { Loose } from './Loose.ts'

/** Fetched when one of the older names is first asked to do something; to be shown it needs nothing of this. */
export const loadLater = /*#__PURE__*/ loadOnce(async () => (await import('./later.ts')).later)

/** The functions of a part that is loaded when one of them is first called. */
export function defer<Part extends Record<Name, (...args: Loose[]) => Loose>, const Name extends keyof Part>(
  load: () => Promise<Part>,
  names: readonly Name[],
): Pick<Part, Name> {
  const open = /*#__PURE__*/ loadOnce(load)
  const call =
    (name: Name) =>
    async (...args: Loose[]) =>
      (await open())[name](...args)
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Loose
}

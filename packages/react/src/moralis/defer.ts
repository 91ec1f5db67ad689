import { loadOnce } from '../core/loadOnce.ts'
import type { Loose } from './Loose.ts'

/** The functions of a part that is loaded when one of them is first called. */
export function defer<Part extends Record<Name, (...args: Loose[]) => Loose>, const Name extends keyof Part>(
  load: () => Promise<Part>,
  names: readonly Name[],
): Pick<Part, Name> {
  const open = loadOnce(load)
  const call =
    (name: Name) =>
    async (...args: Loose[]) =>
      (await open())[name](...args)
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Loose
}

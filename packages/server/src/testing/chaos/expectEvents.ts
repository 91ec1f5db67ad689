import type { Asked, Cell, Change, Who } from './Chaos.ts'
import { describe } from './openSubscriber.ts'

/** Expected events for a query, by document and in order: the table of docs/live-queries.md once more. */
export function expectEvents(changes: readonly Change[], { fits }: Asked, { names }: Who): Map<string, string[]> {
  const expected = new Map<string, string[]>()
  const isSeen = (cell: Cell | null) =>
    cell !== null && (!cell._rperm || cell._rperm.some((name) => names.includes(name)))
  for (const { before, after } of changes) {
    const wasFound = before !== null && isSeen(before) && fits(before)
    const isFound = after !== null && isSeen(after) && fits(after)
    const key = describeEvent(wasFound, isFound)
    if (key === undefined) continue
    const { objectId } = (after ?? before) as Cell
    const list = expected.get(objectId) ?? []
    list.push(key)
    expected.set(objectId, list)

    function describeEvent(was: boolean, is: boolean): string | undefined {
      if (is && after) {
        if (!before) return describe('create', after.n, undefined)
        return describe(was ? 'update' : 'enter', after.n, isSeen(before) ? before.n : undefined)
      }
      if (!was || !before) return undefined
      if (!after) return describe('delete', before.n, undefined)
      return describe('leave', isSeen(after) ? after.n : before.n, before.n)
    }
  }
  return expected
}

import type { Cell, Change } from './Chaos.ts'
import type { Writers } from './startWriters.ts'

/** Checks that each confirmed write, sent any number of times, happened once: by the counters in the objects. */
export function checkHistory(
  changes: readonly Change[],
  cells: readonly Cell[],
  { updates, deleted, writes }: Writers['counts'],
): string[] {
  const faults: string[] = []
  if (changes.length !== writes) faults.push(`${writes} writes were answered, ${changes.length} happened`)
  if (cells.length !== updates.size - deleted) {
    faults.push(`${updates.size} objects were made and ${deleted} deleted, but there are ${cells.length}`)
  }
  for (const { objectId, n } of cells) {
    if (n !== updates.get(objectId))
      faults.push(`${objectId} was changed ${updates.get(objectId)} times but counts ${n}`)
  }
  return faults
}

import type { WireFields, WireValue } from '@countersign/protocol'
import { t } from '../../../i18n/translate.ts'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { useAct } from '../ask.ts'
import { backTo } from './dataRows.ts'
import { undoRows } from './undoRows.ts'

/** Resolves to true if it was saved. */
export type SaveCell = (row: WireFields, name: string, value: WireValue) => Promise<boolean>

/** Saves one field of one row, and offers to undo it. `refetch` reads the rows again, after the change and its undo. */
export function useSaveCell(className: string, refetch: () => void): SaveCell {
  const act = useAct()
  return async (row, name, value) => {
    const objectId = String(row.objectId)
    const saved = await act('updateObject', { className, objectId, [name]: value })
    if (!saved) return false
    refetch()
    const back = { method: 'PUT' as const, objectId, body: { [name]: backTo(row[name]) } }
    toasts.add(t('Saved'), 'ok', undoRows(className, [back], refetch))
    return true
  }
}

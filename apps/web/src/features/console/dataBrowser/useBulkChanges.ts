import type { WireFields, WireValue, WireWhere } from '@countersign/protocol'
import { useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { type Act, useAct } from '../ask.ts'
import { backTo, type RowRequest, readSome, sendRows, toCreate } from './dataRows.ts'
import { undoRows } from './undoRows.ts'
import { mostChanged, mostUndone, type RowSelection } from './useRowSelection.ts'

type Props = {
  className: string
  /** Conditions of the view. */
  where: WireWhere
  selection: RowSelection
  /** Reads the rows of the view again. */
  refetch: () => void
  onError: (error: unknown) => void
  /** Called at the end, also after an error. */
  onDone: () => void
}

/** Deletes or changes the selected rows. `progress` counts them while it goes on. */
export function useBulkChanges({ className, where, selection, refetch, onError, onDone }: Props) {
  const [progress, setProgress] = useState<number>()
  const act = useAct()
  const { selected, isEvery, chosen } = selection

  const readChosen = async () => {
    const found = isEvery ? where : ({ objectId: { $in: [...selected] } } as WireWhere)
    const before = await readSome(className, found, mostChanged)
    // A number was confirmed: rows added since then are not included.
    if (before.length <= chosen) return before
    toasts.add(t('The number of rows has changed. Review them again.'), 'danger')
    return []
  }

  const run = async (change: (before: readonly WireFields[]) => Promise<void>) => {
    setProgress(0)
    try {
      await change(await readChosen())
    } catch (error) {
      onError(error)
    }
    setProgress(undefined)
    selection.clear()
    refetch()
    onDone()
  }

  const remove = () =>
    run(async (before) => {
      const ids = before.map(({ objectId }) => String(objectId))
      const requests = ids.map((objectId) => ({ method: 'DELETE' as const, objectId }))
      const count = await sendAll(act, className, requests, setProgress)
      const mayUndo = count === before.length && count <= mostUndone && !className.startsWith('_')
      const back = before.map((row) => ({ method: 'POST' as const, body: toCreate(row) }))
      if (count > 0)
        toasts.add(
          t('{count, plural, one {# row deleted} other {# rows deleted}}', { count }),
          'ok',
          mayUndo ? undoRows(className, back, refetch) : undefined,
        )
    })

  const changeAll = (name: string, value: WireValue) =>
    run(async (before) => {
      const to = (row: WireFields, next: WireValue) => ({
        method: 'PUT' as const,
        objectId: String(row.objectId),
        body: { [name]: next },
      })
      const requests = before.map((row) => to(row, value))
      const count = await sendAll(act, className, requests, setProgress)
      const back = before.map((row) => to(row, backTo(row[name])))
      if (count > 0)
        toasts.add(
          t('{count, plural, one {# row updated} other {# rows updated}}', { count }),
          'ok',
          count <= mostUndone ? undoRows(className, back, refetch) : undefined,
        )
    })

  return { progress, remove, changeAll }
}

/** Sends the first request alone, which asks for a proof if needed, then the others together. Returns the number done. */
async function sendAll(
  act: Act,
  className: string,
  requests: readonly RowRequest[],
  onProgress: (done: number) => void,
): Promise<number> {
  const [first, ...others] = requests
  if (!first?.objectId) return 0
  const { objectId, body } = first
  const begun =
    first.method === 'DELETE'
      ? await act('deleteObject', { className, objectId })
      : await act('updateObject', { className, objectId, ...body })
  if (!begun) return 0
  onProgress(1)
  const { done, failures } = await sendRows(className, others, { onProgress: (sent) => onProgress(sent + 1) })
  if (failures[0])
    toasts.add(
      t('Rows not saved: {count}. {problem}', { count: formatNumber(failures.length), problem: failures[0].message }),
      'danger',
    )
  return done + 1
}

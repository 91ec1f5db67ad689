import type { CountersignError } from '@countersign/protocol'
import { t } from '../../../i18n/translate.ts'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { describeError } from '../../../ui/forms/describeError.ts'
import { type RowRequest, sendRows } from './dataRows.ts'

/** The undo button of a toast. `requests` restore the rows as they were before the change. */
export function undoRows(className: string, requests: readonly RowRequest[], onDone: () => void) {
  return {
    label: t('Undo'),
    run: async () => {
      const { failures } = await sendRows(className, requests).catch((error: CountersignError) => ({
        failures: [{ message: describeError(error).message }],
      }))
      if (failures[0]) toasts.add(failures[0].message, 'danger')
      else toasts.add(t('Change undone'), 'ok')
      onDone()
    },
  }
}

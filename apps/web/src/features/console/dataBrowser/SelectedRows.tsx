import { Pencil, Trash2 } from 'lucide-react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { mostChanged, mostUndone, type RowSelection } from './useRowSelection.ts'

type Props = {
  selection: RowSelection
  /** Rows of the view. */
  total: number
  onEdit: () => void
  onDelete: () => void
}

/** Actions for the selected rows. */
export function SelectedRows({
  selection: { selected, isEvery, setEvery, chosen, clear },
  total,
  onEdit,
  onDelete,
}: Props) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <Button look="secondary" onClick={onEdit}>
        <Pencil size={18} aria-hidden="true" />
        {t('Edit rows ({count})', { count: formatNumber(chosen) })}
      </Button>
      <Button look="danger-quiet" onClick={onDelete}>
        <Trash2 size={18} aria-hidden="true" />
        {t('Delete rows ({count})', { count: formatNumber(chosen) })}
      </Button>
      {total > selected.size && (
        <label className="flex min-h-11 items-center gap-3 text-sm">
          <input
            type="checkbox"
            checked={isEvery}
            onChange={(event) => setEvery(event.target.checked)}
            className="size-5"
          />
          {t('{count, plural, one {The only row in this view} other {All # rows in this view}}', {
            count: Math.min(total, mostChanged),
          })}
        </label>
      )}
      <Button look="ghost" onClick={clear}>
        {t('Clear selection')}
      </Button>
    </div>
  )
}

type DeleteProps = {
  open: boolean
  className: string
  selection: RowSelection
  isRunning: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Asks before the selected rows are deleted. */
export function DeleteRowsDialog({ open, className, selection, isRunning, onClose, onConfirm }: DeleteProps) {
  const { selected, isEvery, chosen } = selection
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={() => !isRunning && onClose()}
      title={t('{count, plural, one {Delete # row?} other {Delete # rows?}}', { count: chosen })}
      description={
        <span className="wrap-anywhere">
          {isEvery ? t('All rows of this view.') : [...selected].slice(0, 10).join(', ')}
          {!isEvery && selected.size > 10 && ' …'}
          {chosen > mostUndone && ` ${t('This can’t be undone.')}`}
        </span>
      }
      confirm={t('Delete')}
      danger
      pending={isRunning}
      {...(chosen > 1 && { typed: className })}
      onConfirm={onConfirm}
    />
  )
}

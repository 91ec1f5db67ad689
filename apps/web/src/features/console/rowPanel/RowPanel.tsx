import { Dialog as Primitive } from '@base-ui/react/dialog'
import { Tabs } from '@base-ui/react/tabs'
import type { WireFields } from '@countersign/protocol'
import { ChevronDown, ChevronUp, KeyRound, X } from 'lucide-react'
import { useRef } from 'react'
import { t } from '../../../i18n/translate.ts'
import { ButtonLink, IconButton } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { cx } from '../../../ui/cx.ts'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { useAsk } from '../ask.ts'
import type { Fields } from '../dataBrowser/dataValues.ts'
import { nameObject } from '../dataBrowser/schemas.ts'
import type { Rows } from '../dataBrowser/useRows.ts'
import type { SaveCell } from '../dataBrowser/useSaveCell.ts'
import { CopyRow } from './CopyRow.tsx'
import { RowFields } from './RowFields.tsx'
import { RowHistory } from './RowHistory.tsx'
import { RowRelated } from './RowRelated.tsx'

type Props = {
  className: string
  fields: Fields
  objectId: string
  /** The rows of the grid, for the way to the next. */
  rows: Rows
  mayEdit: boolean
  onSave: SaveCell
  /** Shows another row. */
  onShow: (objectId: string) => void
  onClose: () => void
}

/** Everything about one object, beside the grid; on a phone in its place. */
export function RowPanel({ className, fields, objectId, rows, mayEdit, onSave, onShow, onClose }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  const object = useAsk('getObject', { className, objectId }, { every: 5_000 })
  const place = rows.indexOf(objectId)
  const row = (object.data as WireFields | undefined) ?? (place === undefined ? undefined : rows.at(place))
  const save: SaveCell = async (before, name, value) => {
    const isSaved = await onSave(before, name, value)
    if (isSaved) object.refetch()
    return isSaved
  }
  const access = new URLSearchParams({ className, objectId, operation: 'get' })
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Primitive.Popup
          ref={popup}
          initialFocus={popup}
          // The grid has the focus of all its cells.
          finalFocus={() => document.querySelector<HTMLElement>('[role=grid]') ?? true}
          className="fixed inset-y-0 end-0 z-50 flex w-full flex-col bg-surface shadow-float outline-none sm:max-w-xl sm:border-s sm:border-line"
        >
          <header className="border-b border-line p-4 pb-3 sm:px-6">
            <div className="flex items-start gap-1">
              <div className="min-w-0 flex-1" aria-live="polite">
                <Primitive.Title className="truncate text-lg">
                  <bdi>{row ? nameObject(fields, row) : objectId}</bdi>
                </Primitive.Title>
                <Primitive.Description className="truncate text-sm text-muted">
                  <bdi>{className}</bdi> · <code className="text-xs">{objectId}</code>
                </Primitive.Description>
              </div>
              <CopyButton label={t('Copy ID')} text={objectId} />
              <Step label={t('Previous row')} icon={ChevronUp} to={neighbor(rows, place, -1)} onShow={onShow} />
              <Step label={t('Next row')} icon={ChevronDown} to={neighbor(rows, place, 1)} onShow={onShow} />
              <Primitive.Close render={<IconButton label={t('Close')} />}>
                <X size={19} aria-hidden="true" />
              </Primitive.Close>
            </div>
            <div className="mt-2 flex flex-wrap gap-2">
              <ButtonLink look="secondary" to={`/admin/access?${access}`}>
                <KeyRound size={18} aria-hidden="true" />
                {t('Test access')}
              </ButtonLink>
              <CopyRow className={className} objectId={objectId} />
            </div>
          </header>
          {row ? (
            <Tabs.Root key={objectId} defaultValue="fields" className="flex min-h-0 flex-1 flex-col">
              <Tabs.List className="flex gap-1 overflow-x-auto border-b border-line px-4 sm:px-6">
                <PanelTab value="fields" label={t('Fields')} />
                <PanelTab value="related" label={t('Related objects')} />
                <PanelTab value="history" label={t('History')} />
              </Tabs.List>
              <Tabs.Panel value="fields" className={panelClass}>
                <RowFields className={className} fields={fields} row={row} mayEdit={mayEdit} onSave={save} />
              </Tabs.Panel>
              <Tabs.Panel value="related" className={panelClass}>
                <RowRelated className={className} fields={fields} row={row} mayEdit={mayEdit} />
              </Tabs.Panel>
              <Tabs.Panel value="history" className={panelClass}>
                <RowHistory className={className} row={row} />
              </Tabs.Panel>
            </Tabs.Root>
          ) : (
            <div className="p-6">
              <ReadingStatus reading={object} failure={t('The object could not be loaded')} bare />
            </div>
          )}
        </Primitive.Popup>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

const panelClass = 'min-h-0 flex-1 overflow-y-auto p-4 sm:px-6'

function PanelTab({ value, label }: { value: string; label: string }) {
  return (
    <Tabs.Tab
      value={value}
      className={(state) =>
        cx(
          'inline-flex min-h-11 items-center border-b-2 px-3 text-sm font-semibold whitespace-nowrap',
          state.active ? 'border-accent text-accent' : 'border-transparent text-muted hover:text-ink',
        )
      }
    >
      {label}
    </Tabs.Tab>
  )
}

/** Id of the row above or below, if it is read. */
function neighbor(rows: Rows, place: number | undefined, by: 1 | -1): string | undefined {
  const next = place === undefined ? undefined : rows.at(place + by)
  return next && String(next.objectId)
}

type StepProps = {
  label: string
  icon: typeof ChevronUp
  to: string | undefined
  onShow: (objectId: string) => void
}

/** Not disabled at the end: the focus would be lost. */
function Step({ label, icon: Icon, to, onShow }: StepProps) {
  return (
    <IconButton
      label={label}
      aria-disabled={to === undefined}
      onClick={() => to !== undefined && onShow(to)}
      className="aria-disabled:opacity-40"
    >
      <Icon size={19} aria-hidden="true" />
    </IconButton>
  )
}

import { Bookmark, Plus, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { TextField } from '../../ui/forms/Field.tsx'
import type { Asked } from './ask.ts'

type Named = { objectId: string; name: string }

type Props<Item extends Named> = {
  title: string
  description: string
  list: Asked<{ results: Item[] }>
  failure: string
  /** Text where there are none. */
  none: string
  /** The item's own link or button, and what stands behind it. */
  row: (item: Item) => ReactNode
  /** Absent for operators who remove nothing. */
  onRemove: ((objectId: string) => Promise<unknown>) | undefined
  /** Absent while there is nothing to save. Replaces the item of the same name. */
  save: ({ texts: SaveTexts } & SaveAction) | undefined
  onClose: () => void
  children?: ReactNode
}

type SaveTexts = { save: string; replace: string; saved: string }
type SaveAction = { onSave: (name: string, same: string | undefined) => Promise<unknown> }

/** Button that opens a dialog with what operators have saved under a name. */
export function NamedListButton({ label, dialog }: { label: string; dialog: (onClose: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        <Bookmark size={18} aria-hidden="true" />
        {label}
      </Button>
      {isOpen && dialog(() => setOpen(false))}
    </>
  )
}

/** Dialog with what operators have saved under a name: to use, to remove, to add to. */
export function NamedList<Item extends Named>(props: Props<Item>) {
  const { title, description, list, failure, none, row, onRemove, save, onClose, children } = props
  const known = list.data?.results ?? []
  const remove = async (objectId: string) => {
    if (await onRemove?.(objectId)) list.refetch()
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <ReadingStatus reading={list} failure={failure} bare />
      {list.data && (
        <ul aria-label={title} className="mb-5 max-h-80 divide-y divide-line overflow-y-auto">
          {known.map((each) => (
            <li key={each.objectId} className="flex items-center gap-1 py-1">
              {row(each)}
              {onRemove && (
                <IconButton label={t('Remove {name}', { name: each.name })} onClick={() => void remove(each.objectId)}>
                  <X size={18} aria-hidden="true" />
                </IconButton>
              )}
            </li>
          ))}
          {known.length === 0 && <li className="py-2 text-sm text-muted">{none}</li>}
        </ul>
      )}
      {list.data && save && <SaveForm {...save} known={known} onSaved={list.refetch} />}
      {list.data && children}
    </Dialog>
  )
}

type SaveProps = { texts: SaveTexts; known: readonly Named[]; onSaved: () => void } & SaveAction

function SaveForm({ texts, known, onSave, onSaved }: SaveProps) {
  const [name, setName] = useState('')
  const [pending, setPending] = useState(false)
  const trimmed = name.trim()
  const same = known.find((each) => each.name === trimmed)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (trimmed === '' || pending) return
    setPending(true)
    const saved = await onSave(trimmed, same?.objectId)
    setPending(false)
    // Another operator may have saved one under this name.
    onSaved()
    if (!saved) return
    setName('')
    toasts.add(texts.saved, 'ok')
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex items-end gap-2">
      <div className="flex-1">
        <TextField
          label={t('Name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={100}
          autoComplete="off"
        />
      </div>
      <Button type="submit" look="secondary" pending={pending}>
        <Plus size={18} aria-hidden="true" />
        {same ? texts.replace : texts.save}
      </Button>
    </form>
  )
}

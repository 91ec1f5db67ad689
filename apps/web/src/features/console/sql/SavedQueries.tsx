import { Bookmark, Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { TextField } from '../../../ui/forms/Field.tsx'
import { useAct, useAsk } from '../ask.ts'

type Query = { query: string; chart: boolean }
type Props = Query & { onUse: (query: Query) => void }

/** Queries under a name, for all administrators. */
export function SavedQueries(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        <Bookmark size={18} aria-hidden="true" />
        {t('Saved queries')}
      </Button>
      {isOpen && <QueriesDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function QueriesDialog({ query, chart, onUse, onClose }: Props & { onClose: () => void }) {
  const act = useAct()
  const saved = useAsk('listSavedQueries', {})
  const known = saved.data?.results ?? []
  const remove = async (objectId: string) => {
    if (await act('deleteSavedQuery', { objectId })) saved.refetch()
  }
  return (
    <Dialog open onOpenChange={onClose} title={t('Saved queries')} description={t('All administrators see them.')}>
      <ReadingStatus reading={saved} failure={t('The queries could not be loaded')} bare />
      {saved.data && (
        <ul aria-label={t('Saved queries')} className="mb-5 max-h-80 divide-y divide-line overflow-y-auto">
          {known.map((each) => (
            <li key={each.objectId} className="flex items-center gap-1 py-1">
              <button
                type="button"
                onClick={() => {
                  onUse(each)
                  onClose()
                }}
                className="min-h-11 min-w-0 flex-1 text-start font-semibold wrap-anywhere"
              >
                <bdi>{each.name}</bdi>
              </button>
              <IconButton label={t('Remove {name}', { name: each.name })} onClick={() => void remove(each.objectId)}>
                <X size={18} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
          {known.length === 0 && <li className="py-2 text-sm text-muted">{t('No saved queries yet')}</li>}
        </ul>
      )}
      {saved.data && query.trim() !== '' && (
        <SaveQuery query={query} chart={chart} known={known} onSaved={saved.refetch} />
      )}
    </Dialog>
  )
}

type SaveProps = Query & { known: readonly { objectId: string; name: string }[]; onSaved: () => void }

function SaveQuery({ query, chart, known, onSaved }: SaveProps) {
  const act = useAct()
  const [name, setName] = useState('')
  const [pending, setPending] = useState(false)
  const trimmed = name.trim()
  const same = known.find((each) => each.name === trimmed)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (trimmed === '' || pending) return
    setPending(true)
    const done = same
      ? await act('updateSavedQuery', { objectId: same.objectId, query, chart })
      : await act('createSavedQuery', { name: trimmed, query, chart })
    setPending(false)
    onSaved()
    if (!done) return
    setName('')
    toasts.add(t('Query saved'), 'ok')
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
        {same ? t('Replace query') : t('Save query')}
      </Button>
    </form>
  )
}

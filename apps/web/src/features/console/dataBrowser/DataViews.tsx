import { Bookmark, Plus, Share2, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { TextField } from '../../../ui/forms/Field.tsx'
import { useAct, useAsk, useConsole } from '../ask.ts'
import { type BrowserView, fromSearch, keepBrowserViews, readBrowserViews, toSearch } from './browserViews.ts'

type Props = { className: string; search: string }

/** Filter, order and columns of a class under a name, for all operators. */
export function DataViews({ className, search }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        <Bookmark size={18} aria-hidden="true" />
        {t('Views')}
      </Button>
      {isOpen && <ViewsDialog className={className} search={search} onClose={() => setOpen(false)} />}
    </>
  )
}

function ViewsDialog({ className, search, onClose }: Props & { onClose: () => void }) {
  const isAdmin = useConsole().role === 'admin'
  const act = useAct()
  const views = useAsk('listDataViews', { className })
  const known = views.data?.results ?? []
  const path = `/admin/data/${encodeURIComponent(className)}`
  const remove = async (objectId: string) => {
    if (await act('deleteDataView', { objectId })) views.refetch()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Views')}
      description={t('Saved filters, sorting and columns. All operators see them.')}
    >
      <ReadingStatus reading={views} failure={t('The views could not be loaded')} bare />
      {views.data && (
        <ul aria-label={t('Views')} className="mb-5 max-h-80 divide-y divide-line overflow-y-auto">
          {known.map((view) => (
            <li key={view.objectId} className="flex items-center gap-1 py-1">
              <Link
                to={`${path}${toSearch(view)}`}
                onClick={onClose}
                className="min-h-11 min-w-0 flex-1 content-center font-semibold wrap-anywhere"
              >
                <bdi>{view.name}</bdi>
              </Link>
              <CopyButton label={t('Copy link')} text={`${window.location.origin}${path}${toSearch(view)}`} />
              {isAdmin && (
                <IconButton label={t('Remove {name}', { name: view.name })} onClick={() => void remove(view.objectId)}>
                  <X size={18} aria-hidden="true" />
                </IconButton>
              )}
            </li>
          ))}
          {known.length === 0 && <li className="py-2 text-sm text-muted">{t('No views yet')}</li>}
        </ul>
      )}
      {isAdmin && views.data && (
        <>
          <SaveView className={className} search={search} known={known} onSaved={views.refetch} />
          <BrowserViews className={className} onShared={views.refetch} />
        </>
      )}
    </Dialog>
  )
}

type SaveProps = Props & { known: readonly { objectId: string; name: string }[]; onSaved: () => void }

function SaveView({ className, search, known, onSaved }: SaveProps) {
  const act = useAct()
  const [name, setName] = useState('')
  const [pending, setPending] = useState(false)
  const trimmed = name.trim()
  const same = known.find((view) => view.name === trimmed)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (trimmed === '' || pending) return
    setPending(true)
    const content = fromSearch(search)
    const saved = same
      ? await act('updateDataView', { objectId: same.objectId, ...content })
      : await act('createDataView', { className, name: trimmed, ...content })
    setPending(false)
    // Another operator may have saved one under this name.
    onSaved()
    if (!saved) return
    setName('')
    toasts.add(t('View saved'), 'ok')
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
        {same ? t('Replace view') : t('Save view')}
      </Button>
    </form>
  )
}

/** Views that this browser still has alone. */
function BrowserViews({ className, onShared }: { className: string; onShared: () => void }) {
  const act = useAct()
  const [views, setViews] = useState(() => readBrowserViews(className))
  if (views.length === 0) return null
  const keep = (next: readonly BrowserView[]) => {
    keepBrowserViews(className, next)
    setViews([...next])
  }
  const share = async (view: BrowserView) => {
    const saved = await act('createDataView', { className, name: view.name, ...fromSearch(view.search) })
    if (!saved) return
    keep(views.filter((each) => each !== view))
    onShared()
  }
  return (
    <section aria-labelledby="browser-views" className="mt-6">
      <h3 id="browser-views" className="text-base">
        {t('Only in this browser')}
      </h3>
      <ul className="mt-1 divide-y divide-line">
        {views.map((view) => (
          <li key={view.name} className="flex items-center gap-1 py-1">
            <bdi className="min-w-0 flex-1 font-semibold wrap-anywhere">{view.name}</bdi>
            <IconButton label={t('Share {name}', { name: view.name })} onClick={() => void share(view)}>
              <Share2 size={18} aria-hidden="true" />
            </IconButton>
            <IconButton
              label={t('Remove {name}', { name: view.name })}
              onClick={() => keep(views.filter((each) => each !== view))}
            >
              <X size={18} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

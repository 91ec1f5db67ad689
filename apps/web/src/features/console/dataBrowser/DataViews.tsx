import { Bookmark, Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'

type View = { name: string; search: string }

const most = 50
const keyOf = (className: string) => `countersign.console.views.${className}`

/** Kept by this browser, which anyone who uses it may have written to. */
function readViews(className: string): View[] {
  try {
    const given = JSON.parse(localStorage.getItem(keyOf(className)) ?? '[]') as Partial<View>[]
    return given
      .flatMap(({ name, search }) => (typeof name === 'string' && typeof search === 'string' ? [{ name, search }] : []))
      .slice(0, most)
  } catch {
    return []
  }
}

/** Filter, order and columns of a class under a name of one's own. The address of a view can be passed on. */
export function DataViews({ className, search }: { className: string; search: string }) {
  const [isOpen, setOpen] = useState(false)
  const [views, setViews] = useState(() => readViews(className))
  const keep = (next: View[]) => {
    setViews(next)
    localStorage.setItem(keyOf(className), JSON.stringify(next))
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name') ?? '').trim()
    if (name === '') return
    keep([...views.filter((view) => view.name !== name), { name, search }].slice(-most))
    form.reset()
  }
  const path = `/admin/data/${encodeURIComponent(className)}`
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        <Bookmark size={18} aria-hidden="true" />
        {t('Views')}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t('Views')}
        description={t('Saved filters, sorting and columns. Stored in this browser.')}
      >
        <ul aria-label={t('Views')} className="mb-5 divide-y divide-line">
          {views.map(({ name, search: kept }) => (
            <li key={name} className="flex items-center gap-1 py-1">
              <Link
                to={`${path}${kept}`}
                onClick={() => setOpen(false)}
                className="min-h-11 min-w-0 flex-1 content-center font-semibold wrap-anywhere"
              >
                <bdi>{name}</bdi>
              </Link>
              <CopyButton label={t('Copy link')} text={`${window.location.origin}${path}${kept}`} />
              <IconButton
                label={t('Remove {name}', { name })}
                onClick={() => keep(views.filter((view) => view.name !== name))}
              >
                <X size={18} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
          {views.length === 0 && <li className="py-2 text-sm text-muted">{t('No views yet')}</li>}
        </ul>
        <form noValidate onSubmit={submit} className="flex items-end gap-2">
          <div className="flex-1">
            <TextField label={t('Name')} name="name" maxLength={100} autoComplete="off" />
          </div>
          <Button type="submit" look="secondary">
            <Plus size={18} aria-hidden="true" />
            {t('Save view')}
          </Button>
        </form>
      </Dialog>
    </>
  )
}

import { Share2, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { useAct, useAsk, useConsole } from '../ask.ts'
import { NamedList, NamedListButton } from '../NamedList.tsx'
import { type BrowserView, fromSearch, keepBrowserViews, readBrowserViews, toSearch } from './browserViews.ts'

type Props = { className: string; search: string }

/** Filter, order and columns of a class under a name, for all operators. */
export function DataViews(props: Props) {
  return <NamedListButton label={t('Views')} dialog={(onClose) => <ViewsDialog {...props} onClose={onClose} />} />
}

function ViewsDialog({ className, search, onClose }: Props & { onClose: () => void }) {
  const isAdmin = useConsole().role === 'admin'
  const act = useAct()
  const views = useAsk('listDataViews', { className })
  const path = `/admin/data/${encodeURIComponent(className)}`
  return (
    <NamedList
      title={t('Views')}
      description={t('Saved filters, sorting and columns. All operators see them.')}
      list={views}
      failure={t('The views could not be loaded')}
      none={t('No views yet')}
      row={(view) => (
        <>
          <Link
            to={`${path}${toSearch(view)}`}
            onClick={onClose}
            className="min-h-11 min-w-0 flex-1 content-center font-semibold wrap-anywhere"
          >
            <bdi>{view.name}</bdi>
          </Link>
          <CopyButton label={t('Copy link')} text={`${window.location.origin}${path}${toSearch(view)}`} />
        </>
      )}
      onRemove={isAdmin ? (objectId) => act('deleteDataView', { objectId }) : undefined}
      save={
        isAdmin
          ? {
              texts: { save: t('Save view'), replace: t('Replace view'), saved: t('View saved') },
              onSave: (name, same) =>
                same
                  ? act('updateDataView', { objectId: same, ...fromSearch(search) })
                  : act('createDataView', { className, name, ...fromSearch(search) }),
            }
          : undefined
      }
      onClose={onClose}
    >
      {isAdmin && <BrowserViews className={className} onShared={views.refetch} />}
    </NamedList>
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

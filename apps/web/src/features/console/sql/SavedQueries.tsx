import { t } from '../../../i18n/translate.ts'
import { useAct, useAsk } from '../ask.ts'
import { NamedList, NamedListButton } from '../NamedList.tsx'

type Query = { query: string; chart: boolean }
type Props = Query & { onUse: (query: Query) => void }

/** Queries under a name, for all administrators. */
export function SavedQueries(props: Props) {
  return (
    <NamedListButton label={t('Saved queries')} dialog={(onClose) => <QueriesDialog {...props} onClose={onClose} />} />
  )
}

function QueriesDialog({ query, chart, onUse, onClose }: Props & { onClose: () => void }) {
  const act = useAct()
  return (
    <NamedList
      title={t('Saved queries')}
      description={t('All administrators see them.')}
      list={useAsk('listSavedQueries', {})}
      failure={t('The queries could not be loaded')}
      none={t('No saved queries yet')}
      row={(saved) => (
        <button
          type="button"
          onClick={() => {
            onUse(saved)
            onClose()
          }}
          className="min-h-11 min-w-0 flex-1 text-start font-semibold wrap-anywhere"
        >
          <bdi>{saved.name}</bdi>
        </button>
      )}
      onRemove={(objectId) => act('deleteSavedQuery', { objectId })}
      save={
        query.trim() === ''
          ? undefined
          : {
              texts: { save: t('Save query'), replace: t('Replace query'), saved: t('Query saved') },
              onSave: (name, same) =>
                same
                  ? act('updateSavedQuery', { objectId: same, query, chart })
                  : act('createSavedQuery', { name, query, chart }),
            }
      }
      onClose={onClose}
    />
  )
}

import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { LoadFailure } from '../../../ui/feedback/EmptyState.tsx'
import { RowsSkeleton } from '../../../ui/feedback/RowsSkeleton.tsx'
import { FieldFrame, inputClass } from '../../../ui/forms/Field.tsx'
import { useAsk } from '../ask.ts'

type Picked = { objectId: string; name: string }

type Props = {
  label: string
  onPick: (picked: Picked) => void
}

/** Finds a user by name, email address or id, and picks one of those found. */
export function UserPicker({ label, onPick }: Props) {
  const [search, setSearch] = useState('')
  const found = useAsk('listConsoleUsers', { search, limit: '8' }, { enabled: search !== '' })
  const items = found.data?.results.map(({ objectId, username, email }) => ({ objectId, name: username, fact: email }))
  return (
    <Picker
      label={label}
      hint={t('Name, email, ID or wallet')}
      onSearch={setSearch}
      found={search === '' ? undefined : found}
      items={items}
      onPick={onPick}
    />
  )
}

type PickerProps = {
  label: string
  hint?: string
  onSearch: (text: string) => void
  /** Absent before anything was looked for. */
  found: { status: 'pending' | 'error' | 'success'; refetch: () => void; error?: unknown } | undefined
  items: readonly (Picked & { fact?: string | undefined })[] | undefined
  onPick: (picked: Picked) => void
}

/** A search with its results below; one of them is picked. */
export function Picker({ label, hint, onSearch, found, items, onPick }: PickerProps) {
  const id = useId()
  const [text, setText] = useState('')
  // Not a form: it is used inside forms, where Enter would submit the outer one.
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <search>
      <FieldFrame id={id} label={label} hint={hint}>
        <div className="flex gap-2">
          <input
            id={id}
            type="search"
            value={text}
            maxLength={200}
            dir="auto"
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={press}
            aria-describedby={hint && `${id}-hint`}
            className={inputClass}
          />
          <Button look="secondary" aria-label={t('Search')} onClick={() => onSearch(text.trim())}>
            <Search size={18} aria-hidden="true" />
          </Button>
        </div>
      </FieldFrame>
      <div aria-live="polite" className="mt-3">
        {found?.status === 'pending' && <RowsSkeleton bare label={t('Loading…')} />}
        {found?.status === 'error' && (
          <LoadFailure title={t('The search failed')} error={found.error as never} onRetry={found.refetch} />
        )}
        {items && found && (
          <ul aria-label={t('Results')} className="-mx-2 max-h-64 overflow-y-auto">
            {items.map(({ objectId, name, fact }) => (
              <li key={objectId}>
                <button
                  type="button"
                  onClick={() => onPick({ objectId, name })}
                  className="flex min-h-11 w-full flex-wrap items-center gap-x-3 rounded-control px-2 py-1 text-start text-sm hover:bg-sunken"
                >
                  <bdi className="font-semibold wrap-anywhere">{name}</bdi>
                  <span className="text-muted wrap-anywhere">{fact ?? objectId}</span>
                </button>
              </li>
            ))}
            {items.length === 0 && <li className="px-2 py-2 text-sm text-muted">{t('Nothing found')}</li>}
          </ul>
        )}
      </div>
    </search>
  )
}

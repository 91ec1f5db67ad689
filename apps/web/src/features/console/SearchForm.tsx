import { Search } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { inputClass } from '../../ui/forms/Field.tsx'

type Props = {
  label: string
  placeholder: string
  /** Current search. */
  search: string
  onSearch: (search: string) => void
  maxLength?: number
  /** Filters, beside the search. */
  children?: ReactNode
}

/** The search above a list of the console. */
export function SearchForm({ label, placeholder, search, onSearch, maxLength = 200, children }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSearch(String(new FormData(event.currentTarget).get('search') ?? '').trim())
  }
  return (
    <search className="mb-6 flex flex-wrap items-end gap-2">
      <form onSubmit={submit} className="flex min-w-0 flex-1 basis-72 gap-2">
        <input
          key={search}
          type="search"
          name="search"
          defaultValue={search}
          maxLength={maxLength}
          aria-label={label}
          placeholder={placeholder}
          className={inputClass}
        />
        <Button type="submit" look="secondary" aria-label={t('Search')}>
          <Search size={18} aria-hidden="true" />
        </Button>
      </form>
      {children}
    </search>
  )
}

import type { ChainInfo } from '@countersign/react/chain'
import { Search } from 'lucide-react'
import { type ComponentProps, createContext, type FormEvent, useContext, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { explorerPath } from '../../chain/ChainLinks.tsx'
import { ChainSelect } from '../../chain/ChainSelect.tsx'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { inputClass } from '../../ui/forms/Field.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { readSearch } from './readSearch.ts'

/** The chains of this server, and the one that is searched. */
export const SearchedChains = createContext<{ chains: readonly ChainInfo[]; chain: ChainInfo } | undefined>(undefined)

/** The title of a page of the explorer, and below it the box that leads to any other. */
export function ExplorerHeader(props: ComponentProps<typeof PageHeader>) {
  const navigate = useNavigate()
  const searched = useContext(SearchedChains)
  return (
    <>
      <PageHeader {...props} />
      {searched && (
        <div className="mb-8 flex flex-wrap items-start gap-4 print:hidden">
          <SearchForm chain={searched.chain.id} />
          {searched.chains.length > 1 && (
            <ChainSelect
              chains={searched.chains}
              value={String(searched.chain.id)}
              onChange={(id) => void navigate(`/explorer/${id}`)}
            />
          )}
        </div>
      )}
    </>
  )
}

const examples = '1234, 0x…, ada.eth'

/** One box for everything that a chain has a page for. */
function SearchForm({ chain }: { chain: string | number }) {
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const search = (event: FormEvent) => {
    event.preventDefault()
    const found = readSearch(text)
    setUnknown(found.kind === 'unknown')
    if (found.kind === 'unknown') return
    setText('')
    void navigate(explorerPath(chain, found.kind, found.value))
  }
  return (
    <search className="min-w-0 flex-1 basis-80">
      <form onSubmit={search} noValidate>
        <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
          {t('Block, transaction, address or name')}
        </label>
        <div className="flex gap-2">
          <input
            id={id}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setUnknown(false)
            }}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={examples}
            dir="auto"
            aria-invalid={isUnknown || undefined}
            aria-describedby={isUnknown ? `${id}-problem` : undefined}
            className={inputClass}
          />
          <Button type="submit" aria-label={t('Search')} className="shrink-0">
            <Search size={18} aria-hidden="true" />
            <span className="max-sm:hidden">{t('Search')}</span>
          </Button>
        </div>
        {isUnknown && (
          <p id={`${id}-problem`} role="alert" className="mt-1.5 text-sm text-danger">
            {t(
              'Not recognized. Enter a block number, transaction hash (0x + 64 digits), address (0x + 40 digits) or name (ada.eth).',
            )}
          </p>
        )}
      </form>
    </search>
  )
}

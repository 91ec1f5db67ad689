import { Search } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { explorerPath } from '../../lib/chain/explorerPath.ts'
import { readSearch } from '../../lib/chain/readSearch.ts'
import { inputClass } from '../../lib/inputClass.ts'
import { say } from '../../lib/say.ts'
import { Button } from '../Button.tsx'

const examples = '1234, 0x…, ada.eth'

/** One box for everything that a chain has a page for. */
export function SearchForm({ chain }: { chain: string | number }) {
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
          {say('Block, transaction, address or name')}
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
          <Button type="submit" aria-label={say('Search')} className="shrink-0">
            <Search size={18} aria-hidden="true" />
            <span className="max-sm:hidden">{say('Search')}</span>
          </Button>
        </div>
        {isUnknown && (
          <p id={`${id}-problem`} role="alert" className="mt-1.5 text-sm text-danger">
            {say(
              'That is none of these. A block is a number, a transaction 0x and 64 digits, an address 0x and 40, a name has a dot in it.',
            )}
          </p>
        )}
      </form>
    </search>
  )
}

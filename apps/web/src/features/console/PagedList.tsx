import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { type AskName, type Input, type Output, useAsk } from './ask.ts'

type Props<Name extends AskName, Item> = {
  name: Name
  /** Input for the page that starts at a position; undefined for the first. */
  input: (start: string | undefined) => Input<Name>
  /** The rows of a page, and where the next one begins. */
  read: (page: Output<Name>) => { items: readonly Item[]; next?: string | undefined }
  /** One row, with a key. */
  row: (item: Item, refetch: () => void) => ReactNode
  failure: string
  empty: { icon: LucideIcon; title: string; text?: string }
  /** Of the list, where its rows have another height. */
  className?: string
  label?: string
}

/** Page below page: the first, and each further requested one. Give it a key that changes with the input. */
export function PagedList<Name extends AskName, Item>(props: Props<Name, Item>) {
  const [starts, setStarts] = useState<readonly (string | undefined)[]>([undefined])
  return (
    <Card>
      <ul aria-label={props.label} className={`divide-y divide-line ${props.className ?? '-my-3'}`}>
        {starts.map((start, place) => (
          <PageRows
            key={start ?? ''}
            {...props}
            start={start}
            isLast={place === starts.length - 1}
            onMore={(next) => setStarts([...starts, next])}
          />
        ))}
      </ul>
    </Card>
  )
}

type PageProps<Name extends AskName, Item> = Props<Name, Item> & {
  start: string | undefined
  isLast: boolean
  onMore: (start: string) => void
}

function PageRows<Name extends AskName, Item>(props: PageProps<Name, Item>) {
  const { name, input, read, row, failure, empty, start, isLast, onMore } = props
  const page = useAsk(name, input(start))
  if (!page.data)
    return (
      <li>
        <ReadingStatus reading={page} failure={failure} bare />
      </li>
    )
  const { items, next } = read(page.data)
  if (items.length === 0 && start === undefined)
    return (
      <li>
        <EmptyState icon={empty.icon} title={empty.title}>
          {empty.text}
        </EmptyState>
      </li>
    )
  return (
    <>
      {items.map((item) => row(item, page.refetch))}
      {isLast && next !== undefined && (
        <li className="py-4 text-center">
          <Button look="secondary" onClick={() => onMore(next)}>
            {t('Show more')}
          </Button>
        </li>
      )}
    </>
  )
}

import { ChevronDown, type LucideIcon } from 'lucide-react'
import { Fragment, type ReactNode, useId, useState } from 'react'
import { t } from '../i18n/translate.ts'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'

type Props = {
  icon: ReactNode
  title: string
  /** Beside the title: what it is about, badges. */
  aside?: ReactNode
  /** The second line: the facts that most people look for, beside each other. */
  facts: readonly ReactNode[]
  /** One more, where there is room: a phone shows it with the details. */
  minorFact?: ReactNode
  /** One button, or a menu. */
  actions?: ReactNode
  /** Below the two lines, always in sight. */
  note?: ReactNode
  heading?: 'h2' | 'h3'
  /** The rest, when the row is opened. */
  children: ReactNode
}

/** A row of two lines that opens: pressing it anywhere shows its details. */
export function DetailRow(props: Props) {
  const { icon, title, aside, facts, minorFact, actions, note, heading: Heading = 'h3', children } = props
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <div className="relative flex items-center gap-3 py-3.5 sm:gap-3.5">
        {/* A phone has two lines' room for the words. */}
        <span className="max-sm:hidden">{icon}</span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <Heading className="min-w-0 text-base wrap-anywhere">{title}</Heading>
            {aside}
          </div>
          {/* Wrapped, never cut: half an amount is a wrong one. */}
          <p className="text-sm text-muted wrap-anywhere">
            <Facts items={facts} minor={minorFact} />
          </p>
        </div>
        {/* Above what makes the whole row a button. */}
        {actions && <div className="relative z-10 flex shrink-0 items-center">{actions}</div>}
        <IconButton
          label={t('Details: {name}', { name: title })}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="-mx-2 after:absolute after:inset-0 hover:bg-transparent"
        >
          <ChevronDown size={18} aria-hidden="true" className={cx('transition-transform', isOpen && 'rotate-180')} />
        </IconButton>
      </div>
      {note && <div className="-mt-2 pb-4 text-sm text-muted sm:ms-13.5">{note}</div>}
      {isOpen && (
        <div id={id} className="pb-4 sm:ms-13.5">
          {children}
        </div>
      )}
    </li>
  )
}

/** Facts beside each other with a dot between; what is not there is left out. */
export function Facts({ items, minor }: { items: readonly ReactNode[]; minor?: ReactNode }) {
  const shown = items.filter(isThere)
  return (
    <>
      {shown.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the facts of one row, in their order
        <Fragment key={place}>
          {place > 0 && <span aria-hidden="true"> · </span>}
          {item}
        </Fragment>
      ))}
      {isThere(minor) && (
        <span className={shown.length > 0 ? 'max-sm:hidden' : undefined}>
          {shown.length > 0 && <span aria-hidden="true"> · </span>}
          {minor}
        </span>
      )}
    </>
  )
}

const isThere = (item: ReactNode) => item !== undefined && item !== null && item !== false && item !== ''

/** The picture at a row's beginning. */
export function RowIcon({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-control bg-sunken text-muted">
      <Icon size={20} aria-hidden="true" />
    </span>
  )
}

/** List of details, name by name. */
export function DetailList({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[9rem_minmax(0,1fr)]">{children}</dl>
}

export function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted max-sm:-mb-2">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}

import { Link, useSearchParams } from 'react-router'
import { cx } from './cx.ts'

type Props<Name extends string> = {
  label: string
  tabs: readonly { name: Name; label: string }[]
  current: Name
}

/** Views of one page. Which one is in the address, beside whatever else is there. */
export function Tabs<Name extends string>({ label, tabs, current }: Props<Name>) {
  const [parameters] = useSearchParams()
  const to = (name: Name) => {
    const next = new URLSearchParams(parameters)
    next.set('show', name)
    return `?${next}`
  }
  return (
    <nav aria-label={label} className="-mt-2 mb-3 flex gap-1 overflow-x-auto border-b border-line print:hidden">
      {tabs.map(({ name, label: text }) => (
        <Link
          key={name}
          to={to(name)}
          preventScrollReset
          aria-current={current === name ? 'page' : undefined}
          className={cx(
            'inline-flex min-h-11 items-center border-b-2 px-3 text-sm font-semibold whitespace-nowrap',
            current === name ? 'border-accent text-accent' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}

import { Monitor, Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { t } from '../i18n/translate.ts'
import { cx } from './cx.ts'

const listChoices = (): { value: Theme; label: string; icon: typeof Sun }[] => [
  { value: 'system', label: t('System'), icon: Monitor },
  { value: 'light', label: t('Light'), icon: Sun },
  { value: 'dark', label: t('Dark'), icon: Moon },
]

/** `name` tells apart the radio buttons of two that stand on one page. */
export function ThemeToggle({ name = 'theme' }: { name?: string }) {
  const chosen = useSyncExternalStore(theme.subscribe, theme.get)
  return (
    <fieldset className="inline-flex rounded-full border border-line bg-surface p-0.5">
      <legend className="sr-only">{t('Theme')}</legend>
      {listChoices().map(({ value, label, icon: Icon }) => (
        <label
          key={value}
          title={label}
          className={cx(
            'relative grid size-11 cursor-pointer place-items-center rounded-full transition-colors',
            'has-focus-visible:outline-2 has-focus-visible:outline-accent',
            chosen === value ? 'bg-sunken text-ink' : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={chosen === value}
            onChange={() => theme.set(value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
          />
          <Icon size={17} aria-hidden="true" />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

type Theme = 'system' | 'light' | 'dark'

/** The same key is read by /theme.js before the first paint. */
const key = 'Countersign/theme'
const listeners = new Set<() => void>()

function read(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

function colourBrowserBar() {
  const colour = getComputedStyle(document.body).backgroundColor
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', colour)
}

function apply(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  colourBrowserBar()
  for (const listener of listeners) listener()
}

/** The chosen theme as a snapshot with a subscription; kept in storage, shared between tabs. */
export const theme = {
  get: read,
  set(next: Theme) {
    try {
      if (next === 'system') localStorage.removeItem(key)
      else localStorage.setItem(key, next)
    } catch {
      // Storage is refused in some privacy modes: the choice then lasts until the page is left.
    }
    apply(next)
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

// From the start: another tab may choose before the switch of this one is there.
window.addEventListener('storage', ({ key: changed, newValue }) => {
  if (changed === key) apply(newValue === 'light' || newValue === 'dark' ? newValue : 'system')
})

import { Monitor, Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { cx } from '../lib/cx.ts'
import { say } from '../lib/say.ts'
import { type Theme, theme } from '../lib/theme.ts'

const listChoices = (): { value: Theme; label: string; icon: typeof Sun }[] => [
  { value: 'system', label: say('As the system'), icon: Monitor },
  { value: 'light', label: say('Light'), icon: Sun },
  { value: 'dark', label: say('Dark'), icon: Moon },
]

/** `name` tells apart the radio buttons of two that stand on one page. */
export function ThemeToggle({ name = 'theme' }: { name?: string }) {
  const chosen = useSyncExternalStore(theme.subscribe, theme.get)
  return (
    <fieldset className="inline-flex rounded-full border border-line bg-surface p-0.5">
      <legend className="sr-only">{say('Theme')}</legend>
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

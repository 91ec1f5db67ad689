import { CornerDownLeft } from 'lucide-react'
import type { Ref } from 'react'
import type { Command } from '../lib/Command.ts'
import { cx } from '../lib/cx.ts'
import { say } from '../lib/say.ts'

type Props = {
  ref: Ref<HTMLDivElement>
  id: string
  commands: readonly Command[]
  active: number
  onPoint: (index: number) => void
  onChoose: (index: number) => void
}

/** What the field of the palette controls: the commands in their groups. */
export function CommandList({ ref, id, commands, active, onPoint, onChoose }: Props) {
  const groups = [...new Set(commands.map(({ group }) => group))]
  return (
    <div
      ref={ref}
      id={id}
      role="listbox"
      aria-label={say('Results')}
      className={cx('overflow-y-auto overscroll-contain', commands.length > 0 && 'p-1.5')}
    >
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <p id={`${id}-${group}`} className="px-3 pt-2.5 pb-1 text-xs font-semibold text-muted">
            {nameGroup(group)}
          </p>
          {commands.map(({ id: key, group: own, label, icon: Icon }, index) =>
            own !== group ? null : (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and hears the keys
              <div
                key={key}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onPointerMove={() => index !== active && onPoint(index)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(index)}
                className={cx(
                  'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-2 text-sm font-medium select-none',
                  index === active && 'bg-sunken',
                )}
              >
                <Icon size={18} aria-hidden="true" className="shrink-0 text-muted" />
                <span className="min-w-0 flex-1 break-words">{label}</span>
                {index === active && <CornerDownLeft size={16} aria-hidden="true" className="shrink-0 text-muted" />}
              </div>
            ),
          )}
        </div>
      ))}
    </div>
  )
}

function nameGroup(group: Command['group']): string {
  switch (group) {
    case 'goTo':
      return say('Go to')
    case 'do':
      return say('Do')
    case 'search':
      return say('Search')
  }
}

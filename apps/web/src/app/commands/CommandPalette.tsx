import { Dialog as Primitive } from '@base-ui/react/dialog'
import { useSession } from '@countersign/react'
import { CornerDownLeft, Search } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { findSessionUser } from '../../account/session.ts'
import { t } from '../../i18n/translate.ts'
import { cx } from '../../ui/cx.ts'
import { commandPalette } from './commandPalette.ts'
import { type Command, rankCommands } from './rankCommands.ts'
import { noteRecentPlace } from './recentPlaces.ts'
import { useCommands } from './useCommands.ts'

/** Every place and act by a few letters. The focus stays in the field; the arrows move the choice. */
export function CommandPalette({ open }: { open: boolean }) {
  return (
    <Primitive.Root open={open} onOpenChange={commandPalette.set}>
      <Primitive.Portal>
        <Primitive.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Primitive.Viewport className="fixed inset-0 z-50 flex items-start justify-center p-3 sm:pt-[12vh]">
          <Primitive.Popup className="flex max-h-full w-full max-w-xl flex-col overflow-hidden rounded-card border border-line bg-surface shadow-float transition-opacity duration-150 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0 sm:max-h-[70vh]">
            <Primitive.Title className="sr-only">{t('Search and commands')}</Primitive.Title>
            <Commands />
          </Primitive.Popup>
        </Primitive.Viewport>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

function Commands() {
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const user = findSessionUser(useSession())
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const commands = rankCommands(useCommands(query), query)
  const chosen = commands[active]

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  const choose = (index: number) => {
    const command = commands[index]
    if (!command) return
    commandPalette.set(false)
    // The documentation is another page, and an address to search for is no place.
    if (user && command.to?.startsWith('/admin'))
      noteRecentPlace(user.objectId, { to: command.to, label: command.label })
    // After the focus is restored: the command may move it.
    setTimeout(command.run, 0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const count = commands.length
    const next: Record<string, number> = {
      ArrowDown: (active + 1) % count,
      ArrowUp: (active - 1 + count) % count,
      PageDown: Math.min(active + 6, count - 1),
      PageUp: Math.max(active - 6, 0),
    }
    // While letters are being composed, Enter belongs to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') choose(active)
    else if (count > 0 && next[event.key] !== undefined) setActive(next[event.key] as number)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className="flex items-center gap-3 border-b border-line ps-4">
        <Search size={19} aria-hidden="true" className="shrink-0 text-muted" />
        <input
          role="combobox"
          aria-label={t('Search and commands')}
          aria-expanded={commands.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={chosen ? `${listId}-${active}` : undefined}
          placeholder={t('Go to a page, run a command, find an address…')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          className="h-14 min-w-0 flex-1 bg-transparent pe-2 text-base text-ellipsis outline-none"
        />
        <Primitive.Close className="me-2 h-11 shrink-0 rounded-control px-3 text-xs font-semibold text-muted hover:bg-sunken hover:text-ink">
          {t('Close')}
        </Primitive.Close>
      </div>
      <CommandList ref={list} id={listId} commands={commands} active={active} onPoint={setActive} onChoose={choose} />
      <p role="status" className="sr-only">
        {t('{count, plural, one {# result} other {# results}}', { count: commands.length })}
      </p>
    </>
  )
}

type Props = {
  ref: Ref<HTMLDivElement>
  id: string
  commands: readonly Command[]
  active: number
  onPoint: (index: number) => void
  onChoose: (index: number) => void
}

/** Commands in groups, controlled by the palette's field. */
function CommandList({ ref, id, commands, active, onPoint, onChoose }: Props) {
  const groups = [...new Set(commands.map(({ group }) => group))]
  return (
    <div
      ref={ref}
      id={id}
      role="listbox"
      aria-label={t('Results')}
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
    case 'recent':
      return t('Recent')
    case 'found':
      return t('Console')
    case 'goTo':
      return t('Go to')
    case 'do':
      return t('Actions')
    case 'search':
      return t('Search')
  }
}

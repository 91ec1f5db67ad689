import { Menu as MenuIcon, PanelLeftClose, PanelLeftOpen, Rows3, Rows4 } from 'lucide-react'
import { useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { cx } from '../../ui/cx.ts'
import type { Area, AreaGroup } from './areas.ts'
import type { Output } from './ask.ts'
import { changeLayout, type Layout } from './layout.ts'
import { describeRole } from './users/describeUser.ts'

type Props = { shown: readonly Area[]; known: Output<'getConsole'>; layout: Layout }

const groups: readonly (AreaGroup | undefined)[] = [undefined, 'users', 'data', 'code', 'chain', 'system']

/** At the side, in groups, as icons alone if wanted; on a phone one menu. */
export function Navigation({ shown, known, layout: { isNarrow, isCompact } }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  const part = pathname.replace(/^\/admin\/?/, '').split('/')[0] ?? ''
  const current = shown.find(({ path }) => path === part)
  const close = () => menu.current?.matches(':popover-open') && menu.current.hidePopover()
  return (
    <nav aria-label={t('Console')} className="max-md:mb-4 print:hidden">
      <button
        type="button"
        popoverTarget="console-menu"
        className="flex min-h-11 w-full items-center gap-3 rounded-control border border-edge bg-surface px-3.5 text-sm font-semibold md:hidden"
      >
        <MenuIcon size={20} aria-hidden="true" />
        <span className="sr-only">{t('Console menu')}: </span>
        {current?.label() ?? t('Console')}
      </button>
      {/* The browser's own on a phone: it opens above everything, and a press elsewhere or Esc closes it. */}
      <div
        ref={menu}
        id="console-menu"
        popover="auto"
        className="fixed inset-x-4 top-20 m-0 max-h-[calc(100dvh-6rem)] w-auto overflow-y-auto rounded-card border border-line bg-surface p-3 text-ink shadow-float md:sticky md:top-4 md:block! md:max-h-[calc(100dvh-2rem)] md:rounded-none md:border-0 md:bg-transparent md:p-0 md:shadow-none"
      >
        {groups.map((group) => {
          const inGroup = shown.filter((area) => area.group === group)
          return (
            inGroup.length > 0 && (
              <AreaList key={group ?? ''} group={group} areas={inGroup} isNarrow={isNarrow} onPick={close} />
            )
          )
        })}
        <div className={cx('mt-3 flex flex-wrap items-center gap-1', isNarrow && 'md:flex-col')}>
          <span className={cx('me-auto px-2', isNarrow && 'md:sr-only')}>
            <Badge tone={known.production ? 'warn' : 'neutral'}>{describeRole(known.role)}</Badge>
          </span>
          <LayoutButton
            label={isCompact ? t('Comfortable rows') : t('Compact rows')}
            icon={isCompact ? Rows3 : Rows4}
            onClick={() => changeLayout({ isCompact: !isCompact })}
          />
          <LayoutButton
            label={isNarrow ? t('Expand sidebar') : t('Collapse sidebar')}
            icon={isNarrow ? PanelLeftOpen : PanelLeftClose}
            onClick={() => changeLayout({ isNarrow: !isNarrow })}
            className="max-md:hidden"
          />
        </div>
      </div>
    </nav>
  )
}

type ListProps = {
  group: AreaGroup | undefined
  areas: readonly Area[]
  isNarrow: boolean
  onPick: () => void
}

function AreaList({ group, areas, isNarrow, onPick }: ListProps) {
  const name = group && nameGroup(group)
  return (
    <div className={cx(isNarrow && group && 'md:mt-2 md:border-t md:border-line md:pt-2')}>
      {name && (
        <p
          aria-hidden="true"
          className={cx('px-3 pt-2 pb-0.5 text-xs font-semibold text-muted', isNarrow && 'md:hidden')}
        >
          {name}
        </p>
      )}
      <ul aria-label={name}>
        {areas.map(({ area, path, label, icon: Icon }) => (
          <li key={area}>
            <NavLink
              to={path === '' ? '/admin' : `/admin/${path}`}
              end={path === ''}
              onClick={onPick}
              title={isNarrow ? label() : undefined}
              className={({ isActive }) =>
                cx(
                  'flex min-h-11 items-center gap-3 rounded-control px-3 text-sm font-semibold transition-colors md:min-h-8',
                  isNarrow && 'md:justify-center md:px-0',
                  isActive ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-sunken hover:text-ink',
                )
              }
            >
              <Icon size={18} aria-hidden="true" className="shrink-0" />
              <span className={cx('min-w-0', isNarrow && 'md:sr-only')}>{label()}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

type LayoutButtonProps = { label: string; icon: typeof Rows3; onClick: () => void; className?: string }

function LayoutButton({ label, icon: Icon, onClick, className }: LayoutButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className={cx(
        'grid size-11 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink md:size-9',
        className,
      )}
    >
      <Icon size={18} aria-hidden="true" className="rtl:-scale-x-100" />
    </button>
  )
}

function nameGroup(group: AreaGroup): string {
  switch (group) {
    case 'users':
      return t('Users')
    case 'data':
      return t('Data')
    case 'code':
      return t('Code|program')
    case 'chain':
      return t('Chain')
    case 'system':
      return t('System')
  }
}

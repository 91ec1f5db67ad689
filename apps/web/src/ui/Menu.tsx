import { Menu as Primitive } from '@base-ui/react/menu'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { type ReactElement, type ReactNode, type Ref, useRef } from 'react'
import { Link } from 'react-router'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'

type Props = { trigger: ReactElement; children: ReactNode }

export function Menu({ trigger, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  return (
    // Drawn where it belongs, so that it lies within its region of the page.
    <div ref={place}>
      <Primitive.Root modal={false}>
        <Primitive.Trigger render={trigger} />
        <Primitive.Portal container={place}>
          {/* Fixed: before it has found its place it would make the page of a phone wider. */}
          <Primitive.Positioner positionMethod="fixed" align="end" sideOffset={8} className="z-40 outline-none">
            <Primitive.Popup className="min-w-60 animate-appear rounded-card border border-line bg-surface p-1.5 shadow-float outline-none">
              {children}
            </Primitive.Popup>
          </Primitive.Positioner>
        </Primitive.Portal>
      </Primitive.Root>
    </div>
  )
}

type ActionsMenuProps = { label: string; children: ReactNode; triggerRef?: Ref<HTMLButtonElement> }

/** The “⋯” at the end of a row or a page's title: everything but the one thing that most people want. */
export function ActionsMenu({ label, children, triggerRef }: ActionsMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton ref={triggerRef} label={label}>
          <Ellipsis size={20} aria-hidden="true" />
        </IconButton>
      }
    >
      {children}
    </Menu>
  )
}

type MenuItemProps = { icon: LucideIcon; label: string; onSelect: () => void; danger?: boolean }

export function MenuItem({ icon: Icon, label, onSelect, danger = false }: MenuItemProps) {
  return (
    <Primitive.Item onClick={onSelect} className={cx(menuItemClass, danger && 'text-danger')}>
      <Icon size={18} aria-hidden="true" className={danger ? undefined : 'text-muted'} />
      {label}
    </Primitive.Item>
  )
}

type MenuLinkProps = { icon: LucideIcon; label: string; to: string }

export function MenuLink({ icon: Icon, label, to }: MenuLinkProps) {
  return (
    <Primitive.LinkItem render={<Link to={to} />} closeOnClick className={menuItemClass}>
      <Icon size={18} aria-hidden="true" className="text-muted" />
      {label}
    </Primitive.LinkItem>
  )
}

/** The look of a line in a menu, be it a link or an act. */
const menuItemClass =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-control px-3 text-sm font-medium outline-none select-none ' +
  'data-highlighted:bg-sunken'

import { Menu as Primitive } from '@base-ui/react/menu'
import type { LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import { menuItemClass } from '../lib/menuItemClass.ts'

type Props = { icon: LucideIcon; label: string; to: string }

export function MenuLink({ icon: Icon, label, to }: Props) {
  return (
    <Primitive.LinkItem render={<Link to={to} />} closeOnClick className={menuItemClass}>
      <Icon size={18} aria-hidden="true" className="text-muted" />
      {label}
    </Primitive.LinkItem>
  )
}

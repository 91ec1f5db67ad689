import { Menu as Primitive } from '@base-ui/react/menu'
import type { LucideIcon } from 'lucide-react'
import { menuItemClass } from '../lib/menuItemClass.ts'

type Props = { icon: LucideIcon; label: string; onSelect: () => void }

export function MenuItem({ icon: Icon, label, onSelect }: Props) {
  return (
    <Primitive.Item onClick={onSelect} className={menuItemClass}>
      <Icon size={18} aria-hidden="true" className="text-muted" />
      {label}
    </Primitive.Item>
  )
}

import { Menu as Primitive } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'

type Props = { trigger: ReactElement; children: ReactNode }

export function Menu({ trigger, children }: Props) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger render={trigger} />
      <Primitive.Portal>
        <Primitive.Positioner align="end" sideOffset={8} className="z-40 outline-none">
          <Primitive.Popup className="min-w-60 animate-appear rounded-card border border-line bg-surface p-1.5 shadow-float outline-none">
            {children}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

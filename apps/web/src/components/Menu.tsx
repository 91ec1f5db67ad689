import { Menu as Primitive } from '@base-ui/react/menu'
import { type ReactElement, type ReactNode, useRef } from 'react'

type Props = { trigger: ReactElement; children: ReactNode }

export function Menu({ trigger, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  return (
    // Drawn where it belongs, so that it lies within its region of the page.
    <div ref={place}>
      <Primitive.Root modal={false}>
        <Primitive.Trigger render={trigger} />
        <Primitive.Portal container={place}>
          <Primitive.Positioner align="end" sideOffset={8} className="z-40 outline-none">
            <Primitive.Popup className="min-w-60 animate-appear rounded-card border border-line bg-surface p-1.5 shadow-float outline-none">
              {children}
            </Primitive.Popup>
          </Primitive.Positioner>
        </Primitive.Portal>
      </Primitive.Root>
    </div>
  )
}

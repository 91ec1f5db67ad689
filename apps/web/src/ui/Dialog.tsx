import { Dialog as Primitive } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { t } from '../i18n/translate.ts'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children: ReactNode
  /** Room for a table. */
  isWide?: boolean
}

/** In the middle of a desktop, at the bottom edge of a phone. Focus goes in, stays in, and comes back. */
export function Dialog({ open, onOpenChange, title, description, children, isWide = false }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  // Focuses an input, else the whole dialog: with Close focused, a second Enter would close what the first has opened.
  // On a phone an input would bring its keyboard over the dialog.
  const findFocus = () =>
    (!window.matchMedia('(pointer: coarse)').matches && popup.current?.querySelector<HTMLElement>('input')) ||
    popup.current
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        {/* Also over the panel or dialog that this one was opened from. */}
        <Primitive.Backdrop
          forceRender
          className="fixed inset-0 z-50 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Primitive.Viewport className="fixed inset-0 z-50 grid items-end overflow-y-auto sm:place-items-center sm:p-6">
          <Primitive.Popup
            ref={popup}
            initialFocus={findFocus}
            className={cx(
              'w-full rounded-t-card border border-line bg-surface p-5 pb-8 shadow-float transition-[opacity,translate] duration-200 ease-settle outline-none data-ending-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:translate-y-3 data-starting-style:opacity-0 sm:rounded-card sm:p-7',
              isWide ? 'sm:max-w-3xl' : 'sm:max-w-md',
            )}
          >
            <div className="flex items-start justify-between gap-4">
              <Primitive.Title className="text-xl">{title}</Primitive.Title>
              <Primitive.Close render={<IconButton label={t('Close')} className="-me-2 -mt-2" />}>
                <X size={19} aria-hidden="true" />
              </Primitive.Close>
            </div>
            {description && (
              <Primitive.Description className="mt-1 text-sm text-muted">{description}</Primitive.Description>
            )}
            <div className="mt-5">{children}</div>
          </Primitive.Popup>
        </Primitive.Viewport>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

import type { ReactNode, Ref } from 'react'
import { cx } from '../lib/cx.ts'

type Props = {
  formRef: Ref<HTMLFormElement>
  onSubmit: (values: Record<string, string>) => void
  label: string
  className?: string
  children: ReactNode
}

/** A form whose checks speak in its own fields instead of the browser's bubbles. */
export function Form({ formRef, onSubmit, label, className, children }: Props) {
  return (
    <form
      ref={formRef}
      noValidate
      aria-label={label}
      className={cx('flex flex-col gap-5', className)}
      onSubmit={(event) => {
        event.preventDefault()
        const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
        onSubmit(Object.fromEntries(entries))
      }}
    >
      {children}
    </form>
  )
}

import type { ComponentProps } from 'react'
import { cx } from '../lib/cx.ts'

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section {...rest} className={cx('rounded-card border border-line bg-surface p-5 shadow-card sm:p-7', className)} />
  )
}

import type { ComponentProps } from 'react'
import { cx } from '../lib/cx.ts'

/** The page's one main region, which the skip link leads to. Navigation stays outside. */
export function Main({ className, ...rest }: ComponentProps<'main'>) {
  return <main {...rest} id="main" tabIndex={-1} className={cx('outline-none', className)} />
}

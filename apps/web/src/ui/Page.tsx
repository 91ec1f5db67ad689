import { type ComponentProps, useEffect, useRef } from 'react'
import { useConfig } from '../config/config.ts'
import { i18n } from '../i18n/translate.ts'
import { cx } from './cx.ts'

/** The page's one main region, which the skip link leads to. Navigation stays outside. */
export function Main({ className, ...rest }: ComponentProps<'main'>) {
  return <main {...rest} id="main" tabIndex={-1} className={cx('outline-none', className)} />
}

/** The document's title: the screen first, since tabs are cut off at the end. */
export function PageTitle({ children }: { children: string }) {
  const { appName } = useConfig()
  return <title>{children === appName ? appName : `${children} · ${appName}`}</title>
}

let spoken: string | undefined

/** The page's one h1. A new screen announces itself by it; the first one is announced by the browser. */
export function PageHeading({ children, className }: { children: string; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const { language } = i18n.get()
    // Another language renders the same screen again: that is no navigation.
    if (spoken === language) heading.current?.focus({ preventScroll: true })
    spoken = language
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  )
}

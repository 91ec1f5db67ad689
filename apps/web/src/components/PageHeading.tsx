import { useEffect, useRef } from 'react'

let isFirst = true

/** The page's one h1. A new screen announces itself by it; the first one is announced by the browser. */
export function PageHeading({ children, className }: { children: string; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true })
    isFirst = false
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  )
}

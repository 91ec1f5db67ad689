import { useEffect, useRef } from 'react'
import { speech } from '../lib/speech.ts'

let spoken: string | undefined

/** The page's one h1. A new screen announces itself by it; the first one is announced by the browser. */
export function PageHeading({ children, className }: { children: string; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const { language } = speech.get()
    // Another language draws the same screen anew: that is no navigation.
    if (spoken === language) heading.current?.focus({ preventScroll: true })
    spoken = language
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  )
}

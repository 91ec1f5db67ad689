import type { ComponentProps, MouseEvent } from 'react'
import { useSheet } from './SheetContext.ts'

/** A link to another page of the application, which may take it over (`onNavigate`). */
export function SheetLink({ href, ...rest }: ComponentProps<'a'> & { href: string }) {
  const { close, onNavigate } = useSheet()
  const follow = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!onNavigate || !isPlain) return
    event.preventDefault()
    close()
    onNavigate(href)
  }
  return <a {...rest} href={href} onClick={follow} />
}

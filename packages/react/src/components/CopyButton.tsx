import { useEffect, useState } from 'react'
import { Glyph } from './Glyph.tsx'
import { useSheet } from './SheetContext.ts'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { say } = useSheet()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(setCopied, 2500, false)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    void globalThis.navigator?.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <button type="button" className="cs-button" data-look="quiet" onClick={copy}>
      <Glyph name={isCopied ? 'check' : 'copy'} size={18} />
      <span aria-live="polite">{isCopied ? say('copied') : label}</span>
    </button>
  )
}

import { useEffect, useState } from 'react'

/** Puts everything that the panel shows onto the clipboard, as text. */
export function CopyReport({ write }: { write: () => string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(setOutcome, 2500, undefined)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(write())
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  const said = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Not allowed' : 'Copy as text'
  return (
    <button type="button" className="plain" onClick={copy}>
      <span aria-live="polite">{said}</span>
    </button>
  )
}

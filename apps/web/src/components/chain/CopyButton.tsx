import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toasts } from '../../lib/toasts.ts'
import { IconButton } from '../IconButton.tsx'

/** Copies a text; `what` names it for those who do not see it. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      toasts.add('The browser does not let this page copy. Select the text instead.')
    }
  }
  return (
    <IconButton label={isCopied ? `Copied ${what}` : `Copy ${what}`} onClick={() => void copy()}>
      {isCopied ? <Check size={17} aria-hidden="true" /> : <Copy size={17} aria-hidden="true" />}
    </IconButton>
  )
}

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { say } from '../../lib/say.ts'
import { toasts } from '../../lib/toasts.ts'
import { IconButton } from '../IconButton.tsx'

/** Copies a text; the label says which, for those who do not see it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
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
      toasts.add(say('The browser does not let this page copy. Select the text instead.'))
    }
  }
  return (
    <IconButton label={isCopied ? say('Copied') : label} onClick={() => void copy()}>
      {isCopied ? <Check size={17} aria-hidden="true" /> : <Copy size={17} aria-hidden="true" />}
    </IconButton>
  )
}

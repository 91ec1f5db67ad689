import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../i18n/translate.ts'
import { IconButton } from './Button.tsx'
import { toasts } from './feedback/toasts.ts'

/** Copies a text; the label names it for screen readers. */
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
      toasts.add(t('Your browser blocked copying. Select the text instead.'))
    }
  }
  return (
    <IconButton label={isCopied ? t('Copied') : label} onClick={() => void copy()}>
      {isCopied ? <Check size={17} aria-hidden="true" /> : <Copy size={17} aria-hidden="true" />}
    </IconButton>
  )
}

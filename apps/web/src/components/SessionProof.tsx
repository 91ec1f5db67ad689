import { ChevronDown } from 'lucide-react'

type Props = { proof: { message: string; signature: string } }

/** What a wallet signed to open a session, word for word, for anyone to verify. */
export function SessionProof({ proof }: Props) {
  return (
    <details className="group mt-2 text-sm">
      <summary className="inline-flex min-h-11 list-none items-center gap-1.5 rounded-control font-medium text-accent">
        What was signed
        <ChevronDown size={16} aria-hidden="true" className="transition-transform group-open:rotate-180" />
      </summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-control bg-sunken p-4 font-mono text-xs break-words whitespace-pre-wrap"
      >
        {`${proof.message}\n\nSignature: ${proof.signature}`}
      </pre>
    </details>
  )
}

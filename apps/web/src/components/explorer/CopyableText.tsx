import { CopyButton } from '../chain/CopyButton.tsx'

/** A long text of digits, whole, to be copied. */
export function CopyableText({ text, what }: { text: string; what: string }) {
  return (
    <span className="flex items-center gap-1">
      <bdi className="font-mono text-[0.92em] break-all">{text}</bdi>
      <span className="-my-2.5">
        <CopyButton text={text} what={what} />
      </span>
    </span>
  )
}

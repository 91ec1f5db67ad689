import { CopyButton } from '../chain/CopyButton.tsx'

/** A long text of digits, whole, to be copied. */
export function CopyableText({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-center gap-1">
      <bdi className="font-mono text-[0.92em] break-all">{text}</bdi>
      <span className="-my-2.5">
        <CopyButton text={text} label={label} />
      </span>
    </span>
  )
}

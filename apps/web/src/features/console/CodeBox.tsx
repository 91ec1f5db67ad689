import { t } from '../../i18n/translate.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'

/** More than anyone reads, and more than a page draws with ease. */
const longest = 100_000

/** Code or JSON that can be scrolled and copied. */
export function CodeBox({ label, text }: { label: string; text: string }) {
  return (
    <div dir="ltr" className="flex items-start rounded-control bg-sunken p-1">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached with the keyboard
        tabIndex={0}
        aria-label={label}
        className="max-h-96 min-w-0 flex-1 overflow-auto rounded-control p-2.5"
      >
        <pre className="w-max min-w-full text-xs">{text.length > longest ? `${text.slice(0, longest)}…` : text}</pre>
      </section>
      <CopyButton label={t('Copy: {name}', { name: label })} text={text} />
    </div>
  )
}

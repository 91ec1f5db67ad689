import { t } from '../../i18n/translate.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'

/** More than anyone reads, and more than a page draws with ease. */
const longest = 100_000

/** Code or JSON that can be scrolled and copied. */
export function CodeBox({ label, text }: { label: string; text: string }) {
  return (
    <div className="relative">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached with the keyboard
        tabIndex={0}
        aria-label={label}
        dir="ltr"
        className="max-h-96 overflow-auto rounded-control bg-sunken p-3.5 pe-14"
      >
        <pre className="text-xs">{text.length > longest ? `${text.slice(0, longest)}…` : text}</pre>
      </section>
      <div className="absolute end-1 top-1 rounded-control bg-sunken">
        <CopyButton label={t('Copy: {name}', { name: label })} text={text} />
      </div>
    </div>
  )
}

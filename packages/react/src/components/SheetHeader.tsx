import type { RefObject } from 'react'
import { Glyph } from './Glyph.tsx'
import { useSheet } from './SheetContext.ts'

type Props = { id: string; title: string; headingRef: RefObject<HTMLHeadingElement | null>; onBack?: () => void }

export function SheetHeader({ id, title, headingRef, onBack }: Props) {
  const { say, close } = useSheet()
  return (
    <div className="cs-header">
      {onBack && (
        <button type="button" className="cs-plain" aria-label={say('back')} onClick={onBack}>
          <Glyph name="back" />
        </button>
      )}
      <h2 id={id} ref={headingRef} tabIndex={-1} className="cs-title">
        {title}
      </h2>
      <button type="button" className="cs-plain" aria-label={say('close')} onClick={close}>
        <Glyph name="close" />
      </button>
    </div>
  )
}

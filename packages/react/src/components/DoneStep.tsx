import { Glyph } from './Glyph.tsx'
import { useSheet } from './SheetContext.ts'

export function DoneStep({ linked }: { linked: boolean }) {
  const { say } = useSheet()
  return (
    <div className="cs-body cs-step">
      <div className="cs-hero" data-tone="done">
        <span className="cs-icon" data-size="large">
          <Glyph name="check" size={36} />
        </span>
      </div>
      <p className="cs-lead">{linked ? say('linked') : say('done')}</p>
    </div>
  )
}

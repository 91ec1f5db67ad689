import { Glyph } from './Glyph.tsx'
import { SheetButton } from './SheetButton.tsx'
import { useSheet } from './SheetContext.ts'

/** The account is still there for a while, and its owner is at the door. */
export function DeletedStep({ dueAt }: { dueAt: number }) {
  const { flow, say } = useSheet()
  return (
    <div className="cs-body cs-step">
      <div className="cs-hero" data-tone="calm">
        <span className="cs-icon" data-size="large">
          <Glyph name="alert" size={32} />
        </span>
      </div>
      <div className="cs-status">
        <p className="cs-lead">{say('deleted', { date: new Date(dueAt) })}</p>
        <p className="cs-text">{say('deletedHint')}</p>
      </div>
      <div className="cs-actions">
        <SheetButton onClick={flow.restore}>{say('restore')}</SheetButton>
        <SheetButton look="quiet" onClick={() => flow.reset()}>
          {say('otherWay')}
        </SheetButton>
      </div>
    </div>
  )
}

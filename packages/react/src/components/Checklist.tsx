import { Glyph } from './Glyph.tsx'
import { useSheet } from './SheetContext.ts'

type Props = {
  passed: 0 | 1 | 2
  busy: boolean
  /** Connecting and signing are one step. */
  atOnce?: boolean | undefined
}

const tellers = { done: 'stepIsDone', current: 'stepIsCurrent', next: 'stepIsNext' } as const

/** Connect → Sign → Done, live. */
export function Checklist({ passed, busy, atOnce = false }: Props) {
  const { say } = useSheet()
  const steps = [say('stepConnect'), say('stepSign'), say('stepDone')].slice(atOnce ? 1 : 0)
  const behind = atOnce ? Math.max(0, passed - 1) : passed
  return (
    <ol className="cs-checklist">
      {steps.map((step, index) => {
        const state = index < behind ? 'done' : index === behind ? 'current' : 'next'
        return (
          <li key={step} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
            <span className="cs-mark" data-busy={(state === 'current' && busy) || undefined}>
              {state === 'done' && <Glyph name="check" size={14} />}
            </span>
            {step}
            <span className="cs-hidden">{say(tellers[state])}</span>
          </li>
        )
      })}
    </ol>
  )
}

import { say } from '../lib/say.ts'
import { Button } from './Button.tsx'

type Props = { dirty: boolean; pending: boolean; disabled?: boolean; onDiscard: () => void }

/** Stays in sight while something is unsaved. */
export function SaveBar({ dirty, pending, disabled, onDiscard }: Props) {
  return (
    <div
      data-unsaved={dirty || undefined}
      className={
        dirty
          ? 'sticky bottom-20 z-20 flex animate-appear flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface p-3 ps-5 shadow-float md:bottom-4'
          : 'sr-only'
      }
    >
      <p role="status" className="text-sm font-semibold">
        {dirty ? say('You have unsaved changes.') : ''}
      </p>
      {dirty && (
        <div className="flex flex-1 justify-end gap-2">
          <Button look="ghost" onClick={onDiscard} disabled={pending}>
            {say('Discard')}
          </Button>
          <Button type="submit" pending={pending} disabled={disabled}>
            {say('Save changes')}
          </Button>
        </div>
      )}
    </div>
  )
}

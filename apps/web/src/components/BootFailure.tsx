import { Unplug } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { say } from '../lib/say.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'

/** The application could not start: why, what to check, and again. */
export function BootFailure({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  const retry = useEffectEvent(onRetry)
  // Comes by itself with the connection.
  useEffect(() => {
    const again = () => retry()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-lg place-items-center px-4 py-10">
      <title>{say('Cannot start')}</title>
      <Card className="w-full">
        <span className="grid size-12 place-items-center rounded-full bg-warn-soft text-warn">
          <Unplug size={22} aria-hidden="true" />
        </span>
        <h1 className="mt-5 text-2xl">{say('This page cannot start yet')}</h1>
        <p role="alert" className="mt-2 text-muted">
          {reason}
        </p>
        <h2 className="mt-6 text-sm">{say('What to check')}</h2>
        <ul className="mt-2 list-disc space-y-1.5 ps-5 text-sm text-muted marker:text-edge">
          <li>{say('Your connection: does another page load?')}</li>
          <li>{say('If you run this server: is it started, and does /ready answer?')}</li>
          <li>{say('If it stands behind a proxy: are /config.json and the API passed on to it?')}</li>
        </ul>
        <Button onClick={onRetry} className="mt-7 w-full sm:w-auto">
          {say('Try again')}
        </Button>
      </Card>
    </main>
  )
}

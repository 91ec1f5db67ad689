import { say } from '../lib/say.ts'
import { useConfig } from '../lib/useConfig.ts'
import { TextLink } from './TextLink.tsx'

/** Where mail ends up while no mail server is configured; nothing otherwise. */
export function OutboxNotice() {
  const { outbox } = useConfig()
  if (!outbox) return null
  return (
    <p className="rounded-control bg-sunken p-3.5 text-sm text-muted">
      {say('This server has no mail server yet, so it keeps what it would send.')}{' '}
      <TextLink to="/outbox">{say('Open the outbox')}</TextLink>
    </p>
  )
}

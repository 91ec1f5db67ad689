import type { Passkey } from '@countersign/react'
import { KeyRound } from 'lucide-react'
import { say } from '../lib/say.ts'
import { Badge } from './Badge.tsx'
import { Button } from './Button.tsx'
import { RelativeTime } from './RelativeTime.tsx'

export function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  return (
    <li className="flex flex-wrap items-start gap-4 py-5">
      <span className="grid size-11 shrink-0 place-items-center rounded-control bg-sunken text-muted">
        <KeyRound size={21} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <h3 className="flex flex-wrap items-center gap-2 text-base">
          <span className="min-w-0 break-words">{passkey.name}</span>{' '}
          {passkey.backedUp && <Badge>{say('Synced')}</Badge>}
        </h3>
        <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-muted *:flex *:gap-1">
          <div>
            <dt>{say('Added')}</dt>
            <dd>
              <RelativeTime date={passkey.createdAt} />
            </dd>
          </div>
          <div>
            <dt>{passkey.lastUsedAt ? say('Last used') : say('Not used yet')}</dt>
            <dd>{passkey.lastUsedAt && <RelativeTime date={passkey.lastUsedAt} />}</dd>
          </div>
        </dl>
      </div>
      <Button
        look="danger-quiet"
        onClick={onRemove}
        aria-label={say('Remove the passkey {name}', { name: passkey.name })}
        className="max-sm:ms-15"
      >
        {say('Remove')}
      </Button>
    </li>
  )
}

import type { Mail } from '@countersign/react'
import { ArrowRight } from 'lucide-react'
import { localPath } from '../lib/localPath.ts'
import { say } from '../lib/say.ts'
import { ButtonLink } from './ButtonLink.tsx'
import { Card } from './Card.tsx'
import { RelativeTime } from './RelativeTime.tsx'

/** A mail as its receiver would have read it. */
export function MailCard({ mail }: { mail: Mail }) {
  const path = mail.link && localPath(mail.link)
  return (
    <Card aria-label={mail.subject}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg">{mail.subject}</h2>
        <span className="text-sm text-muted">
          <RelativeTime date={mail.createdAt} />
        </span>
      </div>
      <p className="mt-0.5 text-sm break-all text-muted">{say('To {address}', { address: mail.to })}</p>
      <p className="mt-4 rounded-control bg-sunken p-4 text-sm break-words whitespace-pre-wrap">{mail.text}</p>
      {path && (
        <ButtonLink to={path} look="secondary" className="mt-4">
          {say('Open the link')} <ArrowRight size={17} aria-hidden="true" className="rtl:-scale-x-100" />
        </ButtonLink>
      )}
    </Card>
  )
}

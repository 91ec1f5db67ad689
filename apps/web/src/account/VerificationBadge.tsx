import type { User } from '@countersign/react'
import { BadgeCheck, Clock } from 'lucide-react'
import { useConfig } from '../config/config.ts'
import { t } from '../i18n/translate.ts'
import { Badge } from '../ui/Badge.tsx'

/** Whether the e-mail address is known to be the person's own; nothing where nobody checks. */
export function VerificationBadge({ user }: { user: User }) {
  const { verifyUserEmails } = useConfig()
  if (!user.email) return null
  if (user.emailVerified)
    return (
      <Badge tone="ok">
        <BadgeCheck size={14} aria-hidden="true" /> {t('Verified')}
      </Badge>
    )
  if (!verifyUserEmails) return null
  return (
    <Badge tone="warn">
      <Clock size={14} aria-hidden="true" /> {t('Not verified')}
    </Badge>
  )
}

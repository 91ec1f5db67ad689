import type { User } from '@countersign/react'
import { BadgeCheck, Clock } from 'lucide-react'
import { useConfig } from '../config/config.ts'
import { t } from '../i18n/translate.ts'
import { Badge } from '../ui/Badge.tsx'

/** Verification of the email address; nothing if addresses are not verified. */
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

import { useClient, useSession } from '@countersign/react'
import { replaceSession } from '@countersign/react/core'
import { VenetianMask } from 'lucide-react'
import { useState } from 'react'
import { impersonation } from '../account/impersonation.ts'
import { findSessionUser } from '../account/session.ts'
import { ask } from '../features/console/ask.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/Button.tsx'

/** Shows operators that they act as a user, and ends it. */
export function ImpersonationBanner() {
  const client = useClient()
  const session = useSession()
  const user = findSessionUser(session)
  const [whom] = useState(() => impersonation.get())
  const [pending, setPending] = useState(false)
  if (!whom || !user) return null
  if (user.objectId !== whom.objectId) {
    impersonation.forget()
    return null
  }
  const end = async () => {
    setPending(true)
    // A session that has already ended is fine.
    await replaceSession(client, () => ask('endImpersonation', {})).catch(() => undefined)
    impersonation.forget()
    window.location.assign(`/admin/users/${encodeURIComponent(whom.objectId)}`)
  }
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warn-soft px-4 py-2 text-sm font-medium text-warn"
    >
      <p className="flex min-w-0 items-center gap-2">
        <VenetianMask size={18} aria-hidden="true" className="shrink-0" />
        <span className="wrap-anywhere">{t('You are acting as {name}.', { name: whom.username })}</span>
      </p>
      <Button look="secondary" pending={pending} onClick={() => void end()}>
        {t('Stop')}
      </Button>
    </div>
  )
}

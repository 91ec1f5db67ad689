import { useConfig } from '../config/config.ts'
import { t } from '../i18n/translate.ts'
import { TextLink } from '../ui/Links.tsx'

/** Note that mails go to the outbox while no mail server is configured; nothing otherwise. */
export function OutboxNotice() {
  const { outbox } = useConfig()
  if (!outbox) return null
  return (
    <p className="rounded-control bg-sunken p-3.5 text-sm text-muted">
      {t('No mail server is set up, so emails are captured here.')} <TextLink to="/outbox">{t('Open outbox')}</TextLink>
    </p>
  )
}

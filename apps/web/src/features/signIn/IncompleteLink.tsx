import { Link2Off } from 'lucide-react'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'

/** Page of a mail's link that arrived without its token. */
export function IncompleteLink() {
  return (
    <AuthFrame title={t('This link is incomplete')}>
      <EmptyState icon={Link2Off}>
        {t('Some email apps break long links. Copy the full link from the email.')}
      </EmptyState>
    </AuthFrame>
  )
}

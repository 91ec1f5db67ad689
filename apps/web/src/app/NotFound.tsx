import { Compass } from 'lucide-react'
import { t } from '../i18n/translate.ts'
import { AuthFrame } from '../ui/AuthFrame.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'

export function NotFound() {
  return (
    <AuthFrame title={t('Page not found')}>
      <EmptyState icon={Compass} actions={<ButtonLink to="/">{t('Go to home page')}</ButtonLink>}>
        {t('The address may be mistyped, or the page has moved.')}
      </EmptyState>
    </AuthFrame>
  )
}

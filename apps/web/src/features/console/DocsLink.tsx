import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { ButtonLink } from '../../ui/Button.tsx'

/** Leads to a page of the documentation, where this server shows it. */
export function DocsLink({ page }: { page: string }) {
  if (!useConfig().docs) return null
  return (
    <ButtonLink look="secondary" to={`/docs/${page}.html`} reloadDocument>
      {t('Read the docs')}
    </ButtonLink>
  )
}

import { t } from '../../i18n/translate.ts'
import { ButtonLink } from '../../ui/Button.tsx'

/** Leads to a page of the documentation that this server serves. */
export function DocsLink({ page }: { page: string }) {
  return (
    <ButtonLink look="secondary" to={`/docs/${page}.html`} reloadDocument>
      {t('Read the documentation')}
    </ButtonLink>
  )
}

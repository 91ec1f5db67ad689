import { Printer, RefreshCw } from 'lucide-react'
import { t } from '../../i18n/translate.ts'
import { ActionsMenu, MenuItem } from '../../ui/Menu.tsx'

/** Further actions of the page. */
export function PortfolioMenu({ onRefresh }: { onRefresh: () => void }) {
  return (
    <ActionsMenu label={t('Actions for {name}', { name: t('Portfolio') })}>
      <MenuItem icon={RefreshCw} label={t('Refresh')} onSelect={onRefresh} />
      <MenuItem icon={Printer} label={t('Print')} onSelect={() => setTimeout(() => window.print(), 0)} />
    </ActionsMenu>
  )
}

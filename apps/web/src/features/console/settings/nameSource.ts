import type { SettingRecord } from '@countersign/protocol'
import { t } from '../../../i18n/translate.ts'

/** Place in which a setting is set. */
export function nameSource(source: SettingRecord['source']): string {
  switch (source) {
    case 'file':
      return t('Configuration file')
    case 'environment':
      return t('Environment')
    case 'commandLine':
      return t('Command line')
    case 'database':
      return t('Console')
    default:
      return t('Default')
  }
}

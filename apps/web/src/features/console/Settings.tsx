import type { SettingRecord } from '@countersign/protocol'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { inputClass } from '../../ui/forms/Field.tsx'
import { SwitchField } from '../../ui/forms/SwitchField.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useAsk } from './ask.ts'

/** The configuration as it holds, each setting with its source. */
export function Settings() {
  const settings = useAsk('getSettings', {})
  const [search, setSearch] = useState('')
  const [isAll, setAll] = useState(false)
  const shown = (settings.data?.results ?? []).filter(
    ({ name, source }) =>
      name.toLowerCase().includes(search.trim().toLowerCase()) && (isAll || search !== '' || source !== 'default'),
  )
  return (
    <>
      <PageHeader title={t('Settings')}>
        {t('Current configuration (read-only). Change it in the configuration file or the environment.')}
      </PageHeader>
      <ReadingStatus reading={settings} failure={t('The settings could not be loaded')} always />
      {settings.data && (
        <Card>
          <div className="mb-4 flex flex-wrap items-center gap-4">
            <input
              type="search"
              aria-label={t('Search settings')}
              placeholder={t('Search settings')}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              className={`${inputClass} min-w-0 flex-1 basis-60`}
            />
            <SwitchField label={t('Show defaults')} checked={isAll} onChange={setAll} />
          </div>
          {shown.length === 0 && <p className="text-sm text-muted">{t('Only defaults')}</p>}
          <ul className="divide-y divide-line">
            {shown.map((setting) => (
              <Setting key={setting.name} setting={setting} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function Setting({ setting: { name, source, value, isSecret, isSet } }: { setting: SettingRecord }) {
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-2">
        <code className="text-sm font-semibold">{name}</code>
        <Badge tone={source === 'default' ? 'neutral' : 'accent'}>{nameSource(source)}</Badge>
        {isSecret && isSet && <Badge tone="warn">{t('Secrets hidden')}</Badge>}
      </div>
      <p dir="ltr" className="mt-1 font-mono text-xs break-all text-muted">
        {value ?? (isSet ? '••••••' : t('Not set'))}
      </p>
    </li>
  )
}

function nameSource(source: SettingRecord['source']): string {
  switch (source) {
    case 'file':
      return t('Configuration file')
    case 'environment':
      return t('Environment')
    case 'commandLine':
      return t('Command line')
    default:
      return t('Default')
  }
}

import type { SettingRecord } from '@countersign/protocol'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { inputClass } from '../../ui/forms/Field.tsx'
import { SwitchField } from '../../ui/forms/SwitchField.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useAsk } from './ask.ts'
import { DocsLink } from './DocsLink.tsx'
import { EditableSettings } from './settings/EditableSettings.tsx'
import { nameSource } from './settings/nameSource.ts'

/** The configuration as it holds, each setting with its source. */
export function Settings() {
  const settings = useAsk('getSettings', {})
  const [parameters] = useSearchParams()
  const [search, setSearch] = useState(parameters.get('search') ?? '')
  const [isAll, setAll] = useState(false)
  const shown = (settings.data?.results ?? []).filter(
    ({ name, source }) =>
      name.toLowerCase().includes(search.trim().toLowerCase()) && (isAll || search !== '' || source !== 'default'),
  )
  return (
    <>
      <PageHeader title={t('Settings')} aside={<DocsLink page="configuration" />}>
        {t('The configuration file and the environment take precedence over changes made here.')}
      </PageHeader>
      <ReadingStatus reading={settings} failure={t('The settings could not be loaded')} always />
      {settings.data && <EditableSettings settings={settings.data.results} onDone={settings.refetch} />}
      {settings.data && (
        <Card>
          <CardHeader title={t('All settings')} />
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

function Setting({ setting }: { setting: SettingRecord }) {
  const { name, source, value, isSecret, isSet } = setting
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
      <p className="mt-1 text-xs text-muted">{describeChange(setting)}</p>
    </li>
  )
}

/** How to change a setting, by the place that holds it. */
function describeChange({ name, source, variable, edit }: SettingRecord): string {
  if (edit) return t('Change it under “Daily settings”, without a restart.')
  if (source === 'environment' && variable)
    return t('Change {variable} in the environment, then restart.', { variable })
  if (source === 'commandLine') return t('Change the option of the command, then restart.')
  if (source === 'file' || !variable) return t('Change “{name}” in the configuration file, then restart.', { name })
  return t('Set “{name}” in the configuration file or {variable} in the environment, then restart.', { name, variable })
}

import type { SettingRecord } from '@countersign/protocol'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useConsole } from '../ask.ts'
import { nameSource } from './nameSource.ts'
import { SettingEditor } from './SettingEditor.tsx'
import { listSettingForms, type SettingForm } from './settingForms.ts'

type Props = { settings: readonly SettingRecord[]; onDone: () => void }

/** Settings that operators change by day. Those of the file or the environment are shown with their source. */
export function EditableSettings({ settings, onDone }: Props) {
  const isAdmin = useConsole().role === 'admin'
  const [edited, setEdited] = useState<string>()
  const rows = listSettingForms().flatMap((form) => {
    const setting = settings.find(({ name }) => name === form.name)
    return setting ? [{ form, setting }] : []
  })
  const open = rows.find(({ form }) => form.name === edited)
  return (
    <Card className="mb-6">
      <CardHeader title={t('Daily settings')} />
      <ul className="-my-3 divide-y divide-line">
        {rows.map(({ form, setting }) => (
          <SettingRow
            key={form.name}
            form={form}
            setting={setting}
            onEdit={isAdmin && setting.edit ? () => setEdited(form.name) : undefined}
          />
        ))}
      </ul>
      {open?.setting.edit && (
        <SettingEditor form={open.form} edit={open.setting.edit} onClose={() => setEdited(undefined)} onDone={onDone} />
      )}
    </Card>
  )
}

type RowProps = { form: SettingForm; setting: SettingRecord; onEdit: (() => void) | undefined }

function SettingRow({ form: { title }, setting: { source, edit, isSet }, onEdit }: RowProps) {
  return (
    <li className="flex items-center gap-3 py-3">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="text-base">{title}</h3>
          <Badge tone={source === 'default' ? 'neutral' : 'accent'}>{nameSource(source)}</Badge>
        </div>
        <p className="text-sm text-muted">
          {edit === undefined
            ? t('Read-only: change it where it is set.')
            : edit.changedAt !== undefined
              ? t('Last changed')
              : isSet
                ? t('Default value')
                : t('Not set')}
          {edit?.changedAt !== undefined && (
            <>
              {' '}
              <RelativeTime date={new Date(edit.changedAt)} />
            </>
          )}
        </p>
      </div>
      {onEdit && (
        <Button look="secondary" aria-label={t('Edit {name}', { name: title })} onClick={onEdit}>
          {t('Edit')}
        </Button>
      )}
    </li>
  )
}

import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import { type FieldType, nameField, type ProfileField } from '../../account/profile.ts'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/Button.tsx'
import { describedBy, FieldFrame, inputClass, TextField } from '../../ui/forms/Field.tsx'
import { SwitchField } from '../../ui/forms/SwitchField.tsx'

type Props = {
  field: ProfileField
  errors: Partial<Record<string, string>>
  onChange: (field: ProfileField) => void
  onRemove: () => void
}

const types: Record<FieldType, () => string> = {
  text: () => t('Text'),
  number: () => t('Number'),
  boolean: () => t('Yes or no'),
  date: () => t('Date'),
}

/** One field of the application's own: its name and kind while it is new, then its value. */
export function FieldRow({ field, errors, onChange, onRemove }: Props) {
  const typeId = useId()
  const { key, name, type, value, isNew } = field
  const label = isNew ? t('Value') : nameField(name)
  const valueError = errors[`${key}.value`]
  const setType = (next: FieldType) => onChange({ ...field, type: next, value: next === 'boolean' ? 'false' : '' })
  return (
    <li className="flex items-start gap-2 py-4">
      <div className={isNew ? 'grid min-w-0 flex-1 gap-4 sm:grid-cols-3' : 'min-w-0 flex-1'}>
        {isNew && (
          <>
            <TextField
              label={t('Name')}
              name={`${key}.name`}
              value={name}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              error={errors[`${key}.name`]}
              onChange={(event) => onChange({ ...field, name: event.target.value })}
            />
            <FieldFrame id={typeId} label={t('Type')}>
              <select
                id={typeId}
                value={type}
                aria-describedby={describedBy(typeId, {})}
                onChange={(event) => setType(event.target.value as FieldType)}
                className={inputClass}
              >
                {Object.entries(types).map(([kind, words]) => (
                  <option key={kind} value={kind}>
                    {words()}
                  </option>
                ))}
              </select>
            </FieldFrame>
          </>
        )}
        {type === 'boolean' ? (
          <SwitchField
            label={label}
            checked={value === 'true'}
            onChange={(checked) => onChange({ ...field, value: String(checked) })}
          />
        ) : (
          <TextField
            label={label}
            name={`${key}.value`}
            value={value}
            type={type === 'date' ? 'date' : 'text'}
            inputMode={type === 'number' ? 'decimal' : undefined}
            autoComplete="off"
            error={valueError}
            onChange={(event) => onChange({ ...field, value: event.target.value })}
          />
        )}
      </div>
      <IconButton
        label={name ? t('Remove {name}', { name: nameField(name) }) : t('Remove field')}
        onClick={onRemove}
        className="mt-7 hover:text-danger"
      >
        <Trash2 size={18} aria-hidden="true" />
      </IconButton>
    </li>
  )
}

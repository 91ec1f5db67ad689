import { t } from '../../../i18n/translate.ts'
import { TextField } from '../../../ui/forms/Field.tsx'
import type { TypeFieldProps } from './TypeFieldProps.ts'

/** Latitude and longitude. Both may be pasted into the first field. */
export function GeoField({ label, text, onChange, error }: TypeFieldProps) {
  const [latitude = '', longitude = ''] = text.split(',').map((part) => part.trim())
  const write = (first: string, second: string) => onChange(first === '' && second === '' ? '' : `${first}, ${second}`)
  const shared = { inputMode: 'decimal', dir: 'ltr', autoComplete: 'off', spellCheck: false } as const
  return (
    <fieldset>
      <legend className="sr-only">{label}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...shared}
          label={t('Latitude')}
          hint={t('{from} to {to}', { from: '−90', to: '90' })}
          value={latitude}
          onChange={({ target: { value } }) => (value.includes(',') ? onChange(value) : write(value, longitude))}
          {...(error && { error })}
        />
        <TextField
          {...shared}
          label={t('Longitude')}
          hint={t('{from} to {to}', { from: '−180', to: '180' })}
          value={longitude}
          onChange={({ target: { value } }) => write(latitude, value.replaceAll(',', ''))}
        />
      </div>
    </fieldset>
  )
}

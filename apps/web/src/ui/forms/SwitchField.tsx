import { Switch } from '@base-ui/react/switch'
import { useId } from 'react'
import { t } from '../../i18n/translate.ts'

type SwitchFieldProps = {
  label: string
  hint?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** On or off. A file of its own: its library is not for every screen with a field. */
export function SwitchField({ label, hint, checked, disabled = false, onChange }: SwitchFieldProps) {
  const id = useId()
  return (
    <div>
      <span id={id} className="mb-1.5 block text-sm font-semibold">
        {label}
      </span>
      <Switch.Root
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        aria-labelledby={id}
        aria-describedby={hint && `${id}-hint`}
        className="flex min-h-11 items-center gap-3 rounded-control text-sm data-disabled:opacity-60"
      >
        <span className="flex h-7 w-12 items-center rounded-full border border-edge bg-sunken p-0.5 transition-colors in-data-checked:border-accent in-data-checked:bg-accent">
          <Switch.Thumb className="size-5.5 rounded-full bg-edge transition-transform data-checked:translate-x-5 data-checked:bg-on-accent rtl:data-checked:-translate-x-5" />
        </span>
        <span aria-hidden="true">{checked ? t('On') : t('Off')}</span>
      </Switch.Root>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

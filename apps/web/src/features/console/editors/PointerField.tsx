import { X } from 'lucide-react'
import { Link } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { useAsk } from '../ask.ts'
import { nameObject, objectPath, useSchemas } from '../dataBrowser/schemas.ts'
import { ObjectPicker } from './ObjectPicker.tsx'
import type { TypeFieldProps } from './TypeFieldProps.ts'

/** A pointer: the object it leads to, a search for another one, or an id typed by hand. */
export function PointerField({ label, text, onChange, error, className }: TypeFieldProps & { className: string }) {
  return (
    <div className="flex flex-col gap-4">
      {text.trim() !== '' && <Preview className={className} objectId={text.trim()} onClear={() => onChange('')} />}
      <ObjectPicker className={className} label={t('Find an object')} onPick={onChange} />
      <TextField
        label={label}
        hint={t('ID of the object')}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        {...(error && { error })}
      />
    </div>
  )
}

function Preview({ className, objectId, onClear }: { className: string; objectId: string; onClear: () => void }) {
  const fields = useSchemas().get(className)
  const found = useAsk('getObject', { className, objectId })
  return (
    <div className="flex min-h-11 items-center gap-2 rounded-control bg-sunken ps-3.5 text-sm">
      <p aria-live="polite" className="min-w-0 flex-1 py-2 wrap-anywhere">
        {found.status === 'success' && (
          <Link to={objectPath(className, objectId)} className="font-semibold text-accent underline">
            <bdi>{nameObject(fields, found.data)}</bdi>
          </Link>
        )}
        {found.status === 'error' && <span className="text-danger">{t('No object has this ID.')}</span>}
        {found.status === 'pending' && t('Loading…')}
      </p>
      <IconButton label={t('Clear value')} onClick={onClear}>
        <X size={18} aria-hidden="true" />
      </IconButton>
    </div>
  )
}

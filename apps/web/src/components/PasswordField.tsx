import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { describedBy } from '../lib/describedBy.ts'
import { inputClass } from '../lib/inputClass.ts'
import { say } from '../lib/say.ts'
import { FieldFrame } from './FieldFrame.tsx'
import { IconButton } from './IconButton.tsx'
import { PasswordStrength } from './PasswordStrength.tsx'

type Props = Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  label: string
  aside?: ReactNode
  error?: string
  /** Given where a password is chosen: shows how good it is. */
  minLength?: number
}

/** Show and hide, a caps-lock hint and, where a password is chosen, its strength. */
export function PasswordField({ label, aside, error, minLength, className, onChange, ...rest }: Props) {
  const id = useId()
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [value, setValue] = useState('')
  const readCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const hint = (minLength || capsLock) && (
    <>
      {minLength && <PasswordStrength password={value} minLength={minLength} />}
      {capsLock && <p role="status">{say('Caps Lock is on.')}</p>}
    </>
  )
  return (
    <FieldFrame id={id} label={label} aside={aside} error={error} hint={hint}>
      <div className="relative">
        <input
          {...rest}
          id={id}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { hint, error })}
          onChange={(event) => {
            setValue(event.target.value)
            onChange?.(event)
          }}
          onKeyDown={readCapsLock}
          onKeyUp={readCapsLock}
          onBlur={() => setCapsLock(false)}
          className={cx(inputClass, 'pe-12', className)}
        />
        <IconButton
          label={shown ? say('Hide what is typed') : say('Show what is typed')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 end-0"
        >
          {shown ? <EyeOff size={19} aria-hidden="true" /> : <Eye size={19} aria-hidden="true" />}
        </IconButton>
      </div>
    </FieldFrame>
  )
}

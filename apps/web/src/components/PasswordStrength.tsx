import { cx } from '../lib/cx.ts'
import { measurePassword } from '../lib/measurePassword.ts'

const colours = ['bg-line', 'bg-danger', 'bg-warn', 'bg-accent', 'bg-ok']

/** Four bars and a few words about a password that is being chosen. */
export function PasswordStrength({ password, minLength }: { password: string; minLength: number }) {
  const { level, words } = measurePassword(password, minLength)
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden="true" className="flex w-24 shrink-0 gap-1">
        {[1, 2, 3, 4].map((bar) => (
          <span
            key={bar}
            className={cx('h-1 flex-1 rounded-full transition-colors', bar <= level ? colours[level] : 'bg-line')}
          />
        ))}
      </span>
      <span aria-live="polite">{words}</span>
    </span>
  )
}

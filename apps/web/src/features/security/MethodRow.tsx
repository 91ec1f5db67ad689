import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { cx } from '../../ui/cx.ts'

type MethodRowProps = {
  id: string
  icon: LucideIcon
  title: string
  /** Absent while it is unknown. */
  state?: 'on' | 'off' | 'notSetUp' | undefined
  /** More about it, after its state. */
  status: ReactNode
  action?: ReactNode
  /** Details, below. */
  children?: ReactNode
}

/** One sign-in method: what it is, how it stands, and one thing to do about it. */
export function MethodRow({ id, icon: Icon, title, state, status, action, children }: MethodRowProps) {
  return (
    <li className="py-4">
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2">
        <span className="grid size-10 shrink-0 place-items-center rounded-control bg-sunken text-muted max-sm:hidden">
          <Icon size={20} aria-hidden="true" />
        </span>
        {/* A long word, as in German, gets a line of its own instead of running into the button. */}
        <div className="min-w-0 flex-1 basis-48">
          <h3 id={id} className="text-base hyphens-auto wrap-anywhere">
            {title}
          </h3>
          <p className="text-sm text-muted">
            {state && (
              <span className={cx('font-semibold', state === 'on' ? 'text-ok' : 'text-ink')}>{nameState(state)}</span>
            )}
            {/* A phone has no room for what is not there yet. */}
            <span className={cx('wrap-anywhere', state && state !== 'on' && 'max-sm:hidden')}>
              {state && ' · '}
              {status}
            </span>
          </p>
        </div>
        {action}
      </div>
      {children}
    </li>
  )
}

const nameState = (state: 'on' | 'off' | 'notSetUp') =>
  state === 'on' ? t('On') : state === 'off' ? t('Off') : t('Not set up')
